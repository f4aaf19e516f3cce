import { type Contract, messageText, type Outcome } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Expectation } from '../plan/expectation.ts';
import { sentenceOf } from '../record/body-sentence.ts';
import { nearMiss } from '../record/documented-messages.ts';
import type { Answer } from '../record/observation.ts';

/** What a case admits, in words: `401; or 400 with the message "Required header missing: X-Service-ActAs"`. */
export function describeWanted(contract: Contract, expectation: Expectation, operation: Operation): string {
  const texts = expectation.admissible.map(({ outcome }) => describeOutcome(contract, outcome));
  if (expectation.kind === 'accept') return `${operation.success.status}`;
  if (expectation.kind === 'open') return `${operation.success.status}, or any other answer except a server error`;
  return [...new Set(texts)].join('; or ');
}

export function describeOutcome(contract: Contract, { status, message, verdict }: Outcome): string {
  const statuses = `${[status].flat().join(' or ')}${verdict === 'warn' ? ' (with a warning)' : ''}`;
  if (message === undefined) return statuses;
  if (message === 'none') return `${statuses} without a documented message`;
  return `${statuses} with the message ${message.map((id) => `"${messageText(contract, id)}"`).join(' or ')}`;
}

/** An answer in words. For a message that is nearly right, how it differs (outcomes 1). */
export function describeAnswer(contract: Contract, expectation: Expectation, answer: Answer): string {
  const text = (id: string) => messageText(contract, id);
  const status = String(answer.status);
  if (answer.whole.length > 0) return `${status} "${answer.whole.map(text).join('" and "')}"`;
  const wanted = expectation.admissible.flatMap(({ outcome }) =>
    Array.isArray(outcome.message) ? outcome.message : [],
  );
  const lines = (answer.excerpt || answer.challenge || '').split(/[\r\n"<>]+/).map((line) => line.trim());
  for (const id of wanted) {
    const near = nearMiss(lines, text(id));
    // The exact text in a place where no message is read, such as a comment of markup, is embedded as well.
    if (answer.embedded.includes(id) || near === text(id)) return `${status} "${text(id)}" inside a longer text`;
    if (near !== undefined) return `${status} ${quoted(near)} instead of ${quoted(text(id))}`;
  }
  const sentence = sentenceOf(answer);
  return sentence === undefined ? status : `${status} "${shortened(sentence)}"`;
}

function shortened(sentence: string): string {
  return sentence.length <= MOST_CHARACTERS ? sentence : `${sentence.slice(0, MOST_CHARACTERS)}…`;
}
const MOST_CHARACTERS = 80;

/** A quoted text in which characters that look like others, or like nothing, are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
