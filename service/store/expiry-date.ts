const dayLength = 24 * 60 * 60 * 1000;

/**
 * Returns when a token with this `Expires` date expires (spec 2.1). The specification does not say whether the token works on
 * that day, or which time zone counts. Here it works until the end of that day in UTC.
 *
 * @param date YYYY-MM-DD
 * @returns epoch milliseconds; NaN if the text is not a date
 */
export function endOfDay(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `Date.parse` accepts 2030-02-30 as the second of March.
  return dateOf(midnight) === date ? midnight + dayLength : Number.NaN;
}

/** Returns the last day on which a token works, as YYYY-MM-DD. `expiresAt` can be any moment of that day. */
export function lastDay(expiresAt: number): string {
  return dateOf(expiresAt - 1) ?? '';
}

function dateOf(moment: number): string | undefined {
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 10);
}
