import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { WrittenContract } from '../../harness/contract/written-contract.ts';

/** A contract that stands alone and that nobody thought of, and the OpenAPI document that some of its operations are in. */
interface Drawn {
  readonly written: WrittenContract;
  readonly document: object;
}
const BODIES = [
  { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
  { type: 'object', required: ['id'], properties: { id: { type: 'string' }, tag: { type: ['string', 'null'] } } },
  { type: 'object' },
  { type: 'string' },
  { type: 'integer' },
  {},
];

/** Writes a drawn contract, and its document beside it. Returns the file. */
export function writeDrawn(folder: string, at: number, { written, document }: Drawn): string {
  const file = join(folder, `${at}.yaml`);
  const openapi = `${at}.openapi.json`;
  writeFileSync(join(folder, openapi), JSON.stringify(document));
  const isNamed = Object.values(written.operations).some(({ is }) => is !== undefined);
  writeFileSync(file, stringify({ ...written, ...(isNamed && { openapi }) }));
  return file;
}

export const drawnContract: fc.Arbitrary<Drawn> = fc
  .record({
    answers: fc.array(fc.option(fc.constantFrom(...BODIES), { nil: undefined }), { minLength: 3, maxLength: 3 }),
    people: fc.constantFrom('EMAIL', 'LOGIN'),
    credential: fc.constantFrom(
      ...['Authorization: Bearer {token}', 'Authorization: token {token}', 'X-Api-Key: {token}'],
      ...[
        'Authorization: Token token={token}',
        'X-Signed: {token}; v=1',
        'Cookie: sid={token}',
        { query: 'access_token' },
      ],
    ),
    needs: fc.array(fc.subarray(['read:orders', 'write']), { minLength: 1, maxLength: 3 }),
    methods: fc.array(fc.constantFrom('GET', 'POST', 'DELETE'), { minLength: 3, maxLength: 3 }),
    body: fc.constantFrom(undefined, { text: 'a' }),
    kinds: fc.integer({ min: 1, max: 2 }),
    never: fc.subarray(['future-expiry', 'expired', 'none', 'single', 'only:write', 'all-but:write'] as const),
    reach: fc.array(fc.constantFrom(undefined, 'A', 'B'), { minLength: 3, maxLength: 3 }),
    acting: fc.constantFrom(undefined, 'required', 'optional'),
    by: fc.constantFrom('A', ['A', 'B']),
    isShown: fc.boolean(),
  })
  .map(({ answers, people, credential, needs, methods, body, kinds, never, reach, acting, by, isShown }): Drawn => {
    const names = ['A', 'B'].slice(0, kinds);
    const hasScopes = needs.flat().length > 0;
    const isPossible = (name: string) => {
      if (name === 'expired' || name === 'future-expiry') return true;
      if (!name.includes(':')) return hasScopes;
      return needs.flat().includes('write') && !(name === 'only:write' && never.includes('single'));
    };
    const gone = never.filter(isPossible);
    const operations = Object.fromEntries(
      needs.map((scopes, at) => [
        `operation-${at}`,
        {
          ...(answers[at] ? { is: `is${at}` } : { request: `${methods[at]} /part/${at}` }),
          ...(scopes.length > 0 && { needs: scopes }),
          ...(reach[at] && kinds === 2 && { by: reach[at] }),
          ...(methods[at] !== 'GET' && { harmless: true, ...(body && { body }) }),
        },
      ]),
    );
    const paths = answers.map((schema, at) => {
      const content = { 'application/json': { schema } };
      const responses = { '200': { description: 'drawn', ...(schema && { content }) } };
      return [`/part/${at}`, { [String(methods[at]).toLowerCase()]: { operationId: `is${at}`, responses } }] as const;
    });
    const info = { title: 'Drawn', version: '1' };
    const written = {
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
    return { written, document: { openapi: '3.1.0', info, paths: Object.fromEntries(paths) } };
  });
