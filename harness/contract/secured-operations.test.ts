import { describe, expect, test } from 'vitest';
import type { OperationObject, SecurityScheme } from './openapi-document.ts';
import { carrierOf, securedBy, whyUnasked } from './secured-operations.ts';

const apiKey = (name: string, where = 'header'): SecurityScheme => ({ type: 'apiKey', in: where, name });
const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
  ...{ token: { type: 'http', scheme: 'bearer' }, login: { type: 'oauth2' } },
  ...{ key: apiKey('X-Key'), app: apiKey('X-App'), certificate: { type: 'mutualTLS' } },
};
const document = { components: { securitySchemes } };
const described = (...security: NonNullable<OperationObject['security']>) =>
  ({ path: '/pets', method: 'get', definition: { security } }) as const;
const secured = (...security: NonNullable<OperationObject['security']>) =>
  securedBy(document, described(...security))[0];

describe('an operation is secured by', () => {
  test('the first alternative that is one scheme with a token, or else the first one with a token', () => {
    expect(secured({ certificate: [], key: [] }, { token: ['read'] })).toMatchObject({
      ...{ scheme: 'token', needs: ['read'], beside: [], others: ['certificate beside key'] },
    });
    expect(secured({ certificate: [] }, { key: [], app: [] }, { token: [], app: [] })).toMatchObject({
      ...{ scheme: 'key', beside: ['app'], others: ['certificate', 'token beside app'] },
    });
    expect(secured({ certificate: [] })).toBeUndefined();
  });

  test('every scheme that is sent in the same way, and the same alternative in another order is no choice', () => {
    expect(secured({ token: ['a', 'b'] }, { login: ['b', 'a'] })).toMatchObject({
      ...{ schemes: ['token', 'login'], others: [] },
    });
    expect(secured({ token: [], key: [], app: [] }, { login: [], app: [], key: [] })).toMatchObject({
      ...{ schemes: ['token', 'login'], others: [] },
    });
  });

  test('no scheme that is sent otherwise, or beside others: that is a choice', () => {
    expect(secured({ token: ['a'] }, { key: ['a'] })).toMatchObject({ schemes: ['token'], others: ['key with a'] });
    expect(secured({ token: [] }, { login: [], app: [] })).toMatchObject({
      ...{ schemes: ['token'], others: ['login beside app'] },
    });
    expect(secured({ key: [], app: [] }, { key: [], certificate: [] })?.others).toEqual(['key beside certificate']);
    expect(secured({ token: ['a'] }, { login: ['b', 'c'] })).toMatchObject({
      ...{ schemes: ['token', 'login'], others: ['login with b and c'] },
    });
  });
});

test('what a scheme does not offer, or a document has not, is said with the name that was likely meant', () => {
  const scopes = { read: 'all', write: 'all' };
  const login = { type: 'oauth2', flows: { clientCredentials: { scopes } } };
  const own = { components: { securitySchemes: { login } } };
  expect(securedBy(own, described({ login: ['read', 'wriet'] }))[0]?.strange).toEqual([
    'login offers no scope wriet; did you mean write?',
  ]);
  expect(whyUnasked(own, described({ logni: [] }))).toBe(
    'needs logni, and the document has no security scheme logni; did you mean login?',
  );
});

test('an operation that no token reaches is said with all its alternatives', () => {
  expect(whyUnasked(document, described({ certificate: ['a', 'b'] }, { certificate: [] }))).toBe(
    'needs certificate with a and b or certificate, and no line or parameter carries that',
  );
});

test.each<[SecurityScheme, RegExp]>([
  [{ type: 'openIdConnect' }, /^"Authorization: Bearer \{token\}"$/],
  [{ type: 'http', scheme: 'Bearer' }, /^"Authorization: Bearer \{token\}"$/],
  [{ type: 'http', scheme: 'Basic' }, /^"Authorization: Basic \{token\}" #/],
  [apiKey('key', 'query'), /^\{ query: "key" \}$/],
])('a line or a parameter carries the token of %o', (scheme, carrier) => {
  expect(carrierOf(scheme)).toMatch(carrier);
});

test.each<[SecurityScheme]>([
  ...['digest', 'basics', 'x-basic', 'bearers', 'x-bearer'].map((scheme): [SecurityScheme] => [
    { type: 'http', scheme },
  ]),
  ...['X Key', 'Key:', ':Key', ''].map((name): [SecurityScheme] => [apiKey(name)]),
  [apiKey('key', 'body')],
  [{ type: 'mutualTLS' }],
])('nothing carries the token of %o', (scheme) => {
  expect(carrierOf(scheme)).toBeUndefined();
});
