import { expect, test } from 'vitest';
import { chatPath, headerOf, type PlainRequestHead } from '../../fixtures/plain/request.ts';
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

const isOwnBeside = (header: string) => (request: PlainRequestHead, kind: string) =>
  kind === 'OAUTH' && headerOf(request, header) !== undefined;

test.each<[where: string, isTaken: (request: PlainRequestHead, kind: string) => boolean]>([
  ['on a chat, which reads them by itself', ({ path }) => path === chatPath],
  ['beside X-Service-Auth-Type, its own', isOwnBeside('x-service-auth-type')],
  ['beside X-Service-ActAs, its own', isOwnBeside('x-service-actas')],
])('blames a server that takes tokens without a signature %s', async (_where, isTaken) => {
  const { blamed, why } = await blameOnPlain(tampering, {
    findToken: (token, tokens, request) => {
      const jwt = decodeJwt(token);
      const provider = jwt?.header['alg'] === 'none' ? providerOf(jwt, tokens) : undefined;
      return jwt && provider && isTaken(request, provider.kind)
        ? recordFromClaims(jwt, provider)
        : findToken(token, tokens);
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
