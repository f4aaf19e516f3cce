import { deviants } from '../../fixtures/deviants/index.ts';

/** The deviants of the plain target with such ids. A pattern that finds none is an error: it would test nothing. */
export function plainDeviants(ids: RegExp) {
  const found = deviants.flatMap((deviant) => (deviant.base === 'plain' && ids.test(deviant.id) ? [deviant] : []));
  if (found.length === 0) throw new Error(`no deviant of the plain target has an id like ${ids}`);
  return found;
}
