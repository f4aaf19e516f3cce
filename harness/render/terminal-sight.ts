import { COUNTED_IN_FRAMES, type ReportedSight, sightInWords, unseenInWords } from '../report/sight.ts';

/** The rows of what a run would catch, in the words of both `plan` and `run`. */
export function sightRows(sight: readonly ReportedSight[], narrowed: string | null): string[][] {
  return [
    ...sightInWords(sight).map((words, index) => [index === 0 ? 'would catch' : '', words]),
    ...(narrowed === null ? [] : [['would miss', unseenInWords(sight)]]),
    ['', COUNTED_IN_FRAMES],
  ];
}
