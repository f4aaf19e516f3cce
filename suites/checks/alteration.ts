import fc from 'fast-check';
import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isJwt, tamperAt } from '../../harness/plan/tamper.ts';
import { transportReason } from '../../harness/record/observation.ts';
import { type Broken, tryLaw } from './parts/law.ts';

const RUNS = 7;

/** One change to a token; its place is a share of the token's length, so that it fits any. */
interface Alteration {
  readonly how: 'changed' | 'dropped' | 'swapped with the next';
  readonly place: number;
}
const PLACES = 1000;
/** At its ends, in the middle, and two swaps where a character and the next may be the same. */
const EXAMPLES: readonly Alteration[] = [
  ...[0, PLACES / 2, PLACES - 1].map((place) => ({ how: 'changed', place }) as const),
  ...[PLACES / 4, (3 * PLACES) / 4].map((place) => ({ how: 'swapped with the next', place }) as const),
];
const anyAlteration: fc.Arbitrary<Alteration> = fc.record({
  how: fc.constantFrom<Alteration['how'][]>('changed', 'dropped', 'swapped with the next'),
  place: fc.nat({ max: PLACES - 1 }),
});

/** Wherever a token is changed, it is another token. */
export const alteration: Check = {
  id: 'alteration',
  title: 'A token altered anywhere, so that its decoded bytes differ, is never accepted',
  requirements: ['token.tampered'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    const results: CheckResult[] = [];
    const lost = new Set<string>();
    for (const kind of operation ? api.claims.kinds : []) {
      const planned = api.planned(operation?.id ?? '', kind, {});
      // One that is not answered, after its retries, speaks for all: nobody waits for each of them.
      if (planned?.credential && lost.size === 0)
        results.push(await decide(api, planned, planned.credential.token, lost));
    }
    return results;
  },
};

async function decide(api: CheckApi, planned: PlannedCase, token: string, lost: Set<string>): Promise<CheckResult> {
  const unit = { requirement: 'token.tampered', operation: planned.values.operation, kind: planned.values.kind };
  const { answer } = await api.send(planned);
  if (!answer.accepted) return { ...unit, verdict: 'inconclusive', detail: 'the original was not accepted' };
  const found = await tryLaw<Alteration>(api, {
    values: anyAlteration,
    examples: EXAMPLES,
    runs: RUNS,
    async broken(value): Promise<Broken> {
      const altered = alter(token, value);
      if (!altered || lost.size > 0) return undefined;
      const { observation, accepted } = await sendWith(api, planned, altered);
      const reason = transportReason(observation);
      if (reason !== undefined) lost.add(reason);
      return accepted ? `accepted with ${altered.how}` : undefined;
    },
  });
  if (!found) {
    const [reason] = lost;
    if (reason !== undefined) return { ...unit, verdict: 'inconclusive', detail: reason };
    return { ...unit, verdict: 'pass', detail: `${RUNS} altered tokens, with seed ${api.seed}` };
  }
  const altered = alter(token, found.value);
  const { credential: original } = planned;
  // What TOKEN_COMMAND minted stands in no variable that a shell could cut.
  const credential =
    original && altered && original.source === 'variable'
      ? { ...original, shell: altered.shell(original.variable) }
      : original;
  return {
    ...unit,
    verdict: 'fail',
    detail: `${found.how} (${found.replay})`,
    curl: api.curl({ ...planned, credential }),
  };
}

type Altered = ReturnType<typeof tamperAt>;

async function sendWith(api: CheckApi, planned: PlannedCase, { token, how }: Altered) {
  const credential = planned.credential && api.derive(planned.credential, token, how);
  return (await api.send({ ...planned, credential })).answer;
}

/** The altered token; undefined where the change would be none in decoded bytes (RFC 4648 3.5). */
function alter(token: string, { how, place }: Alteration): Altered | undefined {
  const at = Math.floor((place / PLACES) * token.length);
  const [before, character, next, after] = [
    token.slice(0, at),
    token[at] ?? '',
    token[at + 1] ?? '',
    token.slice(at + 2),
  ];
  // The dots of a JWT are none of its alphabet.
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
  return bytesOf(altered.token) === bytesOf(token) ? undefined : altered;
}

/** Comparable bytes: of a JWT those of its parts, of another token its own without regard to case, as hexadecimal has it. */
function bytesOf(token: string): string {
  if (!isJwt(token)) return token.toLowerCase();
  return token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join('.');
}
