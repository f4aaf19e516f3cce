import { objectIn } from '../shared/json-object.ts';
import type { Sighting } from '../shared/sightings.ts';

/** The fields of a search whose answer names the page after the first result, if the target has pages. */
export const ONE_RESULT = { pageSize: 1 };

/** Names of what leads to another page. */
export const CURSOR = /cursor|page/i;

/** The texts that an answer names and that may name something in turn, and a cursor by its usual names. */
export function namesIn({ answer }: Pick<Sighting, 'answer'>, which = /./): Readonly<Record<string, string | number>> {
  const body = objectIn(answer.text) ?? {};
  const named = Object.entries(body).flatMap(([name, value]) =>
    which.test(name) && typeof value === 'string' && isName(value) ? [[name, value] as const] : [],
  );
  const cursor = cursorIn(body);
  return { ...(cursor !== undefined && { cursor, pageToken: cursor }), ...Object.fromEntries(named) };
}

const isName = (text: string): boolean => /^\S{1,4096}$/.test(text);

/** Envelopes are not deeper, and a hostile answer may be. */
const DEEPEST = 4;

/** The first text or number that an answer calls a cursor, or a page in words, also in an envelope. What was found has no cursor. */
function cursorIn(body: object, depth = 0): string | number | undefined {
  for (const [name, value] of Object.entries(body)) {
    const isCursor = typeof value === 'number' ? /cursor/i.test(name) : CURSOR.test(name);
    if (isCursor && (typeof value === 'number' || (typeof value === 'string' && isName(value)))) return value;
    const isEnvelope = typeof value === 'object' && value !== null && !Array.isArray(value) && depth < DEEPEST;
    const within = isEnvelope ? cursorIn(value, depth + 1) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
}

/** What else the items of an answer say that show a text, such as the title or the id of a document. */
export function saidBeside({ answer }: Pick<Sighting, 'answer'>, shown: string): readonly string[] {
  const items = itemsIn(objectIn(answer.text) ?? {}).map((item) => textsIn(item));
  const beside = items.filter((texts) => texts.some((text) => text.includes(shown))).flat();
  return [...new Set(beside)].filter((text) => !text.includes(shown) && isTelling(text));
}

/** An id, or a text that is so long that a report can leave it out. A short word finds anything, and would be masked everywhere. */
const isTelling = (text: string) => text.length <= LONGEST && (text.length >= SHORTEST || /\d/.test(text));
const [SHORTEST, LONGEST] = [12, 400];

function itemsIn(value: unknown, depth = 0): readonly unknown[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Array.isArray(value) ? value : Object.values(value).flatMap((one) => itemsIn(one, depth + 1));
}

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
