import { eq, or, type SQL } from 'drizzle-orm';
import type { Person } from './people.ts';
import { serviceTokens } from './schema.ts';

/** Which tokens a person sees and may end: a Super Admin any, everyone else those they created or that run as them. */
export function accessibleTo(person: Person): SQL | undefined {
  if (person.role === 'super-admin') return undefined;
  return or(eq(serviceTokens.createdBy, person.email), eq(serviceTokens.userEmail, person.email));
}
