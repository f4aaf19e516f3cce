import { isScope, type Scope } from '../terms/operations.ts';
import { type Permission, permissions } from './database/schema.ts';
import { canonical, type People, type Person } from './people.ts';

/** A request to create a token (spec 2.1). Not validated yet. */
export interface TokenRequest {
  description: string;
  permission: string;
  scopes: readonly string[];
  /** Epoch milliseconds. Absent: the token never expires. */
  expiresAt?: number;
  /** Required for USER, not allowed for GLOBAL. */
  userEmail?: string;
}

export interface TokenProblem {
  readonly field: 'actor' | 'description' | 'permission' | 'scopes' | 'expiresAt' | 'userEmail';
  readonly message: string;
}

interface Terms {
  readonly description: string;
  readonly permission: Permission;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly userEmail: string | null;
}

/** In characters. */
export const maxDescriptionLength = 200;

/** Returns the terms of the token to create, or all reasons why this actor cannot create it. */
export async function checkTokenRequest(
  actor: Person,
  request: TokenRequest,
  { people, now }: { people: People; now: number },
): Promise<{ ok: true; terms: Terms } | { ok: false; problems: TokenProblem[] }> {
  const problems: TokenProblem[] = [];
  const wrong = (field: TokenProblem['field'], message: string) => void problems.push({ field, message });

  const description = request.description.trim();
  if (visible(description) === '') wrong('description', 'Say what the token is for.');
  if (description.length > maxDescriptionLength) {
    wrong('description', `Use at most ${maxDescriptionLength} characters. This text has ${description.length}.`);
  }

  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(description))
    wrong('description', 'Leave out line breaks and control characters.');

  const permission = permissions.find((known) => known === request.permission);
  if (!permission) wrong('permission', `Choose ${permissions.join(' or ')}. "${request.permission}" does not exist.`);

  const scopes = [...new Set(request.scopes)].filter(isScope).sort();
  if (request.scopes.length === 0) wrong('scopes', 'Choose at least one scope. A token needs one to reach anything.');
  for (const name of request.scopes.filter((scope) => !isScope(scope))) wrong('scopes', `"${name}" is not a scope.`);

  const expiresAt = request.expiresAt ?? null;
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) {
    wrong('expiresAt', 'Enter a date, or leave this empty for a token that never expires.');
  } else if (expiresAt !== null && expiresAt <= now) {
    wrong('expiresAt', 'Choose a date in the future.');
  }

  const email = request.userEmail?.trim() ?? '';
  // Before anybody is looked up: whom this service knows is no answer to a person who may not create the token.
  const refused = refusedTo(actor, permission, email);
  const user = permission === 'USER' && email !== '' && !refused ? await people.find(email) : undefined;
  if (permission === 'USER' && email === '') wrong('userEmail', 'A USER token needs the email of its user.');
  if (permission === 'USER' && email !== '' && !refused && !user)
    wrong('userEmail', `There is no person with the email "${email}".`);
  if (permission === 'GLOBAL' && email !== '') wrong('userEmail', 'A GLOBAL token has no user. Leave this empty.');
  if (refused) wrong('actor', refused);

  if (!permission || problems.length > 0) return { ok: false, problems };
  return { ok: true, terms: { description, permission, scopes, expiresAt, userEmail: user?.email ?? null } };
}

/** Why this actor may not create the token (spec 2.1). A GLOBAL token acts as anybody, so only a Super Admin may. */
function refusedTo(actor: Person, permission: Permission | undefined, email: string): string | undefined {
  switch (actor.role) {
    case 'super-admin':
      return undefined;
    case 'admin':
    case 'api-token-creator':
      if (permission === 'GLOBAL') return 'Only a Super Admin may create a GLOBAL token.';
      if (email !== '' && canonical(email) !== actor.email)
        return 'You may create tokens for yourself only. Ask a Super Admin.';
      return undefined;
    case 'user':
      return 'You may not create tokens. Ask an Admin for the role API Token Creator.';
  }
}

/** A description that shows nothing would make a link that nobody sees, also not the person who wants to revoke the token. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
}

const dayLength = 24 * 60 * 60 * 1000;

/**
 * Returns when a token with this `Expires` date expires (spec 2.1). The specification does not say whether the token works on
 * that day, or which time zone counts. Here it works until the end of that day in UTC.
 *
 * @param date YYYY-MM-DD
 * @returns epoch milliseconds; NaN if the text is not a date
 */
export function endOfDay(date: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return Number.NaN;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `Date.parse` accepts 2030-02-30 as the second of March.
  return dateOf(midnight) === date ? midnight + dayLength : Number.NaN;
}

/** Returns the last day on which a token works, as YYYY-MM-DD. `expiresAt` can be any moment of that day. */
export function lastDay(expiresAt: number): string {
  return dateOf(expiresAt - 1) ?? '';
}

function dateOf(moment: number): string | undefined {
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 10);
}
