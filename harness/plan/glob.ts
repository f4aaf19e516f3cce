import picomatch from 'picomatch';
import { didYouMean } from '../contract/did-you-mean.ts';

/** A glob over ids, in which `*` stays within one part and `**` does not. */
export function globOf(glob: string): (id: string) => boolean {
  const matches = picomatch(glob, { dot: true });
  // It takes a second argument, which `some` and `find` would give it.
  return (id) => matches(id);
}

/** The part of a glob that no id has, with the one that it most likely means. */
export function hint(glob: string, ids: readonly string[]): string {
  const parts = new Set(ids.flatMap((id) => id.split('/')));
  const strange = glob.split('/').find((part) => !/[*?[\]{}()!+@]/.test(part) && !parts.has(part));
  if (strange !== undefined) return didYouMean(strange, [...parts]) || `: no id has a part ${strange}`;
  return ': `*` stands for one part of an id, `**` for any number of them';
}
