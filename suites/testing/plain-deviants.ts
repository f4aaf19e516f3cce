import { passing } from '../../fixtures/deviants/build.ts';
import type { Deviant, Variant } from '../../fixtures/deviants/deviant.ts';
import type { Effects } from '../../fixtures/deviants/effect.ts';
import { deviants } from '../../fixtures/deviants/index.ts';
import { onPlainTarget } from '../../fixtures/deviants/on-plain.ts';
import { tokens } from './one-check.ts';

/** The plain target whose checks let the requests pass that `where` selects. */
export const lifting = (...[ids, where]: Parameters<typeof passing>) => passing(ids, where)(() => {});

/** What a row of a deviant makes of the plain target. */
export const optionsOfRow = (row: Effects) => onPlainTarget(row, () => {}, tokens.env);

/** Those of the plain target with such ids, and what it has of each. A pattern that finds none is an error: it would test nothing. */
export function ofPlain<D extends Deviant | Variant>(all: readonly D[], ids = /./) {
  const [first, ...others] = all.flatMap((one) => {
    const { base, replace, id } = one;
    return base === 'plain' && ids.test(id) ? [{ ...one, options: () => replace(() => {}, tokens.env) }] : [];
  });
  if (!first) throw new Error(`nothing of the plain target has an id like ${ids}`);
  return [first, ...others] as const;
}

export const plainDeviants = (ids: RegExp) => ofPlain(deviants, ids);
