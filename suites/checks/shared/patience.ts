/**
 * How long to wait for an answer to an odd request. Many servers never answer one, so it does not wait as long as others.
 */
export const PATIENCE_MS = 3_000;

/**
 * How long to wait before each further try of what a target may still be doing in the background. No answer says that it is
 * done. The pauses grow, so that most targets cost little, and together they are as long as the patience for an answer.
 */
export const PAUSES_MS: readonly number[] = [PATIENCE_MS * 0.1, PATIENCE_MS * 0.3, PATIENCE_MS * 0.6];

/** The pauses before a refusal to continue a conversation may be blamed: ten seconds of tries (outcomes 2). */
export const LONG_PAUSES_MS: readonly number[] = [...PAUSES_MS, 3_000, 4_000];
