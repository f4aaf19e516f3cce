import leven from 'leven';
import { didYouMean, likely } from '../contract/did-you-mean.ts';
import type { Sources } from './settings.ts';

/**
 * Names that are set and that nothing reads, one line each. In `.env` that is every unknown name; the environment belongs
 * to others too, so there only a near miss of one of ours is taken for a slip.
 */
export function unknownNames(
  known: readonly string[],
  { environment, dotenv }: Pick<Sources, 'environment' | 'dotenv'>,
) {
  const inFile = Object.keys(dotenv).flatMap((name, index) => (known.includes(name) ? [] : [{ name, at: index + 1 }]));
  const inEnvironment = Object.keys(environment).flatMap((name) => {
    const meant = known.includes(name) ? undefined : meantBy(name, known);
    return meant === undefined ? [] : [`the environment sets ${name}; did you mean ${meant}?`];
  });
  return [
    // The end of a value that was wrapped over two lines looks like a name as well, and must not be shown.
    ...inFile.map(({ name, at }) =>
      looksLikeOurs(name, known)
        ? `.env sets ${name}, which the suite does not know${didYouMean(name, known)}`
        : `.env sets a name that the suite does not know and that is not shown here, number ${at} of those that it sets`,
    ),
    ...inEnvironment,
  ];
}

/** The name of ours that another one is a slip of. `<WORD>_TOKEN` and `<WORD>_EMAIL` are too common to be taken for one. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  if (name.startsWith('CONFORMANCE_')) return likely(name, known);
  const words = name.split('_');
  return known.find((candidate) => {
    const others = candidate.split('_');
    if (words.length !== others.length) return false;
    const wrong = words.flatMap((word, index) => (word === others[index] ? [] : [index]));
    const [at, ...more] = wrong;
    if (at === undefined || more.length > 0 || (at === 0 && words.length < 3)) return false;
    return isSlip(words[at] ?? '', others[at] ?? '');
  });
}

/** One letter too many, too few or another one, or two next to each other swapped. */
function isSlip(word: string, meant: string): boolean {
  if (leven(word, meant) <= 1) return word.length > 2;
  return [...word].some((_, at) => word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2) === meant);
}

function looksLikeOurs(name: string, known: readonly string[]): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return false;
  const ours = new Set(known.flatMap((candidate) => candidate.split('_')).filter((word) => word.length >= 4));
  return name.split('_').some((word) => word.length >= 4 && [...ours].some((own) => own === word || isSlip(word, own)));
}
