import type { Redactor } from '../record/redact.ts';

/** Characters of a reason to show. */
const MAX_LENGTH = 200;

/** What nobody says to a person: a token that the suite does not know, or a part of one. A path or a name has no digits. */
const TOKEN = /(?=[\w.~+/=-]*\d)(?=[\w.~+/=-]*[A-Za-z])[\w.~+/=-]{16,}/g;

/** A reason that a command gave, safe to show: without secrets and what may be one, and at most 200 characters. */
export function shownReason(redactor: Redactor, reason: string): string {
  // Cut after redacting: the redactor would not recognize an address that is cut in half.
  return redactor.text(reason).replace(TOKEN, '<may be a token>').slice(0, MAX_LENGTH);
}
