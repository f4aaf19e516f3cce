import type { CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { Miss } from '../../../harness/judge/miss.ts';

/** How an answer looks: right, wrong, wrong however rare (a wrong acceptance), or as if none came. */
export type Look = 'right' | 'wrong' | 'wrong at once' | 'lost';

/** What came of asking; `fleeting`: it was wrong once and not again. */
export interface Confirmed<T> {
  readonly kind: 'right' | 'wrong' | 'fleeting' | 'lost';
  readonly got: T;
}

/** A wrong refusal counts when it comes again, a wrong acceptance at once (OUTCOMES 3). */
export async function confirmed<T>(ask: () => Promise<T>, lookOf: (got: T) => Look): Promise<Confirmed<T>> {
  const first = await ask();
  const look = lookOf(first);
  switch (look) {
    case 'right':
    case 'lost':
      return { kind: look, got: first };
    case 'wrong at once':
      return { kind: 'wrong', got: first };
    case 'wrong':
      break;
  }
  const second = await ask();
  const again = lookOf(second);
  switch (again) {
    case 'wrong':
    case 'wrong at once':
      return { kind: 'wrong', got: second };
    case 'right':
    case 'lost':
      return { kind: 'fleeting', got: first };
  }
}

/** What came of sending a case of the plan. */
export type ConfirmedCase =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' | 'fleeting'; readonly miss: Miss }
  | { readonly kind: 'lost'; readonly why: string };

/** As `confirmed`, for a case of the plan, by what the specification admits for it. */
export async function confirmedCase(send: () => ReturnType<CheckApi['send']>): Promise<ConfirmedCase> {
  const { kind, got } = await confirmed(send, ({ judgement }): Look => {
    if (judgement === undefined) return 'lost';
    if (judgement.kind !== 'miss') return 'right';
    return judgement.wronglyAccepted ? 'wrong at once' : 'wrong';
  });
  const { answer, judgement } = got;
  if (judgement?.kind === 'miss' && (kind === 'wrong' || kind === 'fleeting')) return { kind, miss: judgement };
  if (judgement !== undefined) return { kind: 'right' };
  const outcome = outcomeOf(answer);
  return { kind: 'lost', why: outcome.kind === 'lost' ? outcome.why : 'too little of the answer was read' };
}
