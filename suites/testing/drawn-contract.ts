import fc from 'fast-check';
import type { WrittenContract } from '../../harness/contract/written-contract.ts';

/** A contract that stands alone and that nobody thought of. */
export const drawnContract: fc.Arbitrary<WrittenContract> = fc
  .record({
    people: fc.constantFrom('EMAIL', 'LOGIN'),
    credential: fc.constantFrom('Authorization: Bearer {token}', 'Authorization: token {token}', 'X-Api-Key: {token}', {
      query: 'access_token',
    }),
    needs: fc.array(fc.subarray(['read:orders', 'write']), { minLength: 1, maxLength: 3 }),
    methods: fc.array(fc.constantFrom('GET', 'POST', 'DELETE'), { minLength: 3, maxLength: 3 }),
    body: fc.constantFrom(undefined, { text: 'a' }),
    kinds: fc.integer({ min: 1, max: 2 }),
    never: fc.subarray(['future-expiry', 'expired', 'none', 'single'] as const),
    acting: fc.constantFrom(undefined, 'required', 'optional'),
    by: fc.constantFrom('A', ['A', 'B']),
    isShown: fc.boolean(),
  })
  .map(({ people, credential, needs, methods, body, kinds, never, acting, by, isShown }): WrittenContract => {
    const names = ['A', 'B'].slice(0, kinds);
    const hasScopes = needs.flat().length > 0;
    const gone = never.filter((name) => hasScopes || name === 'expired' || name === 'future-expiry');
    const operations = Object.fromEntries(
      needs.map((scopes, at) => [
        `operation-${at}`,
        {
          request: `${methods[at]} /part/${at}`,
          ...(scopes.length > 0 && { needs: scopes }),
          ...(methods[at] !== 'GET' && { harmless: true, ...(body && { body }) }),
        },
      ]),
    );
    return {
      name: 'drawn',
      ...(people !== 'EMAIL' && { people }),
      credential,
      operations: { ...operations, me: { request: 'GET /me' } },
      kinds: Object.fromEntries(
        names.map((name) => [
          name,
          {
            made: 'drawn by the test',
            ...(gone.length > 0 && { never: Object.fromEntries(gone.map((one) => [one, 'the test left it out'])) }),
          },
        ]),
      ),
      ...(acting && {
        acting: { header: 'X-As', by: [by].flat().filter((name) => names.includes(name)), is: acting },
        identity: isShown ? { operation: 'me', pointer: '/login' } : { none: 'the test left it out' },
      }),
    } as WrittenContract;
  });
