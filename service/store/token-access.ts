import { eq, or, type SQL } from 'drizzle-orm';
import { serviceTokens } from './database/schema.ts';
import type { Person } from './people.ts';

/** The tokens that a person may see and revoke: those that they created or that run as them. A Super Admin may all. */
export function accessibleTo(person: Person): SQL | undefined {
  if (person.role === 'super-admin') return undefined;
  return or(eq(serviceTokens.createdBy, person.email), eq(serviceTokens.userEmail, person.email));
}
