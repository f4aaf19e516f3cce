import { eq, or, type SQL } from 'drizzle-orm';
import { serviceTokens } from './database/schema.ts';
import type { Person } from './people.ts';

/**
 * The condition for the tokens that a person may see and revoke: the tokens that they created or that run as them. A Super
 * Admin has access to all tokens, so there is no condition.
 */
export function accessibleTo(person: Person): SQL | undefined {
  if (person.role === 'super-admin') return undefined;
  return or(eq(serviceTokens.createdBy, person.email), eq(serviceTokens.userEmail, person.email));
}
