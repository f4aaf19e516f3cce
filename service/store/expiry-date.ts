const dayLength = 24 * 60 * 60 * 1000;

/**
 * The end of a token whose `Expires` is this date (spec 2.1), in epoch milliseconds: the midnight that ends the day, UTC.
 * So the date is the last day on which the token works, whole, and the same for everybody; the specification leaves both
 * open. NaN for what is no date.
 */
export function endOfDay(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `2030-02-30` would be taken for the second of March.
  return dateOf(midnight) === date ? midnight + dayLength : Number.NaN;
}

/** The last day of a token that ends at this moment, as YYYY-MM-DD; a token may also end within a day. */
export function lastDay(expiresAt: number): string {
  return dateOf(expiresAt - 1) ?? '';
}

function dateOf(moment: number): string | undefined {
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 10);
}
