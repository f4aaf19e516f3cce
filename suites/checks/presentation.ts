import fc from 'fast-check';
import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { HEADER_DIMENSIONS, operationOf } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { judgeAnswer } from '../../harness/judge/judge-answer.ts';
import { linesFor, placeholders } from '../../harness/plan/header-lines.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { decisionOn, fail, inconclusive, OWN_RECIPES, observedRefusal, pass } from './shared/decision.ts';
import { checkProperty } from './shared/property.ts';
import {
  anyForm,
  curlOf,
  DOCUMENTED_FORM,
  describeForm,
  type Form,
  type Message,
  textOf,
  UNUSUAL_FORMS,
} from './shared/request-form.ts';

const RUNS = 8;

/** A request gets the same outcome in every form and over every connection. */
export const presentation: Check = {
  id: 'presentation',
  title: 'Unknown headers, header order and case, whitespace in the body and a new connection change no outcome',
  interpreted: OWN_RECIPES,
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

/** A case that was answered correctly, sent in the documented form over the kept-alive connection. */
interface Base {
  readonly planned: PlannedCase;
  readonly answer: CheckAnswer;
  readonly status: number;
}
/** What the forms of one kind showed besides violations. */
interface Noted {
  /** Why a request got no answer. */
  readonly lost: Set<string>;
  /** Forms whose wrong answer did not come again. */
  readonly fleeting: Set<Form>;
  /** Answers that refuse an unknown header. The specification does not forbid that. */
  readonly strict: CheckAnswer[];
}

async function decide(parent: CheckApi, operation: Operation, kind: string): Promise<CheckResult[]> {
  const api = parent.fork();
  const well = api.planned(operation.id, kind, {});
  const [requirement] = well?.expectation.suspects.map((suspect) => suspect.requirement) ?? [];
  if (!well || requirement === undefined) return [];
  const unit = { requirement, operation: operation.id, kind };
  const accepted = await baseOf(api, well);
  if (!accepted) return [decisionOn(api, unit, inconclusive('the documented request was not accepted'))];
  const refused = await baseOf(api, api.planned(operation.id, kind, { holding: 'none' }));
  const baseFor = (isRefused: boolean) => (isRefused && refused ? refused : accepted);
  const noted: Noted = { lost: new Set(), fleeting: new Set(), strict: [] };
  let broke: CheckAnswer | undefined;
  const found = await checkProperty(api, {
    values: fc.record({ form: anyForm, isRefused: refused ? fc.boolean() : fc.constant(false) }),
    examples: [
      ...[...UNUSUAL_FORMS, DOCUMENTED_FORM].map((form) => ({ form, isRefused: false })),
      ...(refused ? UNUSUAL_FORMS.slice(0, 2).map((form) => ({ form, isRefused: true })) : []),
    ],
    runs: RUNS,
    async violation({ form, isRefused }) {
      const difference = await differs(api, baseFor(isRefused), form, noted);
      if (difference === undefined) return undefined;
      broke = difference.answer;
      return difference.violation;
    },
  });
  if (found) {
    const { planned } = baseFor(found.value.isRefused);
    const { form } = found.value;
    // The form is not the reason if the wrong answer did not come again.
    const isCase = form.upper.length > 0 && !noted.fleeting.has(form);
    const blamed = isCase ? undefined : planned.expectation.suspects[0]?.requirement;
    const decided = fail(broke, `${found.violation} (${found.replay})`);
    return [decisionOn(api, { ...unit, requirement: blamed ?? 'headers.case' }, decided)];
  }
  const [reason] = noted.lost;
  if (reason !== undefined) return [decisionOn(api, unit, inconclusive(`in another form: ${reason}`))];
  const control = await api.acceptance(accepted.answer);
  const same = pass(control, `the same outcome in ${RUNS} forms (seed ${api.seed})`);
  const strict =
    noted.strict.length === 0 ? [] : [observedRefusal(control, 'a request with an unknown header is refused')];
  return [
    ...[requirement, 'headers.case'].map((one) => decisionOn(api, { ...unit, requirement: one }, same)),
    ...strict.map((decided) => decisionOn(api, unit, decided)),
  ];
}

async function baseOf(api: CheckApi, planned: PlannedCase | undefined): Promise<Base | undefined> {
  if (!planned) return undefined;
  const { answer, judgement } = await api.send(planned, `${planned.id} gets its answer in the documented form`);
  if (judgement?.kind !== 'pass' || answer.observation.kind !== 'answer') return undefined;
  return { planned, answer, status: answer.observation.status };
}

interface Difference {
  readonly answer: CheckAnswer;
  readonly violation: string;
}

async function differs(api: CheckApi, base: Base, form: Form, noted: Noted): Promise<Difference | undefined> {
  const { planned, status } = base;
  // If one request gets no answer after its retries, the others are not sent: each would take as long.
  const wrong = async () => (noted.lost.size > 0 ? undefined : wrongAnswer(api, base, form, noted));
  const first = await wrong();
  if (!first) return undefined;
  // A wrong refusal counts if it comes again, a wrong acceptance at once (outcomes 3).
  const again = await wrong();
  if (!again && !first.accepted) return undefined;
  if (!again) noted.fleeting.add(form);
  const answer = again ?? first;
  if (form.unknown.length > 0 && !answer.accepted && !(await wrongAnswer(api, base, { ...form, unknown: [] }, noted))) {
    noted.strict.push(answer);
    return undefined;
  }
  const shown = answer.observation.kind === 'answer' ? answer.observation.status : '';
  return { answer, violation: `${planned.id} gets ${status}, but ${shown} with ${describeForm(form)}` };
}

/** The answer to the request in this form, if its status differs from the base's and the case does not admit it. */
async function wrongAnswer(api: CheckApi, base: Base, form: Form, { lost }: Noted): Promise<CheckAnswer | undefined> {
  const { planned } = base;
  const answer = await api.raw({
    operation: operationOf(api.contract, planned.values.operation),
    text: textOf(messageOf(api, planned, false), form),
    curl: curlOf(messageOf(api, planned, true), form),
    shows: `${planned.id} gets the same answer with ${describeForm(form)}`,
    wanted: planned.expectation.kind === 'refuse' ? 'refused' : 'accepted',
  });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') lost.add(outcome.why);
  return outcome.kind !== 'lost' && isWrong(api, base, answer) ? answer : undefined;
}

function isWrong(
  { contract }: CheckApi,
  { planned: { expectation, values }, status }: Base,
  { observation, accepted }: CheckAnswer,
): boolean {
  if (observation.kind !== 'answer' || observation.status === status) return false;
  if (accepted && expectation.kind === 'accept') return false;
  return judgeAnswer(contract, operationOf(contract, values.operation), expectation, observation).kind === 'miss';
}

/** The request of a case, with its token or, where it is shown, with the shell expression for it. */
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
