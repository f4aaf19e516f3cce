/** Where two values differ, as a JSON pointer (RFC 6901), and what is there. */
export interface Difference {
  readonly at: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

/** The first place in which a value is not what is wanted. Undefined if they are the same. */
export function firstDifference(found: unknown, wanted: unknown, at = ''): Difference | undefined {
  if (Object.is(found, wanted)) return undefined;
  if (!isNested(found) || !isNested(wanted) || Array.isArray(found) !== Array.isArray(wanted))
    return { at, found, wanted };
  const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  for (const key of keys) {
    const step = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const difference = firstDifference(valueAt(found, key), valueAt(wanted, key), step);
    if (difference) return difference;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function valueAt(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Object(value)[key] : undefined;
}

/** A difference in one line: `/ending is "conforms" and must be "deviates"`. */
export function differenceInWords({ at, found, wanted }: Difference): string {
  const place = at || '/';
  if (wanted === undefined) return `${place} is ${shown(found)} and must not be there`;
  return `${place} is ${found === undefined ? 'missing' : shown(found)} and must be ${shown(wanted)}`;
}

const MOST_CHARACTERS = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** The number of the first line in which two texts differ. */
export function lineOfDifference(found: string, wanted: string): number {
  const lines = wanted.split('\n');
  const index = found.split('\n').findIndex((line, at) => line !== lines[at]);
  return (index === -1 ? found.split('\n').length : index) + 1;
}
