import { expect, test } from 'vitest';
import { catalogue } from '../testing/small-world.ts';
import { unknownNames } from './unknown-names.ts';

const { names: known } = catalogue;
const inEnvironment = (name: string) => unknownNames(known, { environment: { [name]: 'x' }, dotenv: {} });
const inFile = (...names: readonly string[]) =>
  unknownNames(known, { environment: {}, dotenv: Object.fromEntries(names.map((name) => [name, 'x'])) });

test.each([
  ['USER_TOKN_SEARCH', 'USER_TOKEN_SEARCH'],
  ['USR_TOKEN_SEARCH', 'USER_TOKEN_SEARCH'],
  ['USER_TOKEN_SAERCH', 'USER_TOKEN_SEARCH'],
  ['USER_TOKN', 'USER_TOKEN'],
  ['TARGET_BASE_ULR', 'TARGET_BASE_URL'],
  ['ACT_AS_EMIAL', 'ACT_AS_EMAIL'],
  ['CONFORMANCE_DEPHT', 'CONFORMANCE_DEPTH'],
  ['CONFORMANCE_TIMEOUT', 'CONFORMANCE_TIMEOUT_MS'],
])('%s in the environment is a slip of %s', (name, meant) => {
  expect(inEnvironment(name)).toEqual([`the environment sets ${name}; did you mean ${meant}?`]);
});

test.each([
  ...['PATH', 'HOME', 'USERNAME', 'USER', 'CONFORMANCE', 'DATABASE_URL', 'BASE_URL', 'GIT_AUTHOR_EMAIL'],
  ...['GITHUB_TOKEN', 'NPM_TOKEN', 'GITLAB_TOKEN', 'VAULT_TOKEN', 'AUTH_TOKEN', 'GITEA_TOKEN', 'JIRA_TOKEN'],
  ...['GIT_TOKEN', 'OAUTH2_TOKEN', 'AUTHOR_EMAIL', 'USER_TOKEN_FILE', 'USER_TOKEN_PATH'],
])('%s in the environment belongs to others', (name) => {
  expect(inEnvironment(name)).toEqual([]);
});

test.each(known.slice(0, 3))('%s is known everywhere', (name) => {
  expect([inEnvironment(name), inFile(name)]).toEqual([[], []]);
});

test.each([
  ['USER_TOKN_SEARCH', '; did you mean USER_TOKEN_SEARCH?'],
  ['USER_SHOE_SIZE', ''],
  ['TARGET_ADDRESS', ''],
])('%s in .env is unknown, and shown since it looks like ours', (name, meant) => {
  expect(inFile(name)).toEqual([expect.stringMatching(`^\\.env sets ${name}, which the suite does not know`)]);
  expect(inFile(name)[0]?.endsWith(meant)).toBe(true);
});

test.each(['EDITOR', 'QQ', 'dGhpcyBpcyBhIHNlY3JldA', 'QUJDREVGR0hJSktMTU5PUA', 'A_B_C', 'user_token'])(
  '%s in .env may be the end of a secret, so it is not shown',
  (name) => {
    const [line, ...more] = inFile('CONFORMANCE_RATE', name);
    expect(more).toEqual([]);
    expect(line).toMatch(/^\.env sets a name .* number 2 of those that it sets$/);
    expect(line).not.toContain(name);
  },
);
