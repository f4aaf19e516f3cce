import type { Claims } from '../issuers/issuer-client.ts';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Credential, OAuthCredential } from './credential.ts';
import type { Call } from './steps.ts';

/**
 * Whom the request runs as (spec 5.2). Only a GLOBAL token chooses; beside any other token X-Service-ActAs is ignored, so
 * that it can never widen what the token allows.
 */
export async function identify(call: Call, credential: Credential): Promise<Person> {
  const { steps } = call;
  if (credential.family !== 'service') return steps.identifyOAuth(call, credential);
  switch (credential.token.permission) {
    case 'GLOBAL':
      return steps.resolveActAs(call, credential.token);
    case 'USER':
      return known(await steps.findPerson(call, credential.token.userEmail ?? ''));
  }
}

/** Spec 7. A blank header names nobody, as a missing one does; an address of nobody is an invalid identity. */
export async function resolveActAs(call: Call, _token: ServiceToken): Promise<Person> {
  const email = call.headers.actAs?.trim() ?? '';
  if (email === '') throw new Refusal('act-as-missing');
  const person = await call.steps.findPerson(call, email);
  if (!person) throw new Refusal('invalid-identity');
  return person;
}

/** The person whom the token's issuer names. */
export async function identifyOAuth(call: Call, credential: OAuthCredential): Promise<Person> {
  const { person } = credential.issuer;
  switch (person.by) {
    case 'id': {
      const id = credential.claims[person.claim];
      return known(typeof id === 'string' ? await call.store.people.findById(id) : undefined);
    }
    case 'email': {
      const claims = person.in === 'userinfo' ? await call.steps.askUserinfo(call, credential) : credential.claims;
      const email = claims[person.claim];
      // An address that the provider itself doubts could be anybody's (OIDC Core 5.7).
      const doubted = claims.email_verified !== undefined && String(claims.email_verified) !== 'true';
      return known(typeof email === 'string' && !doubted ? await call.steps.findPerson(call, email) : undefined);
    }
  }
}

export async function askUserinfo(call: Call, { issuer, claims }: OAuthCredential): Promise<Claims> {
  const answer = await issuer.userinfo(call.steps.readBearer(call));
  // OIDC Core 5.3.2: an answer about somebody else must not be used.
  if (!answer || answer.sub !== claims.sub) throw new Refusal('invalid-token');
  return answer;
}

export async function findPerson({ store }: Call, email: string): Promise<Person | undefined> {
  return store.people.find(email);
}

function known(person: Person | undefined): Person {
  if (!person) throw new Refusal('unknown-person');
  return person;
}
