import fc from 'fast-check';
import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { HEADER_DIMENSIONS, operationOf } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { judgeAnswer } from '../../harness/judge/judge-answer.ts';
import { linesFor, placeholders } from '../../harness/plan/header-lines.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { transportReason } from '../../harness/record/observation.ts';
import { type Broken, tryLaw } from './parts/law.ts';
import {
  anyForm,
  curlOf,
  type Form,
  type Message,
  PLAIN_FORM,
  STRIKING,
  textOf,
  wordsOf,
} from './parts/request-form.ts';

const RUNS = 8;

/** However the same request is written, and over whichever connection it comes, it gets the same outcome. */
export const presentation: Check = {
  id: 'presentation',
  title: 'Irrelevant headers, their order and case, blanks in the body and a fresh connection change no outcome',
  requirements: ['headers.case', 'scope.search', 'user.accepted', 'global.accepted', 'oauth.own', 'oauth.external'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    const results: CheckResult[] = [];
    for (const kind of operation ? api.claims.kinds : [])
      if (operation) results.push(...(await decide(api, operation, kind)));
    return results;
  },
};

/** A case that was answered as it must be, over the kept-alive connection and as documented. */
interface Base {
  readonly planned: PlannedCase;
  readonly status: number;
}

async function decide(api: CheckApi, operation: Operation, kind: string): Promise<CheckResult[]> {
  const well = api.planned(operation.id, kind, {});
  const [requirement] = well?.expectation.suspects.map((suspect) => suspect.requirement) ?? [];
  if (!well || requirement === undefined) return [];
  const unit = { requirement, operation: operation.id, kind };
  const accepted = await baseOf(api, well);
  if (!accepted) return [{ ...unit, verdict: 'inconclusive', detail: 'the documented request was not accepted' }];
  const refused = await baseOf(api, api.planned(operation.id, kind, { holding: 'none' }));
  const chosen = (isRefused: boolean) => (isRefused && refused ? refused : accepted);
  const [plain, ...striking] = [PLAIN_FORM, ...STRIKING].map((form) => ({ form, isRefused: false }));
  const lost = new Set<string>();
  const fleeting = new Set<Form>();
  const found = await tryLaw(api, {
    values: fc.record({ form: anyForm, isRefused: refused ? fc.boolean() : fc.constant(false) }),
    examples: [
      ...striking,
      ...(plain ? [plain] : []),
      ...(refused ? STRIKING.slice(0, 2).map((form) => ({ form, isRefused: true })) : []),
    ],
    runs: RUNS,
    broken: ({ form, isRefused }) => differs(api, chosen(isRefused), form, { lost, fleeting }),
  });
  if (found) {
    const { planned } = chosen(found.value.isRefused);
    const { form } = found.value;
    // What came once and not again is not the writing's doing.
    const isCase = form.upper.length > 0 && !fleeting.has(form);
    const blamed = isCase ? undefined : planned.expectation.suspects[0]?.requirement;
    return [
      {
        ...unit,
        requirement: blamed ?? 'headers.case',
        verdict: 'fail',
        detail: `${found.how} (${found.replay})`,
        curl: curlOf(messageOf(api, planned, true), found.value.form),
      },
    ];
  }
  const [reason] = lost;
  if (reason !== undefined) return [{ ...unit, verdict: 'inconclusive', detail: `written otherwise: ${reason}` }];
  const held = { verdict: 'pass', detail: `${RUNS} ways to write a request, with seed ${api.seed}` } as const;
  return [requirement, 'headers.case'].map((one) => ({ ...unit, requirement: one, ...held }));
}

async function baseOf(api: CheckApi, planned: PlannedCase | undefined): Promise<Base | undefined> {
  if (!planned) return undefined;
  const { answer, judgement } = await api.send(planned);
  if (judgement?.kind !== 'pass' || answer.observation.kind !== 'answer') return undefined;
  return { planned, status: answer.observation.status };
}

async function differs(
  api: CheckApi,
  base: Base,
  form: Form,
  { lost, fleeting }: { readonly lost: Set<string>; readonly fleeting: Set<Form> },
): Promise<Broken> {
  const { planned, status } = base;
  const text = textOf(messageOf(api, planned, false), form);
  // One that is not answered, after its retries, speaks for all: nobody waits for each of them.
  if (lost.size > 0) return undefined;
  let before: { readonly got: number; readonly accepted: boolean } | undefined;
  for (const isLast of [false, true]) {
    const answer = await api.raw(text);
    const reason = transportReason(answer.observation);
    if (reason !== undefined) lost.add(reason);
    const got = reason === undefined ? wrongStatus(api, base, answer) : undefined;
    const shown = got ?? before?.got;
    // A wrong refusal counts when it comes again, a wrong acceptance however rare.
    if (got === undefined && !before?.accepted) return undefined;
    if (got === undefined) fleeting.add(form);
    if (isLast || got === undefined) return `${planned.id} gets ${status}, but ${shown} with ${wordsOf(form)}`;
    before = { got, accepted: answer.accepted };
  }
  return undefined;
}

/** The status, where it is of another class than the base's and not one that the specification admits as well. */
function wrongStatus(
  { contract }: CheckApi,
  { planned: { expectation, values }, status }: Base,
  { observation, accepted }: CheckAnswer,
): number | undefined {
  if (observation.kind !== 'answer' || observation.status === status) return undefined;
  if (accepted && expectation.kind === 'accept') return undefined;
  const { kind } = judgeAnswer(contract, operationOf(contract, values.operation), expectation, observation);
  return kind === 'miss' ? observation.status : undefined;
}

/** The request of a case, with its token or with what a shell replaces by it. */
function messageOf({ contract, people }: CheckApi, { values, credential }: PlannedCase, isShown: boolean): Message {
  const { method, path, example } = operationOf(contract, values.operation);
  const shown = { ...people, actAs: '$ACT_AS_EMAIL' };
  const token = (isShown ? credential?.shell : credential?.token) ?? '';
  const known = placeholders(isShown ? shown : people, token, '');
  const lines = HEADER_DIMENSIONS.flatMap((dimension) => {
    const header = contract.matrix.headers[dimension];
    return (linesFor(header, values[dimension], known) ?? []).map((line) => [header.name, line] as const);
  });
  return { method, path, lines, body: example };
}
