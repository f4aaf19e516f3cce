import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { confirmedCase } from './parts/ask-again.ts';

const CONNECTIONS = 6;

interface Sample {
  readonly planned: PlannedCase;
  /** The status that it gets when it is sent alone. */
  readonly alone: number;
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
      const { answer, judgement } = await api.send(planned);
      const { observation } = answer;
      // What is wrong when it is sent alone is the matrix's to blame.
      if (observation.kind === 'answer' && judgement && judgement.kind !== 'miss')
        samples.push({ planned, alone: observation.status });
    }
    const wrong = new Map<string, CheckResult>();
    const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
    const note = async (connection: CheckApi, sample: Sample, when: string) => {
      const { id } = sample.planned;
      const found = await again(connection, sample, when);
      if (found && (wrong.get(id)?.verdict ?? 'inconclusive') === 'inconclusive') wrong.set(id, found);
    };
    for (const sample of [...samples].reverse())
      await note(connections[0] ?? api, sample, 'sent again in another order');
    await Promise.all(
      samples.map((sample, index) =>
        note(connections[index % CONNECTIONS] ?? api, sample, `sent beside ${samples.length - 1} others`),
      ),
    );
    return samples.map(({ planned, alone }): CheckResult => {
      const { operation, kind } = planned.values;
      const requirement = planned.expectation.suspects[0]?.requirement ?? '';
      const detail = `${planned.id}: ${alone} alone, again and beside others, with seed ${api.seed}`;
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

/** How a case is answered when it comes again; undefined where that is as it must be. */
async function again(api: CheckApi, { planned, alone }: Sample, when: string): Promise<CheckResult | undefined> {
  const { operation, kind } = planned.values;
  const found = await confirmedCase(() => api.send(planned));
  const unit = { requirement: planned.expectation.suspects[0]?.requirement ?? '', operation, kind };
  const gets = (what: string) => `${planned.id} gets ${alone} alone, but ${what} when ${when} (seed ${api.seed})`;
  switch (found.kind) {
    case 'right':
      return undefined;
    case 'lost':
      return { ...unit, verdict: 'inconclusive', detail: gets(found.why) };
    case 'fleeting':
      return { ...unit, verdict: 'inconclusive', detail: gets(`once and not again ${found.miss.got}`) };
    case 'wrong': {
      const { suspects, level, got } = found.miss;
      const requirement = suspects[0]?.requirement ?? unit.requirement;
      const verdict = level === 'must' ? 'fail' : 'warn';
      return { ...unit, requirement, verdict, detail: gets(got), curl: api.curl(planned) };
    }
  }
}
