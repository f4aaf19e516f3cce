/** Takes a registration. Returns undefined, or the seconds to wait when the limit is reached. */
export type RegistrationLimit = () => number | undefined;

/** So many registrations may come at once. */
export const registrationBurst = 60;
/** Then one is allowed in so many milliseconds. */
const interval = 10_000;

/**
 * Limits the registrations of clients. Registration is open to everyone and needs no sign-in, so the limit is one for all: a
 * sender of a flood can choose its addresses.
 *
 * @param now epoch milliseconds
 */
export function createRegistrationLimit(now: () => number, burst: number = registrationBurst): RegistrationLimit {
  // When all registrations are available again. Each one adds an interval.
  let fullAt = 0;
  return () => {
    // The upper bound keeps the wait short when the clock is set back.
    const debt = Math.min(Math.max(fullAt - now(), 0), burst * interval);
    if (debt > (burst - 1) * interval) return Math.ceil((debt - (burst - 1) * interval) / 1000);
    fullAt = now() + debt + interval;
    return undefined;
  };
}
