import { expect, test } from 'vitest';
import { read } from '../testing/small-contract.ts';
import { attributionOf } from './attribution.ts';
import { leftOpen } from './citing-rules.ts';

const operations =
  'operations: { list: { request: GET /list, by: ADMIN }, find: { request: POST /find, harmless: true, by: ADMIN }, me: { request: GET /me } }';
const kinds = 'kinds: { ADMIN: { made: "Settings, Keys" }, GUEST: { made: "Settings, Guests" } }';

test('what is silenced at one operation is left open there, and has no reasons of the others', async () => {
  const contract = await read({ operations, kinds }, 'rules: { reach.list: { silenced: guests see a part } }');
  expect(leftOpen(contract, 'reach.list', 'list')).toBe('guests see a part');
  expect(leftOpen(contract, 'reach.find', 'find')).toBeUndefined();
});

test('a requirement of one operation is interpreted for the reasons of its own rules', async () => {
  const contract = await read(
    { operations, kinds },
    'rules: { reach.list: { expect: 404, reason: hidden from guests } }',
  );
  expect(attributionOf(contract, 'reach.list')).toEqual({ basis: 'interpreted', reason: 'hidden from guests' });
  expect(attributionOf(contract, 'reach.find').reason).not.toContain('hidden');
});
