import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { imaginedTarget } from '../../../harness/preview/imagined-target.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import type { JournalEntry } from '../../../harness/record/exchange.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { leftInWords, leftOn } from '../../../harness/report/left.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import { casesAt, catalogue } from '../../../harness/testing/contract.ts';
import { checkOf } from '../../testing/checks.ts';
import { authorizationClient, authorizationFlow } from './flow.ts';

const TOKEN = 'Zq7vXw2LmN9pRt4KyB8sDf6HgJ3cVe5A';
const ORIGIN = 'https://login.example';

interface Server {
  /** What the answer to a registration says about its client, besides the id. */
  readonly management: object;
  /** The status of the answer to its removal. */
  readonly status?: number;
}

/** What both checks leave on an imagined authorization server, the requests to remove it, and the journal. */
async function leaveOn({ management, status = 204 }: Server) {
  const variables = { CONFORMANCE_CLAIMS: 'oauth authorization-server', CONFORMANCE_RATE: '1000' };
  const environment = { ...everyVariable(catalogue), ...variables, AUTHORIZATION_SERVER_ISSUER: ORIGIN };
  const removals: (WireRequest & { readonly origin: string })[] = [];
  const journal: JournalEntry[] = [];
  let count = 0;
  const session = startSession(readSettings(catalogue, { environment, dotenv: {} }), {
    casesAt,
    checks: [authorizationClient, authorizationFlow].map(checkOf),
    intrusive: true,
    journal: { ...noJournal, append: (entry) => journal.push(entry) },
    transport(input) {
      const right = imaginedTarget(input);
      return {
        ...right,
        mayVisit: async () => true,
        async visit(origin, request, timeoutMs) {
          if (request.method === 'DELETE') {
            removals.push({ ...request, origin });
            return { status, headers: {}, text: `no ${TOKEN}`, truncated: false };
          }
          const answer = await right.visit(origin, request, timeoutMs);
          return 'kind' in answer || answer.status !== 201 ? answer : withManagement(answer);
        },
      };
      function withManagement(answer: RawAnswer): RawAnswer {
        count += 1;
        return {
          ...answer,
          text: JSON.stringify({ ...JSON.parse(answer.text), client_id: `client-${count}`, ...management }),
        };
      }
    },
  });
  for (const check of session.checks) await session.runCheck(check);
  const left = leftOn(session, session.judge());
  await session.close();
  return { left: left.filter(({ what }) => what === 'client'), removals, journal: JSON.stringify(journal) };
}

describe('a client that a check registered', () => {
  test('is removed with the token that its registration gave, which is recorded nowhere', async () => {
    const management = { registration_client_uri: `${ORIGIN}/register/me`, registration_access_token: TOKEN };
    const { left, removals, journal } = await leaveOn({ management });
    expect(left).toEqual([{ what: 'client', created: 3, removed: 3, ids: [], reasons: [] }]);
    expect(left.map(leftInWords)).toEqual(['3 clients registered, and removed again']);
    expect(removals).toHaveLength(3);
    for (const { origin, method, path, headers } of removals) {
      expect([origin, method, path]).toEqual([ORIGIN, 'DELETE', '/register/me']);
      expect(headers).toContainEqual(['Authorization', `Bearer ${TOKEN}`]);
    }
    expect(journal.includes('"removed"')).toBe(true);
    expect(journal.includes(TOKEN.slice(0, 12))).toBe(false);
  });

  const OWN = { registration_client_uri: `${ORIGIN}/register/me`, registration_access_token: TOKEN };
  const ELSEWHERE = { ...OWN, registration_client_uri: 'https://elsewhere.example/me' };

  test.each<[string, Server, RegExp, number]>([
    ['the server does not say how', { management: {} }, /does not say how to remove it \(RFC 7592 3\)/, 0],
    ['the address is of another origin, which gets no token', { management: ELSEWHERE }, /of another origin than/, 0],
    ['the server refuses it', { management: OWN, status: 403 }, /the request to remove it got 403/, 3],
  ])('stays, and is named, if %s', async (_why, server, reason, requests) => {
    const { left, removals, journal } = await leaveOn(server);
    const ids = ['client-1', 'client-2', 'client-3'];
    expect(left).toEqual([{ what: 'client', created: 3, removed: 0, ids, reasons: [expect.stringMatching(reason)] }]);
    expect(removals).toHaveLength(requests);
    expect(journal.includes(TOKEN.slice(0, 12))).toBe(false);
  });
});
