import type { Variation } from '../../variations/variation.ts';
import type { Person } from './private-documents.ts';
import { brokenBy, look, shows, type Viewer, type Way } from './sightings.ts';

/**
 * Whether variations have the email of a person in them, but for texts to search for, which name nobody to act as. Not every
 * value can be decoded: some have a percent sign alone.
 */
export function isNamedIn(variations: readonly Variation[], { email }: Person): boolean {
  const values = JSON.stringify(variations.flatMap(({ kind, value }) => (kind === 'query' ? [] : [value])));
  return [email, encodeURIComponent(email)].some((text) => values.includes(text));
}

const TIMES = 3;

/**
 * The requirement that a leak breaks whose request names the person of the document. The name is the cause if the document comes
 * with it each time, and never without it. Otherwise it came from somebody else's request, as from a cache or a shared stream.
 */
export async function brokenByNaming(
  viewer: Pick<Viewer, 'isActing'>,
  showsNamed: () => Promise<boolean>,
  showsPlain: () => Promise<boolean>,
): Promise<string> {
  if (viewer.isActing) return brokenBy(viewer);
  for (let time = 0; time < TIMES; time += 1)
    if ((await showsPlain()) || !(await showsNamed())) return brokenBy(viewer);
  return brokenBy(viewer, true);
}

/** The same of a look in one way, and of that without the name. */
export function brokenByNamingIn(viewer: Viewer, named: Way, plain: Way = {}): Promise<string> {
  const { other } = viewer;
  const again = (way: Way) => async () => shows(await look(viewer, other, { ...way, isAnew: true }), other);
  return brokenByNaming(viewer, again(named), again(plain));
}
