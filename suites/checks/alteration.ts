import fc from 'fast-check';
import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult, Judged } from '../../harness/checks/check.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isSameToken, tamperAt } from '../../harness/plan/token-bytes.ts';
import { decisionOn, fail, inconclusive, observedRefusal, pass } from './shared/decision.ts';
import { checkProperty, type Violation } from './shared/fuzz-values.ts';

const RUNS = 7;

/** One change to a token. */
interface Alteration {
  readonly how: 'changed' | 'dropped' | 'swapped with the next';
  /** Where, in thousandths of the token's length. */
  readonly place: number;
}
const PLACES = 1000;
/** Changes at both ends and in the middle. Two swaps, because two neighbouring characters may be equal. */
const EXAMPLES: readonly Alteration[] = [
  ...[0, PLACES / 2, PLACES - 1].map((place) => ({ how: 'changed', place }) as const),
  ...[PLACES / 4, (3 * PLACES) / 4].map((place) => ({ how: 'swapped with the next', place }) as const),
];
const anyAlteration: fc.Arbitrary<Alteration> = fc.record({
  how: fc.constantFrom<Alteration['how'][]>('changed', 'dropped', 'swapped with the next'),
  place: fc.nat({ max: PLACES - 1 }),
});

/** A token with any one character altered is another token. */
export async function alteration(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const results: CheckResult[] = [];
  const lost = new Set<string>();
  for (const kind of operation ? api.claims.kinds : []) {
    const planned = api.planned(operation?.id ?? '', kind, {});
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (planned?.credential && lost.size === 0)
      results.push(await decide(api.fork(), planned, planned.credential.token, lost));
  }
  return results;
}

async function decide(api: CheckApi, planned: PlannedCase, token: string, lost: Set<string>): Promise<CheckResult> {
  const unit = { requirement: 'token.tampered', operation: planned.values.operation, kind: planned.values.kind };
  const { answer: original } = await api.send(planned, 'the original token is accepted');
  if (!original.accepted) return decisionOn(api, unit, inconclusive('the original token was not accepted'));
  let accepted: CheckAnswer | undefined;
  let isOtherwise = false;
  const found = await checkProperty<Alteration>(api, {
    values: anyAlteration,
    examples: EXAMPLES,
    runs: RUNS,
    async violation(value): Promise<Violation> {
      const altered = alter(token, value);
      if (!altered || lost.size > 0) return undefined;
      const { answer, judgement } = await sendWith(api, planned, altered);
      isOtherwise ||= judgement?.kind === 'miss';
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'lost') lost.add(outcome.why);
      if (outcome.kind !== 'accepted') return undefined;
      accepted = answer;
      return `accepted with ${altered.how}`;
    },
  });
  if (found) return decisionOn(api, unit, fail(accepted, `${found.violation} (${found.replay})`));
  const [reason] = lost;
  if (reason !== undefined) return decisionOn(api, unit, inconclusive(reason));
  const control = await api.acceptance(original);
  const detail = `${RUNS} altered tokens were refused (seed ${api.seed})`;
  // The check `tampering` and the matrix judge how a token is refused.
  return decisionOn(api, unit, isOtherwise ? observedRefusal(control, detail) : pass(control, detail));
}

type Altered = ReturnType<typeof tamperAt>;

async function sendWith(api: CheckApi, planned: PlannedCase, { token, how, shell }: Altered): Promise<Judged> {
  const original = planned.credential;
  // A token of TOKEN_COMMAND is in no variable, so no shell expression can alter it.
  const written = original?.source === 'variable' ? shell(original.variable) : undefined;
  const credential = original && api.derive(original, token, how, written);
  const { values } = planned;
  const tampered = api.planned(values.operation, values.kind, { validity: 'tampered' }) ?? planned;
  return api.send({ ...tampered, credential }, `a token with ${how} is refused`);
}

/** The altered token; undefined if it may still be the same token. */
function alter(token: string, { how, place }: Alteration): Altered | undefined {
  const at = Math.floor((place / PLACES) * token.length);
  const [before, character, next, after] = [
    token.slice(0, at),
    token[at] ?? '',
    token[at + 1] ?? '',
    token.slice(at + 2),
  ];
  // The dots of a JWT separate its parts and are not altered.
  if (character === '.' || (how !== 'changed' && next === '.')) return undefined;
  const altered = ((): Altered => {
    const changed = `character ${at + 1} of ${token.length} ${how}`;
    switch (how) {
      case 'changed':
        return tamperAt(token, at);
      case 'dropped':
        return {
          token: before + next + after,
          how: changed,
          shell: (name) => `\${${name}:0:${at}}\${${name}:${at + 1}}`,
        };
      case 'swapped with the next':
        return {
          token: before + next + character + after,
          how: changed,
          shell: (name) => `\${${name}:0:${at}}\${${name}:${at + 1}:1}\${${name}:${at}:1}\${${name}:${at + 2}}`,
        };
    }
  })();
  return isSameToken(token, altered.token) ? undefined : altered;
}
