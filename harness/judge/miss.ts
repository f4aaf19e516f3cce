import { attributionOf } from '../contract/attribution.ts';
import { type Contract, type Level, messageText, type Outcome } from '../contract/contract.ts';
import { type Operation, statusesOf } from '../contract/openapi.ts';
import { inAscii } from '../contract/visible-text.ts';
import { type Expectation, levelOf, type Suspect } from '../plan/expectation.ts';
import { sentenceOf } from '../record/body-sentence.ts';
import { nearMiss } from '../record/documented-messages.ts';
import { type Answer, isSuccess } from '../record/observation.ts';

export interface Answered {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly expectation: Expectation;
  readonly answer: Answer;
}
/** An answer that the case does not admit. */
export interface Miss {
  readonly kind: 'miss';
  /** At least one of these is broken. findings.ts decides which. */
  readonly suspects: readonly Suspect[];
  /** The highest level among the suspects. A miss of `should` or `advisory` is a warning. */
  readonly level: Level;
  /** The answer is a 2xx to a request that must be refused. Once is enough for a failure (outcomes 3). */
  readonly wronglyAccepted: boolean;
  /** The refusal is only wrong because of a documented message that does not belong there. */
  readonly strayMessage?: true;
  /** What an acceptance still satisfies although its status, body or content type is wrong. */
  readonly satisfied?: readonly string[];
  /** The lists that an acceptance leaves out, as serializers do with empty ones. */
  readonly leftOut?: readonly string[];
  readonly wanted: string;
  readonly got: string;
}

export function missOf({ contract, operation, expectation, answer }: Answered, suspects: readonly Suspect[]): Miss {
  return {
    kind: 'miss',
    suspects,
    level: highestLevel(suspects),
    wronglyAccepted: isSuccess(answer.status),
    wanted: describeWanted(contract, expectation, operation),
    got: describeAnswer(contract, expectation, answer),
  };
}

/** The miss of a refusal whose documented message no rule of the case allows. */
export function strayMessageOf(answered: Answered): Miss | undefined {
  const { contract, expectation, answer } = answered;
  const [message] = answer.whole
    .filter((id) => !expectation.messages.includes(id))
    .map((id) => contract.rules.messages[id]);
  if (!message) return undefined;
  return {
    ...missOf(answered, [suspectOf(answered, message.requirement)]),
    strayMessage: true,
    wanted: `a refusal without the message "${message.text}"`,
  };
}

/** A suspect that does not come from a rule of the case: a requirement on a message or on the form of a success. */
export function suspectOf({ contract, operation }: Answered, requirement: string, template = requirement): Suspect {
  const attribution = attributionOf(contract, requirement, { operation: operation.id });
  return { rule: requirement, template, requirement, level: levelOf(contract, requirement), attribution };
}

export function highestLevel(suspects: readonly Suspect[]): Level {
  if (suspects.some(({ level }) => level === 'must')) return 'must';
  return suspects.some(({ level }) => level === 'should') ? 'should' : 'advisory';
}

/** What one answer shows about one case. */
export type Judgement =
  | {
      readonly kind: 'pass';
      /** Requirements that the answer satisfies. */
      readonly satisfied: readonly string[];
      /** Requirements on a body that was not read to its end: neither satisfied nor broken. */
      readonly unread?: readonly string[];
    }
  | { readonly kind: 'observed'; readonly silent: readonly Suspect[] }
  /** The part of the body that would decide was not read. */
  | { readonly kind: 'undecided' }
  | Miss;

/** What a case admits, in words: `401; or 400 with the message "Required header missing: X-Service-ActAs"`. */
export function describeWanted(contract: Contract, expectation: Expectation, operation: Operation): string {
  const texts = expectation.admissible.map(({ outcome }) => describeOutcome(contract, outcome));
  const success = statusesOf(operation);
  if (expectation.kind === 'accept') return success;
  if (expectation.kind === 'open') return `${success}, or any other answer except a server error`;
  return [...new Set(texts)].join('; or ');
}

export function describeOutcome(contract: Contract, { status, message, verdict }: Outcome): string {
  const statuses = `${[status].flat().join(' or ')}${verdict === 'warn' ? ' (with a warning)' : ''}`;
  if (message === undefined) return statuses;
  if (message === 'none') return `${statuses} without a documented message`;
  return `${statuses} with the message ${message.map((id) => `"${messageText(contract, id)}"`).join(' or ')}`;
}

/** The status and the documented messages: `401 "Invalid identity"`. */
export function statusAndMessages(contract: Contract, { status, whole }: Answer): string {
  const messages = whole.map((id) => `"${messageText(contract, id)}"`);
  return messages.length === 0 ? String(status) : `${status} ${messages.join(' and ')}`;
}

/** An answer in words. For a message that is nearly right, how it differs (outcomes 1). */
export function describeAnswer(contract: Contract, expectation: Expectation, answer: Answer): string {
  const text = (id: string) => messageText(contract, id);
  const { status } = answer;
  if (answer.whole.length > 0) return statusAndMessages(contract, answer);
  const wanted = expectation.admissible.flatMap(({ outcome }) =>
    Array.isArray(outcome.message) ? outcome.message : [],
  );
  const lines = (answer.excerpt || answer.challenge || '').split(/[\r\n"<>]+/).map((line) => line.trim());
  for (const id of wanted) {
    const near = nearMiss(lines, text(id));
    // The exact text in a place where no message is read, such as a comment of markup, is embedded as well.
    if (answer.embedded.includes(id) || near === text(id)) return `${status} "${text(id)}" inside a longer text`;
    if (near !== undefined)
      return `${status} ${inAscii(JSON.stringify(near))} instead of ${inAscii(JSON.stringify(text(id)))}`;
  }
  const sentence = sentenceOf(answer);
  return sentence === undefined ? String(status) : `${status} "${shortened(sentence)}"`;
}

function shortened(sentence: string): string {
  return sentence.length <= MOST_CHARACTERS ? sentence : `${sentence.slice(0, MOST_CHARACTERS)}…`;
}
const MOST_CHARACTERS = 80;
