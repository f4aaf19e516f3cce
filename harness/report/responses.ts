import type { Observation } from '../record/observation.ts';
import { type ReportedResponse, reportResponse } from './response.ts';

/** In characters. A target can put another text into each of twenty thousand answers. */
const MOST_TEXT = 1_000_000;

/** Collects the distinct responses, which cases share. Beyond a limit, further ones are only in the journal. */
export function responseTable(mostText = MOST_TEXT) {
  const rows: ReportedResponse[] = [];
  const indexByText = new Map<string, number>();
  let length = 0;
  return {
    rows,
    /** The index of a response; undefined if the table is full. */
    indexOf(observation: Observation): number | undefined {
      const response = reportResponse(observation, undefined);
      const text = JSON.stringify(response);
      const known = indexByText.get(text);
      if (known !== undefined) return known;
      if (length + text.length > mostText) return undefined;
      length += text.length;
      const index = rows.push(response) - 1;
      indexByText.set(text, index);
      return index;
    },
  };
}
