import { isSameToken, tamperAt } from '../../../harness/plan/token-bytes.ts';
import type { Made } from './token-recipes.ts';

/** What is made of the character at a place. */
const ALTERATIONS = {
  changed: tamperAt,
  dropped: (token: string, at: number) => ({
    token: token.slice(0, at) + token.slice(at + 1),
    shell: (name: string) => `\${${name}:0:${at}}\${${name}:${at + 1}}`,
  }),
  'swapped with the next': (token: string, at: number) => ({
    token: token.slice(0, at) + (token[at + 1] ?? '') + token[at] + token.slice(at + 2),
    shell: (name: string) => `\${${name}:0:${at}}\${${name}:${at + 1}:1}\${${name}:${at}:1}\${${name}:${at + 2}}`,
  }),
};
const DRAWN = ['changed', 'dropped', 'swapped with the next'] as const;

/**
 * The token with one character altered: at both ends, in between, and where the seed says. Where that makes no new token, the
 * next place is taken, so that any two runs send as many.
 */
export function alteredFrom(token: string, seed: number): readonly Made[] {
  const drawn = [seed >>> 0, seed >>> 8].map((draw) => [DRAWN[draw % 3] ?? 'dropped', (draw % 1000) / 1000] as const);
  const alterations = [
    ...[0, 1 / 2, 999 / 1000].map((place) => ['changed', place] as const),
    ...[1 / 4, 3 / 4].map((place) => ['swapped with the next', place] as const),
    ...drawn,
  ];
  const altered: Made[] = [];
  for (const [how, place] of alterations) {
    const begin = Math.floor(place * token.length);
    for (let step = 0; step < token.length; step += 1) {
      const at = (begin + step) % token.length;
      const made = ALTERATIONS[how](token, at);
      // The dots of a JWT separate its parts and are not altered.
      const isSeparator = token[at] === '.' || (how !== 'changed' && token[at + 1] === '.');
      if (isSeparator || isSameToken(token, made.token) || altered.some((one) => one.token === made.token)) continue;
      altered.push({ ...made, how: `character ${at + 1} of ${token.length} ${how}`, isFree: false });
      break;
    }
  }
  return altered;
}
