import { describe, expect, test } from 'vitest';
import type { CheckRun } from '../../../harness/checks/check.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import type { Decision } from '../../../harness/record/exchange.ts';
import type { Transport } from '../../../harness/send/transport.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import type { Settings } from '../../../harness/settings/settings.ts';
import { catalogue } from '../../../harness/testing/contract.ts';
import { runImagined } from '../../testing/imagined-run.ts';
import { authorizationClient } from './flow.ts';
import { authorizationServer } from './metadata.ts';

const both = [authorizationServer, authorizationClient];

function settingsWith(changes: Readonly<Record<string, string | undefined>> = {}): Settings {
  const { AUTHORIZATION_SERVER_ISSUER: _issuer, MCP_URL: _mcp, ...variables } = everyVariable(catalogue);
  const claimed = { CONFORMANCE_CLAIMS: 'oauth authorization-server', CONFORMANCE_RATE: '1000' };
  return readSettings(catalogue, { environment: { ...variables, ...claimed, ...changes }, dotenv: {} });
}

/** Runs the checks against an imagined target. `visited` has the addresses outside the API that they requested. */
async function decide(
  settings: Settings,
  runs: readonly CheckRun[] = both,
  replace: (right: Transport) => Partial<Transport> = () => ({}),
): Promise<{ decisions: readonly Decision[]; visited: string[]; requests: number }> {
  const visited: string[] = [];
  const { session, decisions } = await runImagined(settings, runs, (right) => {
    const transport = { ...right, ...replace(right) };
    return {
      ...transport,
      visit(origin, request, timeoutMs) {
        visited.push(`${request.method} ${origin}${request.path.split('?')[0]}`);
        return transport.visit(origin, request, timeoutMs);
      },
    };
  });
  return { decisions, visited, requests: session.sender.exchanges.length };
}

/** A target with this challenge in every answer. */
const challenging =
  (challenge: string) =>
  ({ connect }: Transport): Partial<Transport> => ({
    connect() {
      const { send, close } = connect();
      const challenged: typeof send = async (...request) => {
        const answer = await send(...request);
        return 'kind' in answer ? answer : { ...answer, headers: { 'www-authenticate': challenge } };
      };
      return { send: challenged, close };
    },
  });

const wrong = (decisions: readonly Decision[]) =>
  decisions.filter(({ verdict }) => verdict !== 'pass').map(({ verdict, requirement }) => `${verdict} ${requirement}`);

describe('the authorization server', () => {
  test('is not tested if it is not claimed', async () => {
    const { decisions, requests } = await decide(settingsWith({ CONFORMANCE_CLAIMS: 'oauth' }));
    expect({ decisions, requests }).toEqual({ decisions: [], requests: 0 });
  });

  test('is claimed if AUTHORIZATION_SERVER_ISSUER is set', () => {
    const issuer = { AUTHORIZATION_SERVER_ISSUER: 'https://login.example', CONFORMANCE_CLAIMS: undefined };
    expect(settingsWith(issuer).claims.capabilities).toContain('authorization-server');
    expect(settingsWith({ CONFORMANCE_CLAIMS: undefined }).claims.capabilities).not.toContain('authorization-server');
  });

  test('passes if it follows the RFCs, without the decision of the reference service', async () => {
    const { decisions } = await decide(settingsWith());
    expect(wrong(decisions)).toEqual([]);
    const requirements = new Set(decisions.map(({ requirement }) => requirement));
    expect([...requirements].filter((id) => !id.startsWith('authorization-server.'))).toEqual(['registration.dynamic']);
    expect(requirements.size).toBe(9);
  });

  test('is found if its issuer has a path (RFC 8414 3.1)', async () => {
    const { decisions, visited } = await decide(
      settingsWith({ AUTHORIZATION_SERVER_ISSUER: 'http://127.0.0.1:9/tenant/one' }),
    );
    expect(wrong(decisions)).toEqual([]);
    expect(visited).toContain('GET http://127.0.0.1:9/.well-known/oauth-authorization-server/tenant/one');
  });

  test('may be described at the address of OpenID Connect, before the path of its issuer (RFC 8414 5)', async () => {
    const { decisions } = await decide(
      settingsWith({ AUTHORIZATION_SERVER_ISSUER: 'http://127.0.0.1:9/tenant/one' }),
      [authorizationServer],
      ({ visit }) => ({
        async visit(origin, { path, ...request }, timeoutMs) {
          const moved = path.replace('/openid-configuration/tenant', '/oauth-authorization-server/tenant');
          const isMissing = moved === path && path.includes('tenant');
          if (isMissing) return { status: 404, headers: {}, text: '', truncated: false };
          return visit(origin, { ...request, path: moved }, timeoutMs);
        },
      }),
    );
    expect(wrong(decisions)).toEqual([]);
  });

  test('may describe its resource elsewhere, if that is the one that was asked (RFC 9728 3.3)', async () => {
    const { decisions } = await decide(settingsWith(), [authorizationServer], (right) => ({
      ...challenging('Bearer resource_metadata="http://127.0.0.1:9/metadata"')(right),
      visit: async (origin, request, timeoutMs) => {
        const path = request.path.replace(/^\/metadata$/, '/.well-known/oauth-protected-resource');
        return right.visit(origin, { ...request, path }, timeoutMs);
      },
    }));
    expect(wrong(decisions)).toEqual([]);
  });

  test('gets only GET requests from the check of the metadata', async () => {
    const { visited } = await decide(settingsWith(), [authorizationServer]);
    expect(visited.filter((visit) => !visit.startsWith('GET '))).toEqual([]);
  });

  test('must register clients dynamically, which its metadata decides without intrusive checks', async () => {
    const { decisions } = await decide(settingsWith(), [authorizationServer], ({ visit }) => ({
      async visit(origin, request, timeoutMs) {
        const answer = await visit(origin, request, timeoutMs);
        return 'text' in answer ? { ...answer, text: answer.text.replace('registration_endpoint', 'other') } : answer;
      },
    }));
    expect(wrong(decisions)).toEqual(['fail registration.dynamic']);
  });

  test('may want an initial access token for a registration, which is observed (RFC 7591 3)', async () => {
    const { decisions } = await decide(settingsWith(), both, ({ visit }) => ({
      visit: async (origin, request, timeoutMs) =>
        request.method === 'POST'
          ? { status: 401, headers: {}, text: '', truncated: false }
          : visit(origin, request, timeoutMs),
    }));
    expect(wrong(decisions)).toEqual(['observed authorization-server.registration']);
  });

  test('gets a single warning if no challenge leads to it', async () => {
    const { decisions } = await decide(settingsWith(), both, challenging('Bearer'));
    expect(wrong(decisions)).toEqual(['not-testable registration.dynamic', 'warn authorization-server.challenge']);
  });

  test.each([
    ['this machine', 'http://127.0.0.1:9/.well-known/oauth-protected-resource'],
    ['this machine, over TLS', 'https://localhost/.well-known/oauth-protected-resource'],
    ['plain http', 'http://api.example/.well-known/oauth-protected-resource'],
    ['a file', 'file:///etc/hosts'],
  ])('on another machine cannot send the check to %s', async (_where, address) => {
    const settings = settingsWith({ TARGET_BASE_URL: 'https://api.example' });
    const { decisions, visited } = await decide(settings, both, challenging(`Bearer resource_metadata="${address}"`));
    expect(visited).toEqual([]);
    expect(wrong(decisions)).toEqual(['not-testable registration.dynamic', 'warn authorization-server.resource']);
  });

  test('is inconclusive if it gives no answer', async () => {
    const { decisions } = await decide(settingsWith(), [authorizationServer], () => ({
      visit: async () => ({ kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' }),
    }));
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  });

  test.each([
    ['GET /.well-known/', 6],
    ['POST /', 2],
    ['GET /authorize', 2],
  ])('is inconclusive where a gateway answers %s', async (asked, undecided) => {
    const { decisions } = await decide(settingsWith(), both, ({ visit }) => ({
      visit: async (origin, request, timeoutMs) =>
        `${request.method} ${request.path}`.startsWith(asked)
          ? { status: 503, headers: { 'retry-after': '0' }, text: '', truncated: false }
          : visit(origin, request, timeoutMs),
    }));
    expect(wrong(decisions).map((line) => line.split(' ')[0])).toEqual(
      Array.from({ length: undecided }, () => 'inconclusive'),
    );
  });
});

describe('the answer of another address', () => {
  const answering = ({ path, body, status = 200 }: { path: RegExp; body: object; status?: number }) =>
    decide(settingsWith(), both, (right) => ({
      async visit(origin, request, timeoutMs) {
        const answer = await right.visit(origin, request, timeoutMs);
        if (!('kind' in answer) && request.path.includes('oauth-authorization-server'))
          return { ...answer, text: answer.text.replace('{', `{"jwks_uri":"${origin}/jwks",`) };
        const changed = { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
        return path.test(request.path) && !('kind' in answer) ? { ...answer, ...changed } : answer;
      },
    }));

  const jwks = /jwks/;
  test.each([
    [{ path: jwks, body: { keys: [{ kty: 'EC', d: 'AQ' }] } }, 'a private or secret key is at the jwks_uri'],
    [{ path: jwks, body: {}, status: 500 }, 'a request to the jwks_uri got 500'],
    [
      { path: /token$/, body: { access_token: 'given-to-everybody-0123456789' } },
      'the token_endpoint gives a token to a request that says nothing',
    ],
  ])('%j: %s', async (answer, problem) => {
    const { decisions } = await answering(answer);
    expect(decisions.flatMap(({ verdict, detail }) => (verdict === 'warn' ? [detail] : []))).toEqual([problem]);
  });
});
