import { expect, test } from 'vitest';
import { catalogue } from '../testing/small-world.ts';
import { readExtraHeaders } from './parse-values.ts';
import { variableProblems } from './variable-problems.ts';

test.each(['...', '$(GATEWAY_KEY)', 'Bearer $\u007bGATEWAY_KEY}', 'Basic ***'])(
  'an extra header whose value is the placeholder %j is refused',
  (value) => {
    const problems: string[] = [];
    readExtraHeaders(JSON.stringify({ 'X-Gateway-Key': value, 'X-Other': 'a b ...' }), [], problems);
    expect(problems).toEqual([expect.stringMatching(/EXTRA_HEADERS has a placeholder for X-Gateway-Key that nothing/)]);
  },
);

test('a person is no placeholder, whatever a contract calls people', () => {
  const contract = { ...catalogue.contract, people: { suffix: 'LOGIN' } };
  const variables = new Map([['USER_LOGIN', { value: '$(USER_LOGIN)', origin: 'environment' } as const]]);
  expect(variableProblems({ ...catalogue, contract }, variables)).toEqual([
    'USER_LOGIN is a placeholder that nothing replaced; set the text itself, or remove the variable',
  ]);
});
