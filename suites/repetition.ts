import type { Check, CheckApi, CheckResult } from '../harness/check.ts';
import type { Judgement } from '../harness/judge.ts';
import type { PlannedCase } from '../harness/plan.ts';

const CONNECTIONS = 6;

/** What a case got: its class of outcome, and whether the specification admits it. */
interface Outcome {
  readonly status: number;
  readonly judgement: Judgement;
}
interface Sample {
  readonly planned: PlannedCase;
  readonly alone: Outcome;
}

/** The same request gets the same outcome: first or again, in whichever order, alone or beside others. */
export const repetition: Check = {
  id: 'repetition',
  title: 'The same request gets the same outcome when it is repeated, on other connections and all at once',
  requirements: [
    'authorization.required',
    'authorization.malformed',
    'token.unknown',
    'token.expired',
    'token.tampered',
    'token.foreign',
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
    const samples: Sample[] = [];
    for (const planned of sampleOf(api)) {
      const alone = await ask(api, planned);
      // What is wrong when it is sent alone is the matrix's to blame.
      if (alone && alone.judgement.kind !== 'miss') samples.push({ planned, alone });
    }
    const wrong = new Map<string, CheckResult>();
    const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
    for (const { planned, alone } of [...samples].reverse())
      note(api, wrong, planned, alone, await confirmed(connections[0] ?? api, planned), 'sent again in another order');
    await Promise.all(
      samples.map(async ({ planned, alone }, index) => {
        const connection = connections[index % CONNECTIONS] ?? api;
        note(
          api,
          wrong,
          planned,
          alone,
          await confirmed(connection, planned),
          `sent beside ${samples.length - 1} others`,
        );
      }),
    );
    return samples.map(({ planned, alone }): CheckResult => {
      const { operation, kind } = planned.values;
      const requirement = planned.expectation.suspects[0]?.requirement ?? '';
      const detail = `${planned.id}: ${alone.status} alone, again and beside others, with seed ${api.seed}`;
      return wrong.get(planned.id) ?? { requirement, operation, kind, verdict: 'pass', detail };
    });
  },
};

/** Of every kind its well-made request, and one denial for a single reason, which the seed chooses. */
function sampleOf(api: CheckApi): PlannedCase[] {
  const { contract, plan, seed, claims } = api;
  const [operation] = contract.operations;
  const denials = new Map<string, PlannedCase[]>();
  for (const planned of plan.cases.values()) {
    const { values, expectation } = planned;
    if (expectation.kind !== 'refuse' || expectation.suspects.length > 1 || values.body !== 'valid') continue;
    denials.set(values.kind, [...(denials.get(values.kind) ?? []), planned]);
  }
  const accepted = claims.kinds.flatMap((kind) => api.planned(operation?.id ?? '', kind, {}) ?? []);
  return [
    ...accepted,
    ...[...denials.values()].flatMap((cases, index) => cases[Math.abs(seed + index) % cases.length] ?? []),
  ];
}

async function ask(api: CheckApi, planned: PlannedCase): Promise<Outcome | undefined> {
  const { answer, judgement } = await api.send(planned);
  return judgement && answer.observation.kind === 'answer'
    ? { status: answer.observation.status, judgement }
    : undefined;
}

/** A wrong refusal counts when it comes again; a wrong acceptance counts at once. */
async function confirmed(api: CheckApi, planned: PlannedCase): Promise<Outcome | undefined> {
  const first = await ask(api, planned);
  if (first?.judgement.kind !== 'miss' || first.judgement.wronglyAccepted) return first;
  return ask(api, planned);
}

function note(
  api: CheckApi,
  wrong: Map<string, CheckResult>,
  planned: PlannedCase,
  alone: Outcome,
  got: Outcome | undefined,
  when: string,
): void {
  if (got?.judgement.kind !== 'miss' || wrong.has(planned.id)) return;
  const [suspect] = got.judgement.suspects;
  const { operation, kind } = planned.values;
  wrong.set(planned.id, {
    requirement: suspect?.requirement ?? '',
    operation,
    kind,
    verdict: got.judgement.level === 'must' ? 'fail' : 'warn',
    detail: `${planned.id} gets ${alone.status} alone, but ${got.judgement.got} when ${when} (seed ${api.seed})`,
    curl: api.curl(planned),
  });
}
