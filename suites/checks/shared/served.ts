import { type Answered, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import { isAnswer, isServerError, isSuccess, transportReason } from '../../../harness/record/observation.ts';

/**
 * Whether an answer serves the operation, as one that is known to do so: a 2xx of the same form with the documented
 * body, or with the same skeleton if the body is free, or wrong in both. A page or a health check shows no data.
 */
export function isServed({ accepted, observation }: Answered, { observation: like }: Answered): boolean {
  if (!accepted || !isAnswer(observation) || !isAnswer(like)) return false;
  const { schemaErrors, form } = observation;
  if (schemaErrors && (schemaErrors.length === 0 || form !== 'json')) return schemaErrors.length === 0;
  return outlineOf(observation.skeleton) === outlineOf(like.skeleton);
}

/** Whether an answer that does not serve the operation is a success with a body, in which the operation may have run. */
export const isOtherForm = ({ observation }: Answered): boolean =>
  isAnswer(observation) && isSuccess(observation.status) && observation.form !== 'empty';
export const isPage = ({ observation }: Answered): boolean =>
  isAnswer(observation) && /html/i.test(observation.contentType ?? '');
/** Whether the application answers with a server error. */
export const isFailure = ({ observation }: Answered): boolean =>
  isAnswer(observation) && transportReason(observation) === undefined && isServerError(observation.status);

/** Whether an answer to HEAD says that GET is served: it gets what GET gets, without the body, and may leave out more (RFC 9110 9.3.2). */
export function isHeadServed({ observation }: Answered, { observation: like }: Answered): boolean {
  if (!isAnswer(observation) || !isAnswer(like)) return false;
  return observation.status === like.status && [like.contentType, undefined].includes(observation.contentType);
}

/** A skeleton without lengths. */
const outlineOf = (skeleton = '') => skeleton.replace(/\d/g, '');

/** Answers to a request, then to one without the query that the operation needs, and then to the first one again. */
export interface Asked {
  readonly first: CheckAnswer;
  readonly withoutQuery: CheckAnswer;
  readonly again: CheckAnswer;
}

/**
 * Whether answers that look served show that the operation ran. Where its body is free, a target may have the same short text
 * for requests that do nothing, such as OPTIONS (RFC 9110 9.3.7). An operation that runs shows a private document, begins
 * another conversation each time, needs a query, or answers the one that it got.
 * @param request what was sent: an answer that repeats it shows nothing.
 */
export function showsRun({ first, withoutQuery, again }: Asked, like: Answered, request: string): boolean {
  if (isAnswer(first.observation) && first.observation.markers) return true;
  const begun = conversationOf(first);
  if (begun !== undefined && ![again, like].some((other) => conversationOf(other) === begun)) return true;
  // What comes once and not again may hang on anything.
  if (!isServed(again, like)) return false;
  if (outcomeOf(withoutQuery).kind === 'refused') return true;
  const [repeated, other] = [wordsOf(again.text), wordsOf(`${withoutQuery.text} ${request}`)];
  return (
    isServed(withoutQuery, like) && [...wordsOf(first.text)].some((word) => repeated.has(word) && !other.has(word))
  );
}

/** Whether an answer says what another one does, but for numbers. What has no words says nothing. */
export function repeats({ text }: CheckAnswer, other: CheckAnswer): boolean {
  return wordsOf(text).size > 0 && text.replace(/\d/g, '') === other.text.replace(/\d/g, '');
}

const conversationOf = ({ observation }: Answered) => (isAnswer(observation) ? observation.conversation : undefined);

/** The words of a text. What has digits in it may be an id or a time, and so may a few letters. A blank in a URL is `%20`. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll('%20', ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u);
  return new Set(words.filter((word) => /^\p{L}{3,}$/u.test(word)));
}
