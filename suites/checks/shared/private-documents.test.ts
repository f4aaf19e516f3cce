import { expect, test } from 'vitest';
import { contract } from '../../../harness/testing/contract.ts';
import { belongsTo } from './private-documents.ts';

test.each([
  [{ USER_EMAIL: 'uma@people.example' }, 'user'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'Uma@people.example' }, 'user'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'olaf@people.example' }, 'third person'],
  [{ USER_EMAIL: 'uma@people.example', OAUTH_EMAIL: 'nobody' }, 'nobody'],
])('with %o, OAUTH tokens belong to: %s', (variables, owner) => {
  expect(belongsTo({ contract, variable: (name) => new Map(Object.entries(variables)).get(name) }, 'OAUTH')).toBe(
    owner,
  );
});
