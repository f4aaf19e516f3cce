import { describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { catalogue } from '../testing/small-world.ts';
import { readSettings } from './read-settings.ts';
import type { Sources } from './settings.ts';

const SECRET = 'f3q8Zk1LmN0pR5sTuV7w';
const least = { TARGET_BASE_URL: 'https://api.example', USER_TOKEN: SECRET };

function refusal(environment: Sources['environment'], more: Partial<Sources> = {}): string {
  try {
    readSettings(catalogue, { environment, dotenv: {}, ...more });
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
    [
      'an issuer that is no URL',
      { ...least, AUTHORIZATION_SERVER_ISSUER: 'login' },
      /AUTHORIZATION_SERVER_ISSUER is not/,
    ],
    ['a depth that does not exist', { ...least, CONFORMANCE_DEPTH: 'ful' }, /CONFORMANCE_DEPTH.*did you mean full\?/],
    ['a rate of nothing', { ...least, CONFORMANCE_RATE: '0' }, /CONFORMANCE_RATE is not a number of at least 0\.1/],
    [
      'a rate that is no number',
      { ...least, CONFORMANCE_RATE: 'fast' },
      /CONFORMANCE_RATE is not a number of at least 0\.1 but "fast"/,
    ],
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
    [
      'an extra header that is a line of two',
      { ...least, CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ 'X-Key': `${SECRET}\nX: y` }) },
      /EXTRA_HEADERS has a value for X-Key with a line break/,
    ],
    [
      'an extra header with no name for one',
      { ...least, CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ [`X ${SECRET}`]: 'y' }) },
      /EXTRA_HEADERS has a name that no header may have \(number 1\)/,
    ],
    [
      'an extra header that the suite sets itself',
      { ...least, CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ authorization: SECRET }) },
      /EXTRA_HEADERS sets authorization, which the suite sets itself/,
    ],
    ...['\n', '\r\n', '\0', '\x7f', 'ł', '🔑'].map((odd): [string, Sources['environment'], RegExp] => [
      `a token with ${JSON.stringify(odd)} in it`,
      { ...least, USER_TOKEN_CHAT: `${SECRET}${odd}x` },
      /USER_TOKEN_CHAT holds a line break or another character/,
    ]),
    ['a token behind a blank', { ...least, USER_TOKEN: ` ${SECRET}` }, /USER_TOKEN begins or ends with a blank/],
    ['a person without a domain', { ...least, USER_EMAIL: SECRET }, /USER_EMAIL is not an email address/],
    [
      'a person with a line break',
      { ...least, UNKNOWN_EMAIL: `${SECRET}@b.example\n` },
      /UNKNOWN_EMAIL is not an email address/,
    ],
    [
      'one person for two',
      { ...least, ACT_AS_EMAIL: `${SECRET}@b.example`, USER_EMAIL: `${SECRET.toLowerCase()}@B.example` },
      /USER_EMAIL is the same person as ACT_AS_EMAIL/,
    ],
    [
      'one person for two of a provider',
      { ...least, ACT_AS_EMAIL: `${SECRET}@b.example`, OKTA_EMAIL: `${SECRET}@b.example` },
      /OKTA_EMAIL is the same person as ACT_AS_EMAIL/,
    ],
    [
      'somebody for nobody',
      { ...least, UNKNOWN_EMAIL: `${SECRET}@b.example`, USER_EMAIL: `${SECRET}@b.example` },
      /UNKNOWN_EMAIL is the person of USER_EMAIL/,
    ],
    [
      'one marker for two people',
      {
        ...least,
        USER_PRIVATE_QUERY: 'a',
        USER_PRIVATE_MARKER: SECRET,
        ACT_AS_PRIVATE_QUERY: 'b',
        ACT_AS_PRIVATE_MARKER: `x${SECRET}`,
      },
      /ACT_AS_PRIVATE_MARKER and USER_PRIVATE_MARKER are the same, or one contains the other/,
    ],
    [
      "a query that contains the other's marker",
      {
        ...least,
        USER_PRIVATE_QUERY: `notes ${SECRET}`,
        USER_PRIVATE_MARKER: 'u-marker',
        ACT_AS_PRIVATE_QUERY: 'b',
        ACT_AS_PRIVATE_MARKER: SECRET,
      },
      /USER_PRIVATE_QUERY contains ACT_AS_PRIVATE_MARKER/,
    ],
    [
      'tokens that claim nothing',
      { TARGET_BASE_URL: 'https://api.example', USER_TOKEN_EXPIRED: SECRET },
      /USER_TOKEN_EXPIRED is set but no full token is; set USER_TOKEN/,
    ],
    ['claims without a kind', { ...least, CONFORMANCE_CLAIMS: 'scopes' }, /CONFORMANCE_CLAIMS names no kind of token/],
    [
      'a command that mints for nothing',
      { TARGET_BASE_URL: 'https://api.example', TOKEN_COMMAND: SECRET },
      /TOKEN_COMMAND is set but nothing is claimed/,
    ],
    [
      'plain http to a host that only begins like loopback',
      { ...least, TARGET_BASE_URL: 'http://127.example.com' },
      /plain http to 127\.example\.com/,
    ],
  ])('%s, and show no value', (_what, environment, message) => {
    const refused = refusal(environment);
    expect(refused).toMatch(message);
    expect(refused.toLowerCase()).not.toContain(SECRET.toLowerCase());
  });

  test('any unknown name in .env, with the likely meant one', () => {
    expect(refusal(least, { dotenv: { USER_TOKN_SEARCH: SECRET } })).toMatch(
      /\.env sets USER_TOKN_SEARCH.*USER_TOKEN_SEARCH\?/,
    );
  });

  test('every problem at once', () => {
    const lines = refusal({ TARGET_BASE_URL: 'http://api.example', GLOBAL_TOKEN: '', CONFORMANCE_RATE: 'x' }).split(
      '\n',
    );
    expect(lines).toHaveLength(3);
  });
});
