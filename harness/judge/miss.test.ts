import { describe, expect, test } from 'vitest';
import type { Dimension } from '../contract/contract.ts';
import { expect as oracle } from '../plan/expectation.ts';
import { answer, caseOf, contract, messageText } from '../testing/small-world.ts';
import { describeAnswer, describeWanted } from './miss.ts';

type Changes = Partial<Record<Dimension, string>>;
const [search] = contract.operations;
if (!search) throw new Error('no operation');
const expectation = (kind: string, changes: Changes) => oracle(contract, caseOf('search', kind, changes).values);
const message = (id: string) => `"${messageText(id)}"`;

test.each<[string, Changes, string]>([
  ['none', {}, '401; or 4xx or 3xx (with a warning)'],
  ['USER', { authorization: 'basic' }, '400 or 401; or 4xx (with a warning)'],
  ['unknown', {}, `401; or 4xx with the message ${message('auth-type-missing')} or ${message('invalid-secret')}`],
  ['USER', { body: 'missing-field' }, '4xx without a documented message'],
  ['OKTA', { validity: 'expired', body: 'other-content-type' }, '401; or 4xx without a documented message'],
  [
    'GLOBAL',
    { 'act-as': 'malformed', validity: 'tampered', 'auth-type': 'OAUTH' },
    `401; or 401 with the message ${message('invalid-identity')}; or 4xx`,
  ],
])('what is wanted of %s %j is %s', (kind, changes, words) => {
  expect(describeWanted(contract, expectation(kind, changes), search)).toBe(words);
});

describe('what came is described', () => {
  const described = (text: string) =>
    describeAnswer(contract, expectation('GLOBAL', { 'act-as': 'absent' }), answer(401, text));

  test('with every documented message', () => {
    const both = JSON.stringify([messageText('invalid-identity'), messageText('act-as-missing')]);
    expect(described(both)).toBe(`401 ${message('act-as-missing')} and ${message('invalid-identity')}`);
  });

  test('with the beginning of any other text', () => {
    expect(described(`no ${'x'.repeat(100)}`)).toBe(`401 "no ${'x'.repeat(77)}…"`);
    expect(described('')).toBe('401');
  });

  test('with what differs in a line between quotes or tags', () => {
    const nearly = messageText('act-as-missing').replace('header', 'heeder');
    for (const text of [`<p>\n ${nearly} \n</p>`, `{"error": "${nearly}"}`, `first line\r\n${nearly}\r\n`])
      expect(described(text)).toBe(`401 "${nearly}" instead of ${message('act-as-missing')}`);
  });
});
