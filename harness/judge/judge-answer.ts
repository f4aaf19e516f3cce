import type { Contract } from '../contract/contract.ts';
import { type Operation, statusesOf } from '../contract/openapi.ts';
import type { Expectation } from '../plan/expectation.ts';
import { type Answer, isServerError, isSuccess, type Observation } from '../record/observation.ts';
import { creditOf, decisive, fits, matches } from './credit.ts';
import { type Answered, type Judgement, type Miss, missOf, strayMessageOf, suspectOf } from './miss.ts';

/** Compares an answer with what the case admits. Pure. */
export function judgeAnswer(
  contract: Contract,
  operation: Operation,
  expectation: Expectation,
  answer: Answer,
): Judgement {
  const answered = { contract, operation, expectation, answer };
  switch (expectation.kind) {
    case 'accept':
      return isSuccess(answer.status) ? judgeSuccess(answered) : missOf(answered, expectation.suspects);
    case 'open':
      if (isSuccess(answer.status)) return judgeSuccess(answered);
      if (isServerError(answer.status) && !expectation.mayFail) return missOf(answered, expectation.silent);
      return strayMessageOf(answered) ?? { kind: 'observed', silent: expectation.silent };
    case 'refuse':
      return judgeRefusal(answered);
  }
}

function judgeRefusal(answered: Answered): Judgement {
  const { contract, expectation, answer } = answered;
  // Who refuses after the operation ran shows what was to be kept (CWE-698). The check `exposure` looks for private documents.
  const isExposed = answer.showsSuccess && !contract.has.includes('private-words');
  if (isExposed && expectation.suspects.length > 0) {
    const got = `${answer.status} with the documented body of a success`;
    return { ...missOf(answered, expectation.suspects), got };
  }
  const stray = strayMessageOf(answered);
  const matching = expectation.admissible.filter(({ outcome }) => matches(outcome, answer));
  if (matching.length === 0) {
    const fitting = expectation.admissible.filter(({ outcome }) => fits(outcome, answer));
    // The status fits, but not the message: one is misplaced, or the wanted one may be in the part that was not read.
    if (stray && fitting.some(({ outcome }) => outcome.message === 'none')) return stray;
    if (answer.truncated && fitting.some(({ outcome }) => Array.isArray(outcome.message))) return { kind: 'undecided' };
    // What the specification leaves open may be answered with anything but a server error, so also with a redirect or 501.
    const { silent, mayFail } = expectation;
    const isFailure = isServerError(answer.status) && !mayFail;
    if (silent.length > 0 && fitting.length === 0 && !isSuccess(answer.status) && !isFailure)
      return stray ?? { kind: 'observed', silent };
    // A silent rule never admits a server error (outcomes 1), so the silent rules of the case are suspects too.
    return missOf(answered, [...expectation.suspects, ...(isFailure ? silent : [])]);
  }
  if (stray) return stray;
  const clean = matching.filter(({ outcome }) => outcome.verdict === undefined);
  if (clean.length === 0) {
    const blamed = expectation.suspects.filter(({ requirement }) =>
      matching.some((match) => match.requirement === requirement),
    );
    return { ...missOf(answered, blamed), level: 'should' };
  }
  if (decisive(expectation, clean).length === 0) return { kind: 'observed', silent: expectation.silent };
  return { kind: 'pass', satisfied: [...creditOf(expectation, answer), ...messageRequirements(contract)] };
}

/** The requirements about messages. Every refusal without a misplaced message satisfies them. */
function messageRequirements({ rules }: Contract): string[] {
  return [...new Set(Object.values(rules.messages).map(({ requirement }) => requirement))];
}

/** Judges a 2xx to a request that may succeed: its status, its body and its content type. */
export function judgeSuccess(answered: Answered): Judgement {
  const { operation, expectation, answer } = answered;
  const { documentsBody } = operation;
  const { status, others } = operation.success;
  const isOther = others.includes(answer.status);
  const response = `${operation.id}.response`;
  const shown = expectation.kind === 'accept' ? expectation.suspects.map(({ requirement }) => requirement) : [];
  const blame = (requirement: string, wanted: string, got: string, template = requirement): Miss => {
    const suspect = suspectOf(answered, requirement, template);
    const satisfied = shown.filter((other) => other !== requirement);
    return { kind: 'miss', suspects: [suspect], level: suspect.level, wronglyAccepted: false, satisfied, wanted, got };
  };
  if (answer.status !== status && !isOther) {
    const [wanted, got] = [statusesOf(operation), String(answer.status)];
    return documentsBody
      ? blame(`${operation.id}.success`, wanted, got, '{operation}.success')
      : blame(response, wanted, got);
  }
  const errors = answer.truncated ? [] : (answer.schemaErrors ?? []);
  if (errors.length > 0)
    return blame(
      response,
      `${answer.status} with the documented body`,
      `${answer.status}, but ${errors.slice(0, 3).join('; ')}`,
    );
  const { leftOut = [] } = answer;
  if (leftOut.length > 0) {
    const wanted = `${answer.status} with the documented body, also where a list is empty`;
    return { ...blame(response, wanted, `${answer.status} without ${leftOut.join(', ')}`), level: 'should', leftOut };
  }
  if (documentsBody && !isOther && !/json/i.test(answer.contentType ?? '')) {
    const got = answer.contentType === undefined ? 'no content type' : `content type ${answer.contentType}`;
    return blame('response.content-type', `${answer.status} with a JSON content type`, `${answer.status} with ${got}`);
  }
  if (expectation.kind === 'open') return { kind: 'observed', silent: expectation.silent };
  // A body that was not read to its end decides nothing about the body. The request was accepted nevertheless.
  const unread = documentsBody && !isOther && answer.truncated === true;
  return {
    kind: 'pass',
    satisfied: [
      ...expectation.suspects.map(({ requirement }) => requirement),
      ...(unread ? [] : [response]),
      ...(documentsBody ? ['response.content-type'] : []),
    ],
    ...(unread && { unread: [response] }),
  };
}

/** Equal for answers that count as the same: status, documented messages and schema errors of the body. */
export function answerKey(observation: Observation | undefined): string {
  switch (observation?.kind) {
    case undefined:
      return 'no answer';
    case 'failure':
      return observation.failure;
    case 'answer': {
      const { status, whole, schemaErrors = [] } = observation;
      return [status, ...whole, ...schemaErrors].join(' ');
    }
  }
}

/** What a target does with a request. */
export const OUTCOMES = ['accepted', 'refused', 'no answer'] as const;

export function outcomeOf(observation: Observation | undefined): (typeof OUTCOMES)[number] {
  if (observation?.kind !== 'answer') return 'no answer';
  return isSuccess(observation.status) ? 'accepted' : 'refused';
}

/** The status of an answer, for a reader. */
export function statusOf(observation: Observation | undefined): string {
  return observation?.kind === 'answer' ? String(observation.status) : 'no answer';
}

/** Why the part of a body that would decide is missing. */
export function whyUnread(observation: Observation | undefined): string {
  const coding = observation?.kind === 'answer' ? observation.headers?.['Content-Encoding'] : undefined;
  if (coding === undefined) return 'the body is too long or too slow to be read to its end';
  return `the body, in the Content-Encoding ${coding}, could not be read to its end`;
}
