import type { Report, ReportedRequirement } from '../report/report.ts';
import { amount } from './amounts.ts';

const MOST_NAMED = 12;

/** How many claimed requirements are decided everywhere, and which ones only in some operations and kinds. */
export function requirementRows(report: Pick<Report, 'requirements'>): readonly string[] {
  const claimed = claimedIn(report);
  const decided = claimed.filter(({ undecided }) => undecided.length === 0);
  const partly = decided.filter(isPartly);
  const named = partly.slice(0, MOST_NAMED).map((one) => `${one.id} (${placesInWords(one)})`);
  const more = partly.length - named.length;
  return [
    `${amount(decided.length)} of ${amount(claimed.length)} claimed are decided${partly.length === 0 ? ' everywhere' : ''}`,
    ...(partly.length === 0
      ? []
      : [
          `${amount(partly.length)} of them for some operations and kinds only: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]),
  ];
}

/** The requirements that the target claims, and that the run was to decide. Every output counts these. */
export function claimedIn({ requirements }: Pick<Report, 'requirements'>): readonly ReportedRequirement[] {
  return requirements.filter(({ verdict }) => verdict !== 'not-applicable');
}

/** Whether a requirement was decided only for some of the operations and kinds that it concerns. */
export function isPartly({ verdict, places }: ReportedRequirement): boolean {
  return verdict !== 'observed' && verdict !== 'not-applicable' && places.decided < places.of;
}

/** `1 of 14`. */
export function placesInWords({ places }: ReportedRequirement): string {
  return `${places.decided} of ${places.of}`;
}
