import { visibleIn } from '../harness/contract/visible-text.ts';

/** What `--json` prints. A target or a file may have chosen its texts. */
export function asJson(value: object): string {
  return JSON.stringify(visibleIn(value), null, 1);
}
