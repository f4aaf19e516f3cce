/**
 * How long to wait for an answer to an odd request. Many servers never answer one, so it does not wait as long as others.
 */
export const PATIENCE_MS = 3_000;
