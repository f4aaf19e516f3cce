import { expect, test } from 'vitest';
import { chatPath, headerOf } from '../../fixtures/plain/request.ts';
import { decodeJwt, findToken, providerOf, recordFromClaims } from '../../fixtures/plain/tokens.ts';
import { tamperMiddle } from '../../harness/plan/token-bytes.ts';
import { blameOnPlain, runOnPlain } from '../testing/one-check.ts';
import { madeFrom } from './shared/token-recipes.ts';
import { tampering } from './tampering.ts';

test('tries the tokens of each kind on search, and of the last kind of each family on chat', async () => {
  const { decisions } = await runOnPlain(tampering);
  expect(decisions.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
  const kinds = (operation: string) => [
    ...new Set(decisions.flatMap((one) => (one.operation === operation ? [one.kind] : []))),
  ];
  expect(kinds('search')).toEqual(['USER', 'GLOBAL', 'OAUTH', 'GOOGLE', 'AZURE', 'OKTA', 'ONELOGIN']);
  expect(kinds('chat')).toEqual(['GLOBAL', 'OAUTH', 'ONELOGIN']);
});

test('blames a chat that reads tokens by itself, and takes those without a signature', async () => {
  const { blamed, why } = await blameOnPlain(tampering, {
    findToken: (token, tokens, { path }) => {
      const jwt = decodeJwt(token);
      const provider = jwt && providerOf(jwt, tokens);
      const isUnsigned = jwt?.header['alg'] === 'none' && path === chatPath;
      return provider && isUnsigned ? recordFromClaims(jwt, provider) : findToken(token, tokens);
    },
  });
  expect(blamed).toEqual(['token.tampered']);
  expect(why).toMatch(/alg none/);
});

test.each([
  ['X-Service-Auth-Type', 'x-service-auth-type'],
  ['X-Service-ActAs', 'x-service-actas'],
])('blames a server that takes own tokens without a signature beside %s', async (_name, header) => {
  const { blamed, why } = await blameOnPlain(tampering, {
    findToken: (token, tokens, request) => {
      const jwt = decodeJwt(token);
      const provider = jwt && providerOf(jwt, tokens);
      const isUnsigned = jwt?.header['alg'] === 'none' && headerOf(request, header) !== undefined;
      const isTaken = isUnsigned && provider?.kind === 'OAUTH';
      return isTaken ? recordFromClaims(jwt, provider) : findToken(token, tokens);
    },
  });
  expect(blamed).toEqual(['token.tampered']);
  expect(why).toMatch(/alg none/);
});

test.each(['key_AbCdEfGhIjKlMnOpQr', 'key_AbCdEfG-IjKlMnOpQr'])(
  'changes the middle of %s as the matrix does',
  (token) => {
    const made = madeFrom(token, { other: undefined, person: undefined, issuer: '' }, 'telling');
    const middle = made.find(({ how }) => how === 'middle character changed');
    expect(middle?.token).toBe(tamperMiddle(token).token);
  },
);
