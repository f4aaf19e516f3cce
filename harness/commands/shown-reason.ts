import type { Redactor } from '../record/redact.ts';

const LONGEST = 200;

/** The reason that a command gave, fit for every output: without secrets, at most 200 characters. */
export function shownReason(redactor: Redactor, reason: string): string {
  // Shortened last: half of an address would not be known as one.
  return redactor.text(reason).slice(0, LONGEST);
}
