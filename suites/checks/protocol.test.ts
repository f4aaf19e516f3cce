import { describe, expect, test } from 'vitest';
import { type Reply, send } from '../../fixtures/plain/answers.ts';
import { type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { answering, runChecksOnPlain, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { isolation } from './documents/isolation.ts';
import { protocol } from './protocol.ts';

/** The verdicts on the plain target with pieces replaced, by requirement. */
async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(protocol, options);
  return verdictsOf(decisions);
}
function verdictsOf(decisions: readonly Pick<Decision, 'requirement' | 'verdict'>[]) {
  const ids = [...new Set(decisions.map(({ requirement }) => requirement))];
  const ofId = (id: string) => decisions.flatMap(({ requirement, verdict }) => (requirement === id ? [verdict] : []));
  return Object.fromEntries(ids.map((id) => [id, [...new Set(ofId(id))].join(' ')]));
}
const IDS = ['rfc.challenge', 'rfc.allow', 'rfc.secret-echo', 'rfc.no-store'];
const all = (verdict: string) => Object.fromEntries(IDS.map((id) => [id, verdict]));

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
  ['rfc.challenge', 'WWW-Authenticate', 'WWW-Authenticate: Bearer on a 401', /^no WWW-Authenticate on a 401$/],
  ['rfc.allow', 'Allow', 'Allow on a 405', /^no Allow on a 405$/],
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

test('a challenge that is left out of the record, because it shows a secret, is no challenge that was seen', async () => {
  const shown = '<left out: it shows USER_TOKEN in another form>';
  const showing = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'WWW-Authenticate': shown } });
  expect(await decide(answering(() => true, showing))).not.toHaveProperty('rfc.challenge');
});

test('what every check and the matrix got is read, for each operation and kind of token', async () => {
  const isChat = ({ path, record }: PlainRequest) => path === plainOperations[1]?.path && record?.kind === 'OAUTH';
  const shared = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'public' } });
  const { decisions } = await runChecksOnPlain([isolation, protocol], answering(isChat, shared));
  const wrong = decisions.filter(({ verdict }) => verdict === 'warn');
  expect(wrong.map(({ requirement, operation, kind }) => `${requirement} ${operation}/${kind}`)).toEqual([
    'rfc.no-store chat/OAUTH',
  ]);
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
