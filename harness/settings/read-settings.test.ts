import { describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import { catalogue, settingsWith } from '../testing/small-world.ts';
import { namesNoTarget, readSettings, unknownNames } from './read-settings.ts';
import type { Settings, Sources } from './settings.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7w';
const minimal = { TARGET_BASE_URL: 'https://api.example', USER_TOKEN: TOKEN };

function read(environment: Sources['environment'], more: Partial<Sources> = {}): Settings {
  return readSettings(catalogue, { environment, dotenv: {}, ...more });
}

test('values that a shell read from a file with Windows line ends are refused, with what to do', () => {
  const environment = Object.fromEntries(Object.entries(minimal).map(([name, value]) => [name, `${value}\r`]));
  expect(() => read(environment)).toThrow(/^TARGET_BASE_URL, USER_TOKEN: wanted a value, .*Windows line ends; save/);
});

describe('the settings accept', () => {
  test.each(['PATH', 'GITHUB_TOKEN', 'CONFORMANCE'])('an unrelated name in the environment: %s', (name) => {
    expect(read({ ...minimal, [name]: 'x' }).variables.has(name)).toBe(false);
  });

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.2'])(
    'plain http to the loopback address %s',
    (url) => {
      expect(read({ ...minimal, TARGET_BASE_URL: url }).loopback).toBe(true);
    },
  );

  test('plain http to another host with --insecure', () => {
    const { baseUrl, loopback } = read({ ...minimal, TARGET_BASE_URL: 'http://api.example' }, { insecure: true });
    expect({ baseUrl, loopback }).toEqual({ baseUrl: 'http://api.example', loopback: false });
  });

  test('certificates that Node does not check only with --insecure, or for this machine', () => {
    const unchecked = { ...minimal, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(() => read(unchecked)).toThrow(/take the place of api\.example .*NODE_EXTRA_CA_CERTS.*--insecure/);
    expect(read(unchecked, { insecure: true }).loopback).toBe(false);
    expect(read({ ...unchecked, TARGET_BASE_URL: 'https://localhost' }).loopback).toBe(true);
  });

  test('TOKEN_COMMAND instead of a token', () => {
    const environment = { TARGET_BASE_URL: 'https://api.example', TOKEN_COMMAND: 'mint', CONFORMANCE_CLAIMS: 'user' };
    expect(read(environment).claims.kinds).toEqual(['USER']);
  });

  test('a path prefix, without its trailing slash', () => {
    expect(read({ ...minimal, TARGET_BASE_URL: 'https://api.example/a/b//' }).baseUrl).toBe('https://api.example/a/b');
  });

  test('extra headers', () => {
    const { extraHeaders } = read({ ...minimal, CONFORMANCE_EXTRA_HEADERS: '{"X-Key":"a","X-Other":"b"}' });
    expect(extraHeaders).toEqual([
      ['X-Key', 'a'],
      ['X-Other', 'b'],
    ]);
  });
});

describe('the settings', () => {
  test('prefer a flag to the environment and the environment to .env', () => {
    const dotenv = { CONFORMANCE_RATE: '1', CONFORMANCE_DEPTH: 'core', CONFORMANCE_CONCURRENCY: '2' };
    const environment = { ...minimal, CONFORMANCE_RATE: '3', CONFORMANCE_DEPTH: 'pairwise' };
    const settings = read(environment, { dotenv, flags: { CONFORMANCE_RATE: '5' } });
    expect(settings).toMatchObject({ rate: 5, depth: 'pairwise', concurrency: 2 });
    const origins = [...settings.variables].map(([name, { origin }]) => [name, origin]);
    expect(Object.fromEntries(origins)).toEqual({
      TARGET_BASE_URL: 'environment',
      USER_TOKEN: 'environment',
      CONFORMANCE_RATE: 'flag',
      CONFORMANCE_DEPTH: 'environment',
      CONFORMANCE_CONCURRENCY: '.env',
    });
  });

  test('name the flag that is wrong, and not the variable for which it is', () => {
    const wrong = { CONFORMANCE_DEPTH: 'ful', CONFORMANCE_TIMEOUT_MS: 'x', CONFORMANCE_CLAIMS: 'usr' };
    const problems = (sources: Partial<Sources>) => refusalOf(() => read(minimal, sources));
    for (const flag of ['--depth must be one of', '--timeout must be a number', '--claims names "usr"'])
      expect(problems({ flags: wrong })).toContain(flag);
    expect(problems({ environment: { ...minimal, ...wrong } })).toContain('CONFORMANCE_DEPTH must be one of');
  });

  test('limit the rate for a target on another machine, and not on this machine', () => {
    expect(read(minimal)).toMatchObject({
      depth: 'core',
      rate: 10,
      concurrency: 4,
      chatTimeoutMs: 90_000,
      chatBudget: undefined,
    });
    expect(read({ ...minimal, TARGET_BASE_URL: 'http://localhost' }).rate).toBeUndefined();
  });

  test.each<[Sources['environment'], readonly string[], readonly string[]]>([
    [{}, ['USER'], []],
    [{ OKTA_TOKEN: 'x', GLOBAL_TOKEN: 'y' }, ['USER', 'GLOBAL', 'OKTA'], []],
    [{ USER_TOKEN_SEARCH: 'x', USER_TOKEN_CHAT: 'y' }, ['USER'], []],
    [{ USER_TOKEN_PINS: 'x' }, ['USER'], ['scopes']],
  ])('infer from %j the kinds %j and the capabilities %j', (more, kinds, capabilities) => {
    expect(read({ ...minimal, ...more }).claims).toEqual({ kinds, capabilities, inferred: true });
  });

  test('prefer stated claims to inferred ones', () => {
    const claims = read({ ...minimal, OKTA_TOKEN: 'x', CONFORMANCE_CLAIMS: 'Global, scopes' }).claims;
    expect(claims).toEqual({ kinds: ['GLOBAL'], capabilities: ['scopes'], inferred: false });
  });

  test.each<[string, Partial<Sources>, boolean]>([
    ['nothing is set', {}, true],
    ['only unrelated variables are set', { environment: { PATH: '/bin', LANG: 'C' } }, true],
    [
      'only the report folder and the rate are set',
      { environment: { CONFORMANCE_RATE: '1' }, dotenv: { CONFORMANCE_REPORT_DIR: 'x' } },
      true,
    ],
    ['a claim is in the environment', { environment: { CONFORMANCE_CLAIMS: 'user' } }, false],
    ['a flag names a claim', { flags: { CONFORMANCE_CLAIMS: 'user' } }, false],
    ['a flag names a depth', { flags: { CONFORMANCE_DEPTH: 'core' } }, true],
    ['a variable is empty', { environment: { TARGET_BASE_URL: '' } }, false],
    ['a variable is in .env', { dotenv: { UNKNOWN_EMAIL: 'a@b.example' } }, false],
    ['a misspelled variable is in .env', { dotenv: { TARGET_BASE_ULR: 'x' } }, false],
    ['a misspelled variable is in the environment', { environment: { TARGET_BASE_ULR: 'x' } }, false],
  ])('name no target if %s: %s', (_what, sources, expected) => {
    expect(namesNoTarget(catalogue, { environment: {}, dotenv: {}, ...sources })).toBe(expected);
  });
});

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
])('%s in the environment is a typo of %s', (name, meant) => {
  expect(inEnvironment(name)).toEqual([`the environment sets ${name}; did you mean ${meant}?`]);
});

test.each([
  ...['PATH', 'HOME', 'USERNAME', 'USER', 'CONFORMANCE', 'DATABASE_URL', 'BASE_URL', 'GIT_AUTHOR_EMAIL'],
  ...['GITHUB_TOKEN', 'NPM_TOKEN', 'GITLAB_TOKEN', 'VAULT_TOKEN', 'AUTH_TOKEN', 'GITEA_TOKEN', 'JIRA_TOKEN'],
  ...['GIT_TOKEN', 'OAUTH2_TOKEN', 'AUTHOR_EMAIL', 'USER_TOKEN_FILE', 'USER_TOKEN_PATH'],
])('%s in the environment belongs to another program', (name) => {
  expect(inEnvironment(name)).toEqual([]);
});

test.each(known.slice(0, 3))('%s is known in the environment and in .env', (name) => {
  expect([inEnvironment(name), inFile(name)]).toEqual([[], []]);
});

test.each([
  ['USER_TOKN_SEARCH', '; did you mean USER_TOKEN_SEARCH?'],
  ['USER_SHOE_SIZE', ''],
  ['TARGET_ADDRESS', ''],
])('%s in .env is unknown, and is shown because it looks like a variable', (name, meant) => {
  expect(inFile(name)).toEqual([expect.stringMatching(`^\\.env sets ${name}, which is not a variable of the suite`)]);
  expect(inFile(name)[0]?.endsWith(meant)).toBe(true);
});

test.each(['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY'])('%s in .env says where it belongs', (name) => {
  expect(inFile(name)).toEqual([expect.stringMatching(`^\\.env sets ${name}, .*: export it there`)]);
});

test.each(['EDITOR', 'QQ', 'dGhpcyBpcyBhIHNlY3JldA', 'QUJDREVGR0hJSktMTU5PUA', 'A_B_C', 'user_token'])(
  '%s in .env is not shown, because it may be part of a secret',
  (name) => {
    const found = { environment: {}, dotenv: { CONFORMANCE_RATE: '1', [name]: 'x' }, lines: new Map([[name, 8]]) };
    const [line, ...more] = unknownNames(known, found);
    expect(more).toEqual([]);
    expect(line).toMatch(/^\.env: line 8 sets an unknown name; it is not shown/);
    expect(line).not.toContain(name);
  },
);

test('many unknown variables are those of another contract', () => {
  const names = ['ADMIN_TOKEN', 'AGENT_TOKEN', 'AGENT_TOKEN_EXPIRED', 'AGENT_EMAIL'];
  const linesFor = (some: readonly string[]) =>
    unknownNames(known, { environment: {}, dotenv: Object.fromEntries(some.map((name) => [name, 'x'])) });
  expect(linesFor(names)[0]).toMatch(/^\.env has variables of another contract: name the right one with --contract/);
  expect(linesFor(names.slice(1))).toHaveLength(3);
});

test('an email is told what names the same person where people have logins', () => {
  const logins = ['USER_TOKEN', 'USER_LOGIN', 'USER_TOKEN_EXPIRED'];
  const lines = unknownNames(logins, { environment: {}, dotenv: { USER_EMAIL: 'x', ROOT_EMAIL: 'x' } });
  expect(lines[0]).toBe('.env sets USER_EMAIL, which is not a variable of the suite; did you mean USER_LOGIN?');
  expect(lines[1]).not.toContain('did you mean');
});

test.each([
  ['CONFORMANCE_DEPTH', TOKEN, /CONFORMANCE_DEPTH must be .* not a text that is not shown, because it may be/],
  ['CONFORMANCE_RATE', TOKEN, /CONFORMANCE_RATE must be .* not a text that is not shown, because it may be/],
  ['CONFORMANCE_CLAIMS', `user ${TOKEN}`, /CONFORMANCE_CLAIMS names a text that is not shown, because it may be/],
  ['CONFORMANCE_DEPTH', 'fZkLmNpRsTuVwfZkLmNpRsTuVw', /CONFORMANCE_DEPTH must be .* not a text that is not shown/],
  ['MCP_URL', `https://uma:${TOKEN}@mcp.example/`, /MCP_URL must be an http or https URL without a user name/],
])('a secret in the place of %s is not shown', (name, value, message) => {
  const refused = refusalOf(() => settingsWith({ [name]: value }));
  expect(refused).toMatch(message);
  expect(refused.toLowerCase()).not.toContain(value.slice(-12).toLowerCase());
});
