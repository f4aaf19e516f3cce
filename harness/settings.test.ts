import { describe, expect, test } from 'vitest';
import { isConfigurationError } from './configuration-error.ts';
import { nothingSet, readSettings, type Settings, type Sources } from './settings.ts';
import { contract } from './small-world.test.setup.ts';

const SECRET = 'f3q8Zk1LmN0pR5sTuV7w';
const least = { TARGET_BASE_URL: 'https://api.example', USER_TOKEN: SECRET };

function read(environment: Sources['environment'], more: Partial<Sources> = {}): Settings {
  return readSettings(contract, { environment, dotenv: {}, ...more });
}

function refusal(environment: Sources['environment'], more: Partial<Sources> = {}): string {
  try {
    read(environment, more);
  } catch (error) {
    if (isConfigurationError(error)) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the settings refuse', () => {
  test.each<[string, Sources['environment'], RegExp]>([
    ['a base URL that is missing beside tokens', { USER_TOKEN: SECRET }, /TARGET_BASE_URL is missing/],
    ['a base URL that is missing beside claims', { CONFORMANCE_CLAIMS: 'user' }, /TARGET_BASE_URL is missing/],
    ['a base URL without any token', { TARGET_BASE_URL: 'https://api.example' }, /no token is/],
    ['an empty base URL', { ...least, TARGET_BASE_URL: '' }, /TARGET_BASE_URL is set but empty/],
    ['a blank base URL', { ...least, TARGET_BASE_URL: '  ' }, /TARGET_BASE_URL is set but empty/],
    ['a base URL that is none', { ...least, TARGET_BASE_URL: 'api.example' }, /TARGET_BASE_URL is not a URL/],
    ['a base URL of another scheme', { ...least, TARGET_BASE_URL: 'ftp://api.example' }, /scheme ftp:/],
    [
      'a base URL with a password',
      { ...least, TARGET_BASE_URL: `https://a:${SECRET}@api.example` },
      /user or password/,
    ],
    [
      'a base URL with a query',
      { ...least, TARGET_BASE_URL: `https://api.example?key=${SECRET}` },
      /query or fragment/,
    ],
    [
      'plain http to another host',
      { ...least, TARGET_BASE_URL: 'http://api.example' },
      /plain http to api\.example.*--insecure/,
    ],
    ['an empty token', { ...least, GLOBAL_TOKEN: '' }, /GLOBAL_TOKEN is set but empty/],
    ['a blank token', { ...least, USER_TOKEN_CHAT: ' ' }, /USER_TOKEN_CHAT is set but empty/],
    ['an empty setting', { ...least, CONFORMANCE_CLAIMS: '' }, /CONFORMANCE_CLAIMS is set but empty/],
    [
      'a near miss in the environment',
      { ...least, USER_TOKN_SEARCH: SECRET },
      /USER_TOKN_SEARCH; did you mean USER_TOKEN_SEARCH\?/,
    ],
    ['a misspelt target in the environment', { ...least, TARGET_BASE_ULR: SECRET }, /did you mean TARGET_BASE_URL\?/],
    ['a query without its marker', { ...least, USER_PRIVATE_QUERY: SECRET }, /USER_PRIVATE_MARKER is missing/],
    ['a marker without its query', { ...least, ACT_AS_PRIVATE_MARKER: SECRET }, /ACT_AS_PRIVATE_QUERY is missing/],
    [
      'a query that contains its marker',
      { ...least, USER_PRIVATE_QUERY: `my ${SECRET.toUpperCase()} notes`, USER_PRIVATE_MARKER: SECRET },
      /USER_PRIVATE_QUERY contains USER_PRIVATE_MARKER/,
    ],
    ['a depth that does not exist', { ...least, CONFORMANCE_DEPTH: 'ful' }, /CONFORMANCE_DEPTH.*did you mean full\?/],
    ['a rate of nothing', { ...least, CONFORMANCE_RATE: '0' }, /CONFORMANCE_RATE is not a number of at least 0\.1/],
    ['a rate that is no number', { ...least, CONFORMANCE_RATE: 'fast' }, /CONFORMANCE_RATE is not a number/],
    ['a concurrency below one', { ...least, CONFORMANCE_CONCURRENCY: '-1' }, /CONFORMANCE_CONCURRENCY/],
    ['a timeout without end', { ...least, CONFORMANCE_TIMEOUT_MS: 'Infinity' }, /CONFORMANCE_TIMEOUT_MS/],
    ['a claim that is none', { ...least, CONFORMANCE_CLAIMS: 'user,gogle' }, /gogle.*did you mean google\?/],
    [
      'extra headers that are no JSON',
      { ...least, CONFORMANCE_EXTRA_HEADERS: `X-Key: ${SECRET}` },
      /not a JSON object/,
    ],
    ['extra headers that are a list', { ...least, CONFORMANCE_EXTRA_HEADERS: `["${SECRET}"]` }, /not a JSON object/],
    ['extra headers with a number', { ...least, CONFORMANCE_EXTRA_HEADERS: '{"X-Key":1}' }, /not a JSON object/],
  ])('%s, and show no value', (_what, environment, message) => {
    const refused = refusal(environment);
    expect(refused).toMatch(message);
    expect(refused.toLowerCase()).not.toContain(SECRET.toLowerCase());
  });

  test('any unknown name in .env, with the likely meant one', () => {
    expect(refusal(least, { dotenv: { USER_TOKN_SEARCH: SECRET } })).toMatch(
      /\.env sets USER_TOKN_SEARCH.*USER_TOKEN_SEARCH\?/,
    );
    expect(refusal(least, { dotenv: { EDITOR: SECRET } })).toMatch(
      /\.env sets EDITOR, which the suite does not know$/m,
    );
  });

  test('every problem at once', () => {
    const lines = refusal({ TARGET_BASE_URL: 'http://api.example', GLOBAL_TOKEN: '', CONFORMANCE_RATE: 'x' }).split(
      '\n',
    );
    expect(lines).toHaveLength(3);
  });
});

describe('the settings accept', () => {
  test.each(['PATH', 'HOME', 'GITHUB_TOKEN', 'NPM_TOKEN', 'USERNAME', 'USER', 'GIT_AUTHOR_EMAIL', 'CONFORMANCE'])(
    'the name %s of others in the environment',
    (name) => {
      expect(read({ ...least, [name]: 'x' }).variables.has(name)).toBe(false);
    },
  );

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.2'])(
    'plain http to the loopback address %s',
    (url) => {
      expect(read({ ...least, TARGET_BASE_URL: url }).loopback).toBe(true);
    },
  );

  test('plain http to another host where it is asked for', () => {
    const { baseUrl, loopback } = read({ ...least, TARGET_BASE_URL: 'http://api.example' }, { insecure: true });
    expect({ baseUrl, loopback }).toEqual({ baseUrl: 'http://api.example', loopback: false });
  });

  test('a command that mints tokens instead of a token', () => {
    const environment = { TARGET_BASE_URL: 'https://api.example', TOKEN_COMMAND: 'mint', CONFORMANCE_CLAIMS: 'user' };
    expect(read(environment).claims.kinds).toEqual(['USER']);
  });

  test('a path prefix, without its trailing slash', () => {
    expect(read({ ...least, TARGET_BASE_URL: 'https://api.example/a/b//' }).baseUrl).toBe('https://api.example/a/b');
  });

  test('extra headers', () => {
    const { extraHeaders } = read({ ...least, CONFORMANCE_EXTRA_HEADERS: '{"X-Key":"a","X-Other":"b"}' });
    expect(extraHeaders).toEqual([
      ['X-Key', 'a'],
      ['X-Other', 'b'],
    ]);
  });
});

describe('the settings', () => {
  test('take a flag before the environment and the environment before .env', () => {
    const dotenv = { CONFORMANCE_RATE: '1', CONFORMANCE_DEPTH: 'core', CONFORMANCE_CONCURRENCY: '2' };
    const environment = { ...least, CONFORMANCE_RATE: '3', CONFORMANCE_DEPTH: 'pairwise' };
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

  test('are polite to a remote target and fast on loopback', () => {
    expect(read(least)).toMatchObject({
      depth: 'core',
      rate: 10,
      concurrency: 4,
      chatTimeoutMs: 90_000,
      chatBudget: 30,
    });
    expect(read({ ...least, TARGET_BASE_URL: 'http://localhost' }).rate).toBeUndefined();
  });

  test.each<[Sources['environment'], readonly string[], readonly string[]]>([
    [{}, ['USER'], []],
    [{ OKTA_TOKEN: 'x', GLOBAL_TOKEN: 'x' }, ['USER', 'GLOBAL', 'OKTA'], []],
    [{ USER_TOKEN_SEARCH: 'x', USER_TOKEN_CHAT: 'x' }, ['USER'], []],
    [{ USER_TOKEN_PINS: 'x' }, ['USER'], ['scopes']],
  ])('infer from %j the claims %j %j', (more, kinds, capabilities) => {
    expect(read({ ...least, ...more }).claims).toEqual({ kinds, capabilities, inferred: true });
  });

  test('let stated claims win over inferred ones', () => {
    const claims = read({ ...least, OKTA_TOKEN: 'x', CONFORMANCE_CLAIMS: 'Global, scopes' }).claims;
    expect(claims).toEqual({ kinds: ['GLOBAL'], capabilities: ['scopes'], inferred: false });
  });

  test.each<[string, Partial<Sources>, boolean]>([
    ['no variable is', {}, true],
    ["only others' are", { environment: { PATH: '/bin', LANG: 'C' } }, true],
    ['one is in the environment', { environment: { CONFORMANCE_RATE: '1' } }, false],
    ['one is empty', { environment: { TARGET_BASE_URL: '' } }, false],
    ['one is in .env', { dotenv: { UNKNOWN_EMAIL: 'a@b.example' } }, false],
  ])('know that nothing is set when %s: %s', (_what, sources, expected) => {
    expect(nothingSet(contract, { environment: {}, dotenv: {}, ...sources })).toBe(expected);
  });
});
