const century = 100 * 365.25 * 24 * 60 * 60;

/**
 * Converts a NumericDate (RFC 7519 2), also one in decimal digits, as tokeninfo endpoints send it. A date after more than a
 * century is a mistake of the issuer or an attempt to get a token that never expires.
 *
 * @param now epoch milliseconds
 * @returns epoch milliseconds; undefined for everything else
 */
export function numericDate(value: unknown, now: number): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > now / 1000 + century) return undefined;
  return seconds * 1000;
}
