import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';

/** A step of a sequence: the values in which its request differs from a well-made one of the kind. */
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

/** What was accepted on a connection lends nothing to what comes after it there. */
export const sequences: Check = {
  id: 'sequences',
  title: 'A denial right after an acceptance on the same connection is still a denial',
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
  if (!judgement)
    return [
      { ...unit, requirement: first.requirement, verdict: 'inconclusive', detail: 'no answer in a pinned sequence' },
    ];
  if (judgement.kind !== 'miss')
    return [{ ...unit, requirement: first.requirement, verdict: 'pass', detail: `${planned.id} in a pinned sequence` }];
  // Alone it may miss as well; then the matrix blames it and this adds nothing. Only what differs here is new.
  if (await missesAlone(api, planned)) return [];
  // A wrong acceptance counts at once; a wrong refusal must come again after the same requests (OUTCOMES 3).
  if (!judgement.wronglyAccepted && !(await missesAgain(api, planned, before)))
    return [
      {
        ...unit,
        requirement: first.requirement,
        verdict: 'inconclusive',
        detail: `${planned.id} was refused once in a pinned sequence and not again`,
      },
    ];
  const suspect = judgement.suspects[0] ?? first;
  return [
    {
      ...unit,
      requirement: suspect.requirement,
      verdict: suspect.level === 'must' ? 'fail' : 'warn',
      detail: `${planned.id}, sent on a connection after ${before.at(-1)?.id ?? 'nothing'}: wanted ${judgement.wanted}, got ${judgement.got}`,
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
