import { endOfDay } from '../store/expiry-date.ts';
import type { Person } from '../store/people.ts';
import type { TokenRequest } from '../store/service-token-request.ts';
import { suggestedSets } from '../terms/scope-areas.ts';

/** The form for a new token as it was filled in, fit to be shown again. */
export interface TokenForm {
  readonly description: string;
  readonly permission: string;
  readonly userEmail: string;
  readonly scopes: readonly string[];
  /** YYYY-MM-DD, or nothing. */
  readonly expires: string;
}

/** USER is preselected, since it is recommended (spec 2.1), and for whoever asks. */
export function emptyForm({ email }: Person): TokenForm {
  return { description: '', permission: 'USER', userEmail: email, scopes: [], expires: '' };
}

export function readForm(fields: URLSearchParams): TokenForm {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    description: text('description'),
    permission: text('permission'),
    userEmail: text('userEmail'),
    scopes: fields.getAll('scopes'),
    expires: text('expires').trim(),
  };
}

/** The form with the scopes of a suggested set instead of its own, or undefined when no set is wanted. */
export function suggested(form: TokenForm, fields: URLSearchParams): TokenForm | undefined {
  const wanted = suggestedSets.find(({ id }) => id === fields.get('suggest'));
  return wanted && { ...form, scopes: wanted.scopes };
}

export function asRequest({ expires, userEmail, ...form }: TokenForm): TokenRequest {
  return {
    ...form,
    // The field stands under USER; what is left in it when somebody chooses GLOBAL is not meant.
    ...(form.permission !== 'GLOBAL' && { userEmail }),
    ...(expires !== '' && { expiresAt: endOfDay(expires) }),
  };
}
