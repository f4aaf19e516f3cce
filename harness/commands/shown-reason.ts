import type { Redactor } from '../record/redact.ts';

/** Characters of a reason to show. */
const MAX_LENGTH = 200;

/** A reason that a command gave, safe to show: without secrets, and at most 200 characters. */
export function shownReason(redactor: Redactor, reason: string): string {
  // Cut after redacting: the redactor would not recognize an address that is cut in half.
  return redactor.text(reason).slice(0, MAX_LENGTH);
}
