import picomatch from 'picomatch';
import { didYouMean } from '../contract/did-you-mean.ts';

/** A glob over ids: `*` matches one part of an id, `**` any number of parts. */
export function globOf(glob: string): (id: string) => boolean {
  const matches = picomatch(glob, { dot: true });
  // `matches` has a second parameter. `some` and `find` would pass the index as its value.
  return (id) => matches(id);
}

/** Why a glob matches nothing, for the end of an error message: the part that no id has and the closest known part. */
export function hint(glob: string, ids: readonly string[]): string {
  const parts = new Set(ids.flatMap((id) => id.split('/')));
  const unknown = glob.split('/').find((part) => !/[*?[\]{}()!+@]/.test(part) && !parts.has(part));
  if (unknown !== undefined) return didYouMean(unknown, [...parts]) || `: no id has the part ${unknown}`;
  return ': `*` matches one part of an id, `**` any number of parts';
}
