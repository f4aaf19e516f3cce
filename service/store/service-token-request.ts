import { isScope, type Scope } from '../terms/operations.ts';
import type { People, Person } from './people.ts';
import { type Permission, permissions } from './schema.ts';

/** What somebody asks for when they create a token (spec 2.1). Unchecked: it may come from a form. */
export interface TokenRequest {
  description: string;
  permission: string;
  scopes: readonly string[];
  /** Epoch milliseconds; without it the token never expires. */
  expiresAt?: number;
  /** Required for USER, and only for USER. */
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

/** Either the terms of the token to create, or every reason why this actor gets no such token. */
export async function checkTokenRequest(
  actor: Person,
  request: TokenRequest,
  { people, now }: { people: People; now: number },
): Promise<{ ok: true; terms: Terms } | { ok: false; problems: TokenProblem[] }> {
  const problems: TokenProblem[] = [];
  const wrong = (field: TokenProblem['field'], message: string) => void problems.push({ field, message });

  const description = request.description.trim();
  if (description === '') wrong('description', 'Say what the token is for.');
  if (description.length > maxDescriptionLength) {
    wrong('description', `Use at most ${maxDescriptionLength} characters; these are ${description.length}.`);
  }

  const permission = permissions.find((known) => known === request.permission);
  if (!permission) wrong('permission', `Choose ${permissions.join(' or ')}; "${request.permission}" is neither.`);

  const scopes = [...new Set(request.scopes)].filter(isScope).sort();
  if (request.scopes.length === 0) wrong('scopes', 'Choose at least one scope: a token without any reaches nothing.');
  for (const name of request.scopes.filter((scope) => !isScope(scope))) wrong('scopes', `"${name}" is not a scope.`);

  const expiresAt = request.expiresAt ?? null;
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) {
    wrong('expiresAt', 'Give a date, or none for a token that never expires.');
  } else if (expiresAt !== null && expiresAt <= now) {
    wrong('expiresAt', 'Choose a date that lies ahead.');
  }

  const email = request.userEmail?.trim() ?? '';
  const user = permission === 'USER' && email !== '' ? await people.find(email) : undefined;
  if (permission === 'USER' && email === '') wrong('userEmail', 'A USER token needs the email of its user.');
  if (permission === 'USER' && email !== '' && !user) wrong('userEmail', `Nobody here has the address "${email}".`);
  if (permission === 'GLOBAL' && email !== '') wrong('userEmail', 'A GLOBAL token has no user; leave this empty.');

  const refused = permission && refusedTo(actor, permission, user);
  if (refused) wrong('actor', refused);

  if (!permission || problems.length > 0) return { ok: false, problems };
  return { ok: true, terms: { description, permission, scopes, expiresAt, userEmail: user?.email ?? null } };
}

/**
 * Why this actor may not create it (spec 2.1.2). A GLOBAL token acts as anybody, so it is never "only for themselves":
 * that is left to Super Admins, an interpretation.
 */
function refusedTo(actor: Person, permission: Permission, user: Person | undefined): string | undefined {
  switch (actor.role) {
    case 'super-admin':
      return undefined;
    case 'admin':
    case 'api-token-creator':
      if (permission === 'GLOBAL') return 'Only a Super Admin may create a GLOBAL token.';
      if (user && user.id !== actor.id) return 'You may create tokens for yourself only; ask a Super Admin.';
      return undefined;
    case 'user':
      return 'You may not create tokens; ask an Admin for the role API Token Creator.';
  }
}
