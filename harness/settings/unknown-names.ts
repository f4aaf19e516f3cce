import leven from 'leven';
import { closestName, didYouMean } from '../contract/did-you-mean.ts';
import type { Sources } from './settings.ts';

/**
 * Finds names that are set and that the suite does not know, one line each. In `.env` every unknown name is an error.
 * The environment also holds variables of other programs, so there only a likely typo of a known name is an error.
 */
export function unknownNames(
  known: readonly string[],
  { environment, dotenv }: Pick<Sources, 'environment' | 'dotenv'>,
) {
  const inFile = Object.keys(dotenv).flatMap((name, index) => (known.includes(name) ? [] : [{ name, at: index + 1 }]));
  const inEnvironment = Object.keys(environment).flatMap((name) => {
    const meant = known.includes(name) ? undefined : typoOf(name, known);
    return meant === undefined ? [] : [`the environment sets ${name}; did you mean ${meant}?`];
  });
  return [
    // The second line of a wrapped token can look like a name, so only a name that looks like a variable is shown.
    ...inFile.map(({ name, at }) =>
      looksLikeOurs(name, known)
        ? `.env sets ${name}, which is not a variable of the suite${didYouMean(name, known)}`
        : `.env sets an unknown name (number ${at} in the file); it is not shown, because it may be part of a secret`,
    ),
    ...inEnvironment,
  ];
}

/** The known name that a name is a typo of. `<WORD>_TOKEN` and `<WORD>_EMAIL` are too common to count as one. */
function typoOf(name: string, known: readonly string[]): string | undefined {
  if (name.startsWith('CONFORMANCE_')) return closestName(name, known);
  const words = name.split('_');
  return known.find((candidate) => {
    const others = candidate.split('_');
    if (words.length !== others.length) return false;
    const [at, ...more] = words.flatMap((word, index) => (word === others[index] ? [] : [index]));
    if (at === undefined || more.length > 0 || (at === 0 && words.length < 3)) return false;
    return isTypo(words[at] ?? '', others[at] ?? '');
  });
}

/** Whether a word differs by one letter (added, missing or replaced) or by two neighbouring letters swapped. */
function isTypo(word: string, meant: string): boolean {
  if (leven(word, meant) <= 1) return word.length > 2;
  return [...word].some((_, at) => word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2) === meant);
}

/** Whether a name is in upper case and contains a word of a known name, or a typo of one. */
function looksLikeOurs(name: string, known: readonly string[]): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return false;
  const ours = new Set(known.flatMap((candidate) => candidate.split('_')).filter((word) => word.length >= 4));
  return name.split('_').some((word) => word.length >= 4 && [...ours].some((own) => own === word || isTypo(word, own)));
}
