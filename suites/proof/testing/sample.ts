import type { Deviant, Variant } from '../../../fixtures/deviants/deviant.ts';
import { deviants } from '../../../fixtures/deviants/index.ts';
import { variants } from '../../../fixtures/variants/index.ts';
import { type Contract, requirementFor } from '../../../harness/contract/contract.ts';

// `npm run prove` tries all deviants and variants, with more checks. Tests try a sample.

/** One deviant for each requirement of level must. */
export function sampleOfDeviants({ requirements, operations }: Contract): readonly Deviant[] {
  const breaking = (requirement: string): Deviant | undefined => {
    const known = deviants.filter(({ breaks }) =>
      operations.some(({ id }) => requirementFor(breaks, id) === requirement),
    );
    // Deviants of the plain target take a third of the time. Those that get an answer need no pauses between retries.
    const answered = known.filter(({ id }) => !/\b(50[234]|reset)\b/.test(id));
    return answered.find(({ base }) => base === 'plain') ?? answered[0] ?? known[0];
  };
  return [...new Set(requirements.flatMap(({ id, level }) => (level === 'must' ? (breaking(id) ?? []) : [])))];
}

export const isPlain = ({ base }: Pick<Deviant, 'base'>): boolean => base === 'plain';

const VARIANTS = 6;
export const sampleOfVariants: readonly Variant[] = variants.filter(
  (_, index) => index % Math.ceil(variants.length / VARIANTS) === 0,
);
