import type { CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { Miss } from '../../../harness/judge/miss.ts';

/** What a check makes of one answer. A wrong acceptance is `wrong at once`; `lost` means that no answer came. */
export type Assessment = 'right' | 'wrong' | 'wrong at once' | 'lost';

/** The result of asking up to two times. `fleeting`: the first answer was wrong, the second was not. */
export interface Confirmation<T> {
  readonly kind: 'right' | 'wrong' | 'fleeting' | 'lost';
  readonly got: T;
}

/** Asks again after a wrong refusal, which counts only if it comes twice. A wrong acceptance counts at once (outcomes 3). */
export async function confirm<T>(ask: () => Promise<T>, assess: (got: T) => Assessment): Promise<Confirmation<T>> {
  const first = await ask();
  const assessment = assess(first);
  switch (assessment) {
    case 'right':
    case 'lost':
      return { kind: assessment, got: first };
    case 'wrong at once':
      return { kind: 'wrong', got: first };
    case 'wrong':
      break;
  }
  const second = await ask();
  const secondAssessment = assess(second);
  switch (secondAssessment) {
    case 'wrong':
    case 'wrong at once':
      return { kind: 'wrong', got: second };
    case 'right':
    case 'lost':
      return { kind: 'fleeting', got: first };
  }
}

/** The result of sending a case of the plan up to two times. */
export type CaseConfirmation =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' | 'fleeting'; readonly miss: Miss }
  | { readonly kind: 'lost'; readonly why: string };

/** Like `confirm`, for a case of the plan: an answer that the case does not admit is wrong. */
export async function confirmCase(send: () => ReturnType<CheckApi['send']>): Promise<CaseConfirmation> {
  const { kind, got } = await confirm(send, ({ judgement }): Assessment => {
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
