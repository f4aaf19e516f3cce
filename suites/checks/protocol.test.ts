import { describe, expect, test } from 'vitest';
import { type PlainRequest, plainOperations, readToken } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying } from '../testing/one-check.ts';
import { protocol } from './protocol.ts';

/** What is decided of the plain target with pieces replaced, by requirement. */
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

  test('is not read off answers that never came', async () => {
    expect(await decide(answering(() => true, saying(504)))).toEqual(all('inconclusive'));
  });

  test('is read off those that came', async () => {
    const carriesToken = ({ token, headers }: PlainRequest) => (token ?? headers.authorization) !== undefined;
    expect(await decide(answering(carriesToken, saying(502)))).toEqual({
      ...all('pass'),
      'rfc.secret-echo': 'inconclusive',
      'rfc.no-store': 'inconclusive',
      'rfc.query-token': 'inconclusive',
    });
  });
});

describe('a token in the query string', () => {
  const takingIt: PlainOptions = {
    readToken: (request) => readToken(request) ?? new URLSearchParams(request.query).get('access_token') ?? undefined,
  };

  test('that is accepted is a warning', async () => {
    expect(await decide(takingIt)).toEqual({ ...all('pass'), 'rfc.query-token': 'warn' });
  });

  test('that is not answered is undecided', async () => {
    expect(await decide(answering(inQuery, saying(503)))).toEqual({
      ...all('pass'),
      'rfc.query-token': 'inconclusive',
    });
  });

  test('shows nothing where a request without any is accepted too, or not even the token in its place', async () => {
    const isSearch = ({ path, method }: PlainRequest) => path === plainOperations[0]?.path && method === 'POST';
    expect(await decide(answering(isSearch, saying(200)))).toMatchObject({ 'rfc.query-token': 'observed' });
    expect(await decide(answering(isSearch, saying(403)))).toMatchObject({ 'rfc.query-token': 'inconclusive' });
  });
});
