import { endOfDay } from '../store/expiry-date.ts';
import type { Person } from '../store/people.ts';
import type { TokenRequest } from '../store/service-token-request.ts';
import { offeredSets } from '../terms/scope-areas.ts';

/** The form for a new token, as the person filled it in. It can be shown again. */
export interface TokenForm {
  readonly description: string;
  readonly permission: string;
  readonly userEmail: string;
  readonly scopes: readonly string[];
  /** YYYY-MM-DD, or empty. */
  readonly expires: string;
}

/** USER is selected, because it is recommended (spec 2.1). The user is the person who opens the form. */
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

/** Replaces the scopes of the form by an offered set; undefined when the person did not choose a set. */
export function suggested(form: TokenForm, fields: URLSearchParams): TokenForm | undefined {
  const wanted = offeredSets.find(({ id }) => id === fields.get('suggest'));
  return wanted && { ...form, scopes: wanted.scopes };
}

export function asRequest({ expires, userEmail, ...form }: TokenForm): TokenRequest {
  return {
    ...form,
    // The email belongs to the choice USER. With GLOBAL it is left over and ignored.
    ...(form.permission !== 'GLOBAL' && { userEmail }),
    ...(expires !== '' && { expiresAt: endOfDay(expires) }),
  };
}
