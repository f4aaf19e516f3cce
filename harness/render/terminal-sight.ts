import { type ReportedSight, sightInWords, unseenInWords } from '../report/sight.ts';

/** The rows of what a run sees, in the words of both `plan` and `run`. */
export function sightRows(sight: readonly ReportedSight[], narrowed: string | null): string[][] {
  return [
    ...sightInWords(sight).map((words, index) => [index === 0 ? 'sees' : '', words]),
    ...(narrowed === null ? [] : [['does not see', unseenInWords(sight)]]),
  ];
}
