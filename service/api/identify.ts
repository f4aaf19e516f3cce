import type { Claims } from '../issuers/issuer-client.ts';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import { Refusal } from '../terms/refusal.ts';
import type { Credential, OAuthCredential } from './credential.ts';
import type { Call } from './steps.ts';

/**
 * Finds the person the request runs as (spec 5.2). Only a GLOBAL token lets X-Service-ActAs name that person. With every
 * other token the header is ignored, so it can never give access to another person's data.
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

/** A blank X-Service-ActAs counts as missing. An email without a person is an invalid identity (spec 7). */
export async function resolveActAs(call: Call, _token: ServiceToken): Promise<Person> {
  const email = call.headers.actAs ?? '';
  if (/^\s*$/.test(email)) throw new Refusal('act-as-missing');
  const person = await call.steps.findPerson(call, email);
  if (!person) throw new Refusal('invalid-identity');
  return person;
}

/** Finds the person by the claim that the token's issuer is configured with. */
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
      // An unverified email may belong to another person (OIDC Core 5.7).
      const unverified = claims.email_verified !== undefined && String(claims.email_verified) !== 'true';
      const found = typeof email === 'string' && !unverified ? await call.steps.findPerson(call, email) : undefined;
      // Compared exactly: the provider may have another person whose email differs in letter case only.
      return known(found?.email === email ? found : undefined);
    }
  }
}

export async function askUserinfo(call: Call, { issuer, claims }: OAuthCredential): Promise<Claims> {
  const answer = await issuer.userinfo(call.steps.readBearer(call));
  // The answer must be about the token's subject (OIDC Core 5.3.2).
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
