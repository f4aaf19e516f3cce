import { describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import { catalogue } from '../testing/small-world.ts';
import { readSettings } from './read-settings.ts';
import type { Sources } from './settings.ts';

const SECRET = 'f3q8Zk1LmN0pR5sTuV7w';
const EMAIL = `${SECRET}@b.example`;
const minimal = { TARGET_BASE_URL: 'https://api.example', USER_TOKEN: SECRET };

const refusal = (environment: Sources['environment'], more: Partial<Sources> = {}) =>
  refusalOf(() => readSettings(catalogue, { environment, dotenv: {}, ...more }));

describe('the settings refuse', () => {
  test.each<[string, Sources['environment'], RegExp]>([
    ['tokens without a base URL', { TARGET_BASE_URL: undefined }, /TARGET_BASE_URL is missing/],
    [
      'claims without a base URL',
      { TARGET_BASE_URL: undefined, USER_TOKEN: undefined, CONFORMANCE_CLAIMS: 'user' },
      /TARGET_BASE_URL is missing/,
    ],
    ['a base URL without any token', { USER_TOKEN: undefined }, /TARGET_BASE_URL is set, but no token/],
    ['an empty base URL', { TARGET_BASE_URL: '' }, /TARGET_BASE_URL is set but empty/],
    ['a blank base URL', { TARGET_BASE_URL: '  ' }, /TARGET_BASE_URL is set but empty/],
    ['a base URL that is not a URL', { TARGET_BASE_URL: 'api.example' }, /TARGET_BASE_URL is not a URL/],
    ['a base URL without a scheme', { TARGET_BASE_URL: 'localhost:80' }, /TARGET_BASE_URL has no scheme/],
    ['a base URL with another scheme', { TARGET_BASE_URL: 'ftp://api.example' }, /scheme ftp:/],
    ['a base URL with a password', { TARGET_BASE_URL: `https://a:${SECRET}@api.example` }, /user name or password/],
    ['a base URL with a query', { TARGET_BASE_URL: `https://api.example?key=${SECRET}` }, /query or fragment/],
    ['plain http to another host', { TARGET_BASE_URL: 'http://api.example' }, /plain http to api\.example.*--insecure/],
    ['an empty token', { GLOBAL_TOKEN: '' }, /GLOBAL_TOKEN is set but empty/],
    ['a blank token', { USER_TOKEN_CHAT: ' ' }, /USER_TOKEN_CHAT is set but empty/],
    ['an empty setting', { CONFORMANCE_CLAIMS: '' }, /CONFORMANCE_CLAIMS is set but empty/],
    ['a typo in the environment', { USER_TOKN_SEARCH: SECRET }, /USER_TOKN_SEARCH; did you mean USER_TOKEN_SEARCH\?/],
    ['a misspelled base URL in the environment', { TARGET_BASE_ULR: SECRET }, /did you mean TARGET_BASE_URL\?/],
    ['a query without its marker', { USER_PRIVATE_QUERY: SECRET }, /USER_PRIVATE_MARKER is missing/],
    ['a marker without its query', { ACT_AS_PRIVATE_MARKER: SECRET }, /ACT_AS_PRIVATE_QUERY is missing/],
    [
      'a query that contains its marker',
      { USER_PRIVATE_QUERY: `my ${SECRET.toUpperCase()} notes`, USER_PRIVATE_MARKER: SECRET },
      /USER_PRIVATE_QUERY contains USER_PRIVATE_MARKER/,
    ],
    [
      'a query that contains its marker with other separators',
      { USER_PRIVATE_QUERY: 'of Uma 4711', USER_PRIVATE_MARKER: 'of-uma-4711' },
      /USER_PRIVATE_QUERY contains USER_PRIVATE_MARKER/,
    ],
    ['an issuer that is not a URL', { AUTHORIZATION_SERVER_ISSUER: 'login' }, /AUTHORIZATION_SERVER_ISSUER must be/],
    ['a remote MCP server that is not a URL', { MCP_URL: 'mcp' }, /MCP_URL must be an http or https URL/],
    ['plain http to a remote MCP server elsewhere', { MCP_URL: 'http://mcp.example/' }, /MCP_URL is plain http/],
    ['a token with its scheme', { OAUTH_MCP_TOKEN: `Bearer ${SECRET}` }, /OAUTH_MCP_TOKEN starts with Bearer/],
    [
      'one token for the client API and the remote MCP server',
      { OAUTH_MCP_TOKEN: SECRET },
      /OAUTH_MCP_TOKEN and USER_TOKEN are the same token/,
    ],
    ['an unknown depth', { CONFORMANCE_DEPTH: 'ful' }, /CONFORMANCE_DEPTH.*did you mean full\?/],
    ['a rate of zero', { CONFORMANCE_RATE: '0' }, /_RATE must be a number from 0\.1 to 1000000, not "0"/],
    [
      'a rate that is not a number',
      { CONFORMANCE_RATE: 'fast' },
      /CONFORMANCE_RATE must be a number from 0\.1 to 1000000, not "fast"/,
    ],
    [
      'a private marker that nothing replaced',
      { USER_PRIVATE_QUERY: 'orchard', USER_PRIVATE_MARKER: '$(USER_PRIVATE_MARKER)' },
      /USER_PRIVATE_MARKER is a placeholder that nothing replaced; set the text itself/,
    ],
    [
      'a concurrency that no machine has',
      { CONFORMANCE_CONCURRENCY: '99999999999999999999' },
      /CONFORMANCE_CONCURRENCY must be a whole number from 1 to 10000, not "9{20}"/,
    ],
    ['a concurrency that is not whole', { CONFORMANCE_CONCURRENCY: '1.5' }, /must be a whole number/],
    [
      'a timeout for which a timer of Node would end at once',
      { CONFORMANCE_TIMEOUT_MS: '99999999999', CONFORMANCE_CHAT_TIMEOUT_MS: '2147483648' },
      /CONFORMANCE_TIMEOUT_MS must be a number from 1 to 86400000.*\n.*CONFORMANCE_CHAT_TIMEOUT_MS must be a number from 1/,
    ],
    ['a concurrency below one', { CONFORMANCE_CONCURRENCY: '-1' }, /CONFORMANCE_CONCURRENCY/],
    ['an infinite timeout', { CONFORMANCE_TIMEOUT_MS: 'Infinity' }, /CONFORMANCE_TIMEOUT_MS/],
    ['an unknown claim', { CONFORMANCE_CLAIMS: 'user,gogle' }, /gogle.*did you mean google\?/],
    ['extra headers that are not JSON', { CONFORMANCE_EXTRA_HEADERS: `X-Key: ${SECRET}` }, /must be a JSON object/],
    ['extra headers that are a list', { CONFORMANCE_EXTRA_HEADERS: `["${SECRET}"]` }, /must be a JSON object/],
    ['extra headers with a number', { CONFORMANCE_EXTRA_HEADERS: '{"X-Key":1}' }, /must be a JSON object/],
    [
      'an extra header with a line break',
      { CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ 'X-Key': `${SECRET}\nX: y` }) },
      /EXTRA_HEADERS has a value for X-Key with a line break/,
    ],
    [
      'an extra header with an invalid name',
      { CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ [`X ${SECRET}`]: 'y' }) },
      /EXTRA_HEADERS has an invalid header name \(entry 1\)/,
    ],
    [
      'an extra header that the suite sets itself',
      { CONFORMANCE_EXTRA_HEADERS: JSON.stringify({ authorization: SECRET }) },
      /EXTRA_HEADERS sets authorization, which the suite sets itself/,
    ],
    ...['\n', '\r\n', '\0', '\x7f', 'ł', '🔑'].map((odd): [string, Sources['environment'], RegExp] => [
      `a token with ${JSON.stringify(odd)} in it`,
      { USER_TOKEN_CHAT: `${SECRET}${odd}x` },
      /USER_TOKEN_CHAT contains a line break, a curly quote or another character/,
    ]),
    ['a token after a space', { USER_TOKEN: ` ${SECRET}` }, /USER_TOKEN starts or ends with whitespace/],
    ['an email with other letters', { USER_EMAIL: 'zoë@b.example' }, /USER_EMAIL is not an email .* ASCII/],
    ['an email in quotes', { USER_EMAIL: '"a b"@c.example' }, /USER_EMAIL .* with one @ and no blank$/m],
    ['an email without a domain', { USER_EMAIL: SECRET }, /USER_EMAIL is not an email address/],
    ['an email with a line break', { UNKNOWN_EMAIL: `${SECRET}@b.example\n` }, /UNKNOWN_EMAIL is not an email address/],
    [
      'one person as ACT_AS_EMAIL and USER_EMAIL',
      { ACT_AS_EMAIL: `${SECRET}@b.example`, USER_EMAIL: `${SECRET.toLowerCase()}@B.example` },
      /USER_EMAIL is the same person as ACT_AS_EMAIL/,
    ],
    [
      'one person as ACT_AS_EMAIL and OKTA_EMAIL',
      { ACT_AS_EMAIL: `${SECRET}@b.example`, OKTA_EMAIL: `${SECRET}@b.example` },
      /OKTA_EMAIL is the same person as ACT_AS_EMAIL/,
    ],
    [
      'a known person as UNKNOWN_EMAIL and FORMER_EMAIL',
      Object.fromEntries(['UNKNOWN', 'FORMER', 'USER'].map((one) => [`${one}_EMAIL`, EMAIL])),
      /UNKNOWN_EMAIL is the same person as USER_EMAIL.*\n.*FORMER_EMAIL is the same person as USER_EMAIL.*\s*$/,
    ],
    [
      'the same marker for two people',
      {
        USER_PRIVATE_QUERY: 'a',
        USER_PRIVATE_MARKER: SECRET,
        ACT_AS_PRIVATE_QUERY: 'b',
        ACT_AS_PRIVATE_MARKER: `x${SECRET}`,
      },
      /ACT_AS_PRIVATE_MARKER and USER_PRIVATE_MARKER are the same, or one contains the other/,
    ],
    [
      "a query that contains the other person's marker",
      {
        USER_PRIVATE_QUERY: `notes ${SECRET}`,
        USER_PRIVATE_MARKER: 'u-marker',
        ACT_AS_PRIVATE_QUERY: 'b',
        ACT_AS_PRIVATE_MARKER: SECRET,
      },
      /USER_PRIVATE_QUERY contains ACT_AS_PRIVATE_MARKER/,
    ],
    ['a USER token of nobody', { USER_EMAIL: 'nobody' }, /USER_EMAIL is not an email address .* blank$/m],
    [
      'an OAuth token that belongs to something that is no person',
      { OKTA_EMAIL: SECRET },
      /OKTA_EMAIL is not an email address in ASCII with one @ and no blank, and not nobody/,
    ],
    [
      'tokens from which no claim follows',
      { USER_TOKEN: undefined, USER_TOKEN_EXPIRED: SECRET },
      /USER_TOKEN_EXPIRED is set, but no token with every scope; set USER_TOKEN/,
    ],
    ['claims without a kind', { CONFORMANCE_CLAIMS: 'scopes' }, /CONFORMANCE_CLAIMS names no kind of token/],
    [
      'TOKEN_COMMAND without claims',
      { USER_TOKEN: undefined, TOKEN_COMMAND: SECRET },
      /TOKEN_COMMAND is set, but nothing is claimed/,
    ],
    [
      'plain http to a host that only starts like a loopback address',
      { TARGET_BASE_URL: 'http://127.example.com' },
      /plain http to 127\.example\.com/,
    ],
  ])('%s, without showing a value', (_what, changes, message) => {
    const refused = refusal({ ...minimal, ...changes });
    expect(refused).toMatch(message);
    expect(refused.toLowerCase()).not.toContain(SECRET.toLowerCase());
  });

  test('any unknown name in .env, with the closest known name', () => {
    expect(refusal(minimal, { dotenv: { USER_TOKN_SEARCH: SECRET } })).toMatch(
      /\.env sets USER_TOKN_SEARCH.*USER_TOKEN_SEARCH\?/,
    );
  });

  test.each(['OAUTH_EMAIL', 'GOOGLE_EMAIL'])('but not %s=nobody', (name) => {
    const settings = readSettings(catalogue, { environment: { ...minimal, [name]: 'nobody' }, dotenv: {} });
    expect(settings.variables.get(name)?.value).toBe('nobody');
  });

  test('every problem, in one error', () => {
    const lines = refusal({ TARGET_BASE_URL: 'http://api.example', GLOBAL_TOKEN: '', CONFORMANCE_RATE: 'x' }).split(
      '\n',
    );
    expect(lines).toHaveLength(3);
  });
});
