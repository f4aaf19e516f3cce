import { describe, expect, test } from 'vitest';
import { type Reply, send } from '../../fixtures/plain/answers.ts';
import { type PlainRequest, plainOperations, readToken } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { protocol } from './protocol.ts';

/** The verdicts on the plain target with pieces replaced, by requirement. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(protocol, options);
  return Object.fromEntries(decisions.map(({ requirement, verdict }) => [requirement, verdict]));
}
const IDS = ['rfc.challenge', 'rfc.allow', 'rfc.secret-echo', 'rfc.no-store', 'rfc.query-token'];
const all = (verdict: string) => Object.fromEntries(IDS.map((id) => [id, verdict]));
const inQuery = ({ query }: PlainRequest) => query.includes('access_token');

describe('the advice of the RFCs', () => {
  test('is followed by the plain target', async () => {
    expect(await decide()).toEqual(all('pass'));
  });

  test('is inconclusive if no answer comes', async () => {
    expect(await decide(answering(() => true, saying(504)))).toEqual(all('inconclusive'));
  });

  test('is decided by the answers that come, if a token is accepted', async () => {
    const carriesToken = ({ token, headers }: PlainRequest) => (token ?? headers.authorization) !== undefined;
    expect(await decide(answering(carriesToken, saying(502)))).toEqual(all('inconclusive'));
    const isExpired = ({ token }: PlainRequest) => token === tokens.env.USER_TOKEN_EXPIRED;
    expect(await decide(answering(isExpired, saying(502)))).toEqual(all('pass'));
  });
});

test.each([
  ['rfc.challenge', 'WWW-Authenticate', 'WWW-Authenticate: Bearer on a 401', /^no WWW-Authenticate on the 401 to /],
  ['rfc.allow', 'Allow', 'Allow on a 405', /^no Allow on the 405 to DELETE$/],
])('%s without the header %s says what is wanted and what is missing', async (requirement, name, wanted, detail) => {
  const without = (reply: Reply): Reply => {
    const { [name]: _left, ...headers } = reply.headers;
    return { ...reply, headers };
  };
  const { decisions } = await runOnPlain(
    protocol,
    answering(() => true, without),
  );
  expect(decisions.find((found) => found.requirement === requirement)).toMatchObject({
    verdict: 'warn',
    wanted,
    detail: expect.stringMatching(detail),
  });
});

describe('a token in the query string', () => {
  const acceptingIt: PlainOptions = {
    readToken: (request) => readToken(request) ?? new URLSearchParams(request.query).get('access_token') ?? undefined,
  };

  test('is a warning if it is accepted', async () => {
    expect(await decide(acceptingIt)).toEqual({ ...all('pass'), 'rfc.query-token': 'warn' });
  });

  test('is inconclusive if no answer comes', async () => {
    expect(await decide(answering(inQuery, saying(503)))).toEqual({
      ...all('pass'),
      'rfc.query-token': 'inconclusive',
    });
  });

  test('is not blamed if requests without a token are accepted, or if the token is refused in Authorization', async () => {
    const isSearch = ({ path, method }: PlainRequest) => path === plainOperations[0]?.path && method === 'POST';
    expect(await decide(answering(isSearch, saying(200)))).toMatchObject({ 'rfc.query-token': 'inconclusive' });
    expect(await decide(answering(isSearch, saying(403)))).toMatchObject({ 'rfc.query-token': 'inconclusive' });
  });
});

test('a DELETE without an answer is sent once after a timeout: silence is a likely answer to it', async () => {
  let sent = 0;
  const options: PlainOptions = {
    send(reply, response, request) {
      if (request.method !== 'DELETE') return send(reply, response);
      sent += 1;
    },
  };
  const { decisions } = await runOnPlain(protocol, options, { CONFORMANCE_TIMEOUT_MS: '300' });
  expect(decisions.find(({ requirement }) => requirement === 'rfc.allow')?.verdict).toBe('inconclusive');
  expect(sent).toBe(1);
});

test('a DELETE is sent again if the connection is reset', async () => {
  let sent = 0;
  const options: PlainOptions = {
    send(reply, response, request) {
      if (request.method !== 'DELETE') return send(reply, response);
      sent += 1;
      if (sent > 1) return send(reply, response);
      response.socket?.resetAndDestroy();
    },
  };
  const { decisions } = await runOnPlain(protocol, options);
  expect(decisions.find(({ requirement }) => requirement === 'rfc.allow')?.verdict).not.toBe('inconclusive');
  expect(sent).toBe(2);
});
