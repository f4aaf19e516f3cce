import type { Credential } from '../plan/credentials.ts';
import { type Marker, markerOf } from '../record/marker-places.ts';
import { SHORTEST_TOKEN } from '../record/observation.ts';

/** Distinct tokens. What a target keeps of earlier requests, it keeps of the last ones too. */
const MOST_KEPT = 8;

/** The tokens that the cases of a run were sent with last. An answer shows none of those that its own request does not carry. */
export interface SentTokens {
  /** Those that a request with this token does not carry. */
  besides(sent: Credential | undefined): readonly Marker[];
  note(sent: Credential): void;
}

export function createSentTokens(): SentTokens {
  const kept = new Map<string, Marker>();
  return {
    besides: (sent) =>
      [...kept].flatMap(([token, marker]) =>
        sent && (sent.token.includes(token) || token.includes(sent.token)) ? [] : [marker],
      ),
    // One that was tampered with shows hardly less than its original, and nobody issued a random one.
    note({ token, variable, source, tampering }) {
      if (tampering || source === 'random' || token.length < SHORTEST_TOKEN) return;
      kept.delete(token);
      kept.set(token, markerOf(variable, token));
      for (const [oldest] of kept) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(oldest);
      }
    },
  };
}
