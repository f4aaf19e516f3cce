import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';

/** A step of a sequence: the values in which its request differs from a well-made request of the kind. */
type Step = Readonly<Record<string, string>>;
const ACCEPT: Step = {};
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  service: [ACCEPT, { validity: 'expired' }, ACCEPT, { holding: 'none' }, { validity: 'tampered' }, ACCEPT],
  GLOBAL: [
    ACCEPT,
    { 'act-as': 'absent' },
    ACCEPT,
    { 'act-as': 'unknown' },
    { validity: 'expired' },
    { holding: 'none' },
    { validity: 'tampered' },
    ACCEPT,
  ],
  own: [ACCEPT, { validity: 'expired' }, ACCEPT, { holding: 'none' }, { validity: 'tampered' }, ACCEPT],
  external: [
    ACCEPT,
    { 'auth-type': 'absent' },
    ACCEPT,
    { validity: 'expired' },
    { holding: 'none' },
    { validity: 'tampered' },
    ACCEPT,
  ],
};

/** An accepted request does not authorize later requests on its connection. */
export const sequences: Check = {
  id: 'sequences',
  title: 'A request that must be refused is refused right after an accepted one on the same connection',
  requirements: [
    'token.expired',
    'token.tampered',
    'act-as.missing',
    'act-as.unknown',
    'auth-type.missing',
    'scope.search',
    'scope.chat',
    'user.accepted',
    'global.accepted',
    'oauth.own',
    'oauth.external',
  ],
  intrusive: true,
  async run(api) {
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds)
      for (const { id: operation } of api.contract.operations) {
        const connection = api.connect();
        const steps = SEQUENCES[kind] ?? SEQUENCES[api.contract.matrix.kinds[kind]?.family ?? ''] ?? [];
        const sent: PlannedCase[] = [];
        for (const step of steps) {
          const planned = connection.planned(operation, kind, step);
          if (!planned) continue;
          results.push(...(await decide(connection, planned, sent)));
          sent.push(planned);
        }
      }
    return results;
  },
};

async function decide(api: CheckApi, planned: PlannedCase, before: readonly PlannedCase[]): Promise<CheckResult[]> {
  const { judgement } = await api.send(planned);
  const unit = { operation: planned.values.operation, kind: planned.values.kind };
  const [first] = planned.expectation.suspects;
  if (!first) return [];
  if (!judgement) {
    const detail = 'no answer on a connection that other requests used before';
    return [{ ...unit, requirement: first.requirement, verdict: 'inconclusive', detail }];
  }
  if (judgement.kind !== 'miss') {
    const detail = `${planned.id} on a connection that other requests used before`;
    return [{ ...unit, requirement: first.requirement, verdict: 'pass', detail }];
  }
  // The matrix blames a case that misses on its own. This check adds only what the connection changes.
  if (await missesAlone(api, planned)) return [];
  // A wrong acceptance counts at once. A wrong refusal must come again after the same requests (outcomes 3).
  if (!judgement.wronglyAccepted && !(await missesAgain(api, planned, before)))
    return [
      {
        ...unit,
        requirement: first.requirement,
        verdict: 'inconclusive',
        detail: `${planned.id} was refused once after other requests on its connection; it did not happen again`,
      },
    ];
  const suspect = judgement.suspects[0] ?? first;
  return [
    {
      ...unit,
      requirement: suspect.requirement,
      verdict: suspect.level === 'must' ? 'fail' : 'warn',
      detail: `${planned.id}, sent after ${before.at(-1)?.id ?? 'nothing'} on the same connection: wanted ${judgement.wanted}, got ${judgement.got}`,
      curl: api.curl(planned),
    },
  ];
}

async function missesAgain(api: CheckApi, planned: PlannedCase, before: readonly PlannedCase[]): Promise<boolean> {
  const connection = api.connect();
  for (const earlier of before) await connection.send(earlier);
  const { judgement } = await connection.send(planned);
  return judgement?.kind === 'miss';
}

async function missesAlone(api: CheckApi, planned: PlannedCase): Promise<boolean> {
  const { judgement } = await api.connect().send(planned);
  return judgement?.kind === 'miss';
}
