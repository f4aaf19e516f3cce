import { describe, expect, test } from 'vitest';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import type { Transport } from '../../../harness/send/transport.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import { catalogue } from '../../../harness/testing/contract.ts';
import { runImagined } from '../../testing/imagined-run.ts';
import { authorizationFlow } from './flow.ts';
import { authorizationHost } from './metadata.ts';

type Visited = Parameters<Transport['visit']>[1];

/** The decisions of both checks about an imagined authorization server with changed answers, and the number of visits. */
async function decide(
  change: (answer: RawAnswer, request: Visited) => RawAnswer | { kind: 'failure'; failure: 'timeout'; detail: string },
  variables: Readonly<Record<string, string>> = {},
) {
  const { AUTHORIZATION_SERVER_ISSUER: _issuer, ...made } = everyVariable(catalogue);
  const claimed = { CONFORMANCE_CLAIMS: 'oauth authorization-server', CONFORMANCE_RATE: '1000' };
  const settings = readSettings(catalogue, { environment: { ...made, ...claimed, ...variables }, dotenv: {} });
  let visits = 0;
  const { decisions } = await runImagined(settings, [authorizationHost, authorizationFlow], (right) => ({
    async visit(origin, request, timeoutMs) {
      visits += 1;
      const answer = await right.visit(origin, request, timeoutMs);
      return 'kind' in answer ? answer : change(answer, request);
    },
  }));
  const short = (id: string) => id.replace('authorization-server.', '');
  return { visits, found: decisions.map(({ requirement, verdict }) => `${short(requirement)}: ${verdict}`) };
}

const right = (answer: RawAnswer) => answer;
const asks =
  (wanted: (parameters: URLSearchParams, path: string) => boolean, change: (answer: RawAnswer) => RawAnswer) =>
  (answer: RawAnswer, { path, method }: Visited) => {
    const { pathname, searchParams } = new URL(path, 'https://login.example');
    return method === 'GET' && wanted(searchParams, pathname) ? change(answer) : answer;
  };
const withLocation = (parameters: string) => (answer: RawAnswer) => ({
  ...answer,
  status: 303,
  headers: { location: `http://127.0.0.1/signed-in?${parameters}` },
});
const page = (answer: RawAnswer) => ({ ...answer, status: 200, headers: {}, text: '<form><input name="user"></form>' });
const FLOW = ['registration-scope', 'registration-redirect', 'no-scope', 'sign-in', 'state', 'iss'].map(
  (name) => `${name}: pass`,
);

describe('an authorization server', () => {
  test('passes if it answers as the RFCs recommend, in a few visits', async () => {
    const { visits, found } = await decide(right);
    expect(found).toEqual(['host: pass', 'audience: observed', ...FLOW]);
    expect(visits).toBeLessThanOrEqual(18);
  });

  test.each([
    ['one audience', 'api', 'pass'],
    ['a list of one audience', ['api'], 'pass'],
    ['two audiences', ['api', 'another'], 'warn'],
  ])('is judged by the claims of its token: %s', async (_what, aud, verdict) => {
    const payload = Buffer.from(JSON.stringify({ aud })).toString('base64url');
    const { found } = await decide(right, { OAUTH_TOKEN: `e30.${payload}.c2lnbmF0dXJl` });
    expect(found).toContain(`audience: ${verdict}`);
  });

  test('gets a warning if its metadata follows a forged Host', async () => {
    const following = (answer: RawAnswer, { headers }: Visited) => {
      const host = headers.find(([name]) => name === 'Host')?.[1];
      return host === undefined
        ? answer
        : { ...answer, text: answer.text.replaceAll(/https?:\/\/[^/"]+/g, `https://${host}`) };
    };
    expect((await decide(following)).found).toContain('host: warn');
  });

  test('passes if a gateway refuses a forged Host', async () => {
    const refusing = (answer: RawAnswer, { headers }: Visited) =>
      headers.some(([name]) => name === 'Host') ? { ...answer, status: 421 } : answer;
    expect((await decide(refusing)).found).toContain('host: pass');
  });

  test('may refuse a request without a scope, but only with invalid_scope and not with a server error', async () => {
    const withoutScope = (change: (answer: RawAnswer) => RawAnswer) =>
      asks((parameters) => parameters.has('client_id') && !parameters.has('scope'), change);
    const verdictOn = async (change: (answer: RawAnswer) => RawAnswer) =>
      (await decide(withoutScope(change))).found.find((line) => line.startsWith('no-scope'));
    expect(await verdictOn(withLocation('error=invalid_scope'))).toBe('no-scope: pass');
    expect(await verdictOn(withLocation('error=server_error'))).toBe('no-scope: warn');
    expect(await verdictOn((answer) => ({ ...answer, status: 500 }))).toBe('no-scope: warn');
  });

  test('gets a warning for a missing or another iss only if it promises one', async () => {
    const silent = asks((parameters) => parameters.get('prompt') === 'none', withLocation('error=login_required'));
    expect((await decide(silent)).found).toContain('iss: warn');
    const unpromised = (answer: RawAnswer, request: Visited) =>
      silent({ ...answer, text: answer.text.replace('_iss_parameter_supported":true', '":false') }, request);
    expect((await decide(unpromised)).found).toContain('iss: observed');
  });

  test('gets a warning for a code without a sign-in, in a query or a fragment', async () => {
    const giving = (location: string) => asks((parameters) => parameters.has('prompt'), withLocation(location));
    expect((await decide(giving('code=abc'))).found).toContain('sign-in: warn');
    expect((await decide(giving('#access_token=abc'))).found).toContain('sign-in: warn');
    expect((await decide(giving('error=login_required'))).found).toContain('sign-in: pass');
  });

  test('gets a warning for another state than that of the request, and for none', async () => {
    const sending = (location: string) => asks((parameters) => parameters.has('prompt'), withLocation(location));
    expect((await decide(sending('error=login_required&state=another'))).found).toContain('state: warn');
    expect((await decide(sending('error=login_required'))).found).toContain('state: warn');
    const pages = asks((parameters, path) => parameters.has('client_id') && path !== '', page);
    expect((await decide(pages)).found).toEqual(expect.arrayContaining(['state: observed', 'sign-in: pass']));
  });

  test('is decided nothing about if its visits get no answer', async () => {
    const lost = await decide(() => ({ kind: 'failure', failure: 'timeout', detail: 'timeout (the answer)' }));
    expect(lost.found).toEqual([]);
  });
});
