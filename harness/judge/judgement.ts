import type { Suspect } from '../plan/expectation.ts';
import type { Miss } from './miss.ts';

/** What one answer shows about one case. */
export type Judgement =
  | {
      readonly kind: 'pass';
      /** Requirements that the answer satisfies. */
      readonly satisfied: readonly string[];
      /** Requirements on a body that was not read to its end: neither satisfied nor broken. */
      readonly unread?: readonly string[];
    }
  | { readonly kind: 'observed'; readonly silent: readonly Suspect[] }
  /** The part of the body that would decide was not read. */
  | { readonly kind: 'undecided' }
  | Miss;
