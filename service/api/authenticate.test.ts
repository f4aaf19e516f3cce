import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import { secretPrefix } from '../store/service-tokens.ts';
import { recogniseIssuer, requireAuthType } from './authenticate.ts';
import type { Call } from './steps.ts';

const issuer = (form: 'jwt' | 'opaque', name: string, family: 'own' | 'external' = 'external') =>
  ({ issuer: name, family, tokens: { form } }) as unknown as IssuerClient;
const jwt = issuer('jwt', 'https://jwt.example');
const second = issuer('jwt', 'https://second.example');
const opaque = issuer('opaque', 'https://opaque.example');
const from = (iss?: string) => new UnsecuredJWT(iss === undefined ? {} : { iss }).encode();
const recognised = (token: string, issuers = [jwt, opaque, second]) =>
  recogniseIssuer({ issuers } as unknown as Call, token);

describe('the issuer of a token', () => {
  test.each([jwt, second])('is the one that a JWT names: $issuer', (wanted) => {
    expect(recognised(from(wanted.issuer))).toBe(wanted);
  });

  test('is that of opaque tokens if the token is no JWT, whatever the order of the issuers', () => {
    expect(recognised('ya29.opaque')).toBe(opaque);
    expect(recognised('x'.repeat(40), [opaque, jwt])).toBe(opaque);
    expect(recognised('x'.repeat(40), [jwt, second])).toBeUndefined();
  });

  test('is unknown if a JWT names an issuer of opaque tokens', () => {
    expect(recognised(from(opaque.issuer))).toBeUndefined();
  });

  test.each([['https://elsewhere.example'], [undefined]])('is unknown if a JWT names %s', (iss) => {
    expect(recognised(from(iss))).toBeUndefined();
  });

  test('is unknown if a text has the form of a JWT and is none', () => {
    expect(recognised('a.b.c')).toBeUndefined();
  });

  test('is that of opaque tokens if a text only contains a JWT', () => {
    expect(recognised(`${from(jwt.issuer)}!`)).toBe(opaque);
    expect(recognised(`!${from(jwt.issuer)}`)).toBe(opaque);
  });

  test('is unknown for a token with our own prefix, which no identity provider may see', () => {
    expect(recognised(`${secretPrefix}anything`)).toBeUndefined();
  });
});

describe('X-Service-Auth-Type', () => {
  const required = (authType: string | undefined, of: IssuerClient | undefined) => () =>
    requireAuthType({ headers: { authType } } as unknown as Call, of);

  test('is not required for tokens of our own authorization server', () => {
    expect(required(undefined, issuer('jwt', 'https://own.example', 'own'))).not.toThrow();
  });

  test.each([jwt, opaque, undefined])('is enough as OAUTH, with a token of any issuer', (of) => {
    expect(required('OAUTH', of)).not.toThrow();
  });

  test.each([
    ['auth-type-missing', jwt],
    ['invalid-secret', opaque],
    ['invalid-secret', undefined],
  ] as const)('missing or wrong leads to %s', (reason, of) => {
    for (const authType of [undefined, '', 'oauth', 'OAUTH2'])
      expect(required(authType, of)).toThrow(expect.objectContaining({ reason }));
  });
});
