import { configurationError, didYouMean } from '../contract/configuration-error.ts';

/** A pattern or a text, as parts of an id or as the characters of a part. */
type Sequence = readonly string[];

/** A person writes a few alternatives. Each `{a,b}` multiplies their number. */
const MOST_ALTERNATIVES = 100;

/**
 * A glob over ids: `*` matches one part of an id or a piece of it, `?` a character, `**` any number of parts, `{a,b}` any
 * of its alternatives. It is matched in linear time, because a journal or baseline of somebody else may contain it: a
 * regular expression takes years for some globs.
 * @throws a configuration error for a glob with too many alternatives.
 */
export function globOf(glob: string): (id: string) => boolean {
  const alternatives = alternativesOf(glob).map((alternative) =>
    alternative.split('/').map((part) => ({ part, characters: [...part] })),
  );
  const partMatches = (pattern: { part: string; characters: Sequence }, part: string) =>
    !pattern.part.includes('*') && !pattern.part.includes('?')
      ? pattern.part === part
      : matches(pattern.characters, [...part], isStar, (wanted, character) => wanted === '?' || wanted === character);
  return (id) => {
    const parts = id.split('/');
    return alternatives.some((pattern) => matches(pattern, parts, ({ part }) => part === '**', partMatches));
  };
}

const isStar = (character: string) => character === '*';

/** Where it fails, only the last star takes one more, so the time grows with the product of both lengths at most. */
function matches<P>(
  pattern: readonly P[],
  text: Sequence,
  isAny: (one: P) => boolean,
  isOne: (one: P, wanted: string) => boolean,
): boolean {
  let [at, position] = [0, 0];
  let star: { readonly at: number; taken: number } | undefined;
  while (position < text.length) {
    const one = pattern[at];
    const wanted = text[position];
    if (one !== undefined && isAny(one)) {
      star = { at, taken: position };
      at += 1;
    } else if (one !== undefined && wanted !== undefined && isOne(one, wanted)) {
      at += 1;
      position += 1;
    } else if (star) {
      star.taken += 1;
      at = star.at + 1;
      position = star.taken;
    } else return false;
  }
  return pattern.slice(at).every(isAny);
}

/** The globs without braces that a glob with braces stands for. */
export function alternativesOf(glob: string): readonly string[] {
  let globs = [glob];
  for (;;) {
    // Each of the globs has the same braces left.
    const [found, inside = ''] = INNERMOST.exec(globs[0] ?? '') ?? [];
    if (found === undefined) return globs;
    if (globs.length * inside.split(',').length > MOST_ALTERNATIVES)
      throw configurationError(
        `${glob.slice(0, 80)} has more than ${MOST_ALTERNATIVES} alternatives in braces; write several globs`,
      );
    globs = globs.flatMap((one) => {
      const [braces = '', choices = ''] = INNERMOST.exec(one) ?? [];
      return choices.split(',').map((choice) => one.replace(braces, () => choice));
    });
  }
}
/** Braces that contain no other ones. */
const INNERMOST = /\{([^{}]*)\}/;

/** Why a glob matches nothing, for the end of an error message: the part that no id has and the closest known part. */
export function hint(glob: string, ids: readonly string[]): string {
  const parts = new Set(ids.flatMap((id) => id.split('/')));
  const unknown = glob.split('/').find((part) => !/[*?[\]{}()!+@]/.test(part) && !parts.has(part));
  if (unknown !== undefined) return `: no id has the part ${unknown}${didYouMean(unknown, [...parts])}`;
  return ': `*` matches one part of an id, `**` any number of parts';
}
