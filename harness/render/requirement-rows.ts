import type { Report, ReportedRequirement } from '../report/report.ts';
import { amount } from './amounts.ts';

const MOST_NAMED = 12;

/** How many claimed requirements are decided everywhere, and which ones only in some operations and kinds. */
export function requirementRows({ requirements }: Pick<Report, 'requirements'>): readonly string[] {
  const claimed = requirements.filter(({ verdict }) => verdict !== 'not-applicable');
  const undecided = claimed.filter((one) => one.undecided.length > 0);
  const partly = claimed.filter((one) => one.undecided.length === 0 && isPartly(one));
  const decided = claimed.length - undecided.length - partly.length;
  const more = partly.length - MOST_NAMED;
  const named = partly.slice(0, MOST_NAMED).map((one) => `${one.id} (${placesInWords(one)})`);
  return [
    `${amount(decided)} of ${amount(claimed.length)} claimed are decided everywhere`,
    ...(partly.length === 0
      ? []
      : [
          `${amount(partly.length)} for some operations and kinds: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        ]),
  ];
}

/** Whether a requirement was decided only for some of the operations and kinds that it concerns. */
export function isPartly({ verdict, places }: ReportedRequirement): boolean {
  return verdict !== 'observed' && verdict !== 'not-applicable' && places.decided < places.of;
}

/** `1 of 14`. */
export function placesInWords({ places }: ReportedRequirement): string {
  return `${places.decided} of ${places.of}`;
}
