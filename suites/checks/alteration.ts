import fc from 'fast-check';
import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { isSameToken, tamperAt } from '../../harness/plan/token-bytes.ts';
import { decisionOn, fail, inconclusive, observedRefusal, pass } from './shared/decision.ts';
import { type HeaderValues, tryValues } from './shared/fuzz-values.ts';

const RUNS = 7;

/** A token with any one character altered is another token. */
export async function alteration(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const results: CheckResult[] = [];
  for (const kind of operation ? api.claims.kinds : []) {
    results.push(...(await decide(api.fork(), operation?.id ?? '', kind)));
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (results.some(({ steps }) => steps.some((step) => outcomeOf(step).kind === 'lost'))) break;
  }
  return results;
}

async function decide(api: CheckApi, operation: string, kind: string): Promise<readonly CheckResult[]> {
  const planned = api.planned(operation, kind, {});
  const original = planned?.credential;
  if (!original) return [];
  const unit = { requirement: 'token.tampered', operation, kind };
  const { answer: accepted } = await api.send(planned, 'the original token is accepted');
  if (!accepted.accepted) return [decisionOn(api, unit, inconclusive('the original token was not accepted'))];
  const tampered = api.planned(operation, kind, { validity: 'tampered' }) ?? planned;
  let isOtherwise = false;
  const found = await tryValues<Alteration>(api, {
    ...ALTERATIONS,
    runs: RUNS,
    async ask(alteration) {
      const altered = alter(original.token, alteration);
      if (!altered) return undefined;
      const { token, how, shell } = altered;
      // A token of TOKEN_COMMAND is in no variable, so no shell expression can alter it.
      const written = original.source === 'variable' ? shell(original.variable) : undefined;
      const credential = api.derive(original, token, how, written);
      const { answer, judgement } = await api.send({ ...tampered, credential }, `a token with ${how} is refused`);
      isOtherwise ||= judgement?.kind === 'miss';
      return answer;
    },
    faultOf: async ({ accepted: isAccepted }, alteration) =>
      isAccepted ? `accepted with ${alter(original.token, alteration)?.how}` : undefined,
  });
  switch (found.kind) {
    case 'fault':
      return [decisionOn(api, unit, fail(found.answer, `${found.what} (${found.replay})`))];
    case 'lost':
      return [decisionOn(api, unit, inconclusive(found.why))];
    case 'none': {
      const control = await api.acceptance(accepted);
      const detail = `${RUNS} altered tokens were refused (seed ${api.seed})`;
      // The check `tampering` and the matrix judge how a token is refused.
      return [decisionOn(api, unit, isOtherwise ? observedRefusal(control, detail) : pass(control, detail))];
    }
  }
}

/** One change to a token. */
interface Alteration {
  readonly how: keyof typeof CHANGES;
  /** Where, in thousandths of the token's length. */
  readonly place: number;
}
type Altered = ReturnType<typeof tamperAt>;

/** What is made of the characters at a place and after it. */
const CHANGES = {
  changed: tamperAt,
  dropped: (token: string, at: number) => ({
    token: token.slice(0, at) + token.slice(at + 1),
    shell: (name: string) => `\${${name}:0:${at}}\${${name}:${at + 1}}`,
  }),
  'swapped with the next': (token: string, at: number) => ({
    token: token.slice(0, at) + (token[at + 1] ?? '') + token[at] + token.slice(at + 2),
    shell: (name: string) => `\${${name}:0:${at}}\${${name}:${at + 1}:1}\${${name}:${at}:1}\${${name}:${at + 2}}`,
  }),
};
const PLACES = 1000;
const ALTERATIONS: HeaderValues<Alteration> = {
  // Changes at both ends and in the middle. Two swaps, because two neighbouring characters may be equal.
  examples: [
    ...[0, PLACES / 2, PLACES - 1].map((place) => ({ how: 'changed', place }) as const),
    ...[PLACES / 4, (3 * PLACES) / 4].map((place) => ({ how: 'swapped with the next', place }) as const),
  ],
  random: fc.record({
    how: fc.constantFrom<Alteration['how'][]>('changed', 'dropped', 'swapped with the next'),
    place: fc.nat({ max: PLACES - 1 }),
  }),
};

/** The altered token; undefined if it may still be the same token. */
function alter(token: string, { how, place }: Alteration): Altered | undefined {
  const at = Math.floor((place / PLACES) * token.length);
  // The dots of a JWT separate its parts and are not altered.
  if (token[at] === '.' || (how !== 'changed' && token[at + 1] === '.')) return undefined;
  const altered = { how: `character ${at + 1} of ${token.length} ${how}`, ...CHANGES[how](token, at) };
  return isSameToken(token, altered.token) ? undefined : altered;
}
