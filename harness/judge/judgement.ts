import type { Suspect } from '../plan/expectation.ts';
import type { Miss } from './miss.ts';

/** What one answer says about one case. */
export type Judgement =
  | {
      readonly kind: 'pass';
      /** Requirements that the answer satisfies. */
      readonly satisfied: readonly string[];
      /** Requirements on a part of the body that was not read: neither satisfied nor broken. */
      readonly unread?: readonly string[];
    }
  | { readonly kind: 'observed'; readonly silent: readonly Suspect[] }
  /** The body was not read as far as what would decide. */
  | { readonly kind: 'undecided' }
  | Miss;
