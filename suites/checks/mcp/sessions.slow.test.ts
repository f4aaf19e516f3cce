import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { plain } from '../../../harness/preview/read-request.ts';
import type { RawAnswer } from '../../../harness/record/observation.ts';
import { type Change, decide, header, messageIn, refusingWith403, wrong } from '../../testing/remote-mcp.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user global mcp' };

interface Kept {
  /** The header lines that it began with: whose it is. */
  readonly token: string | undefined;
  readonly id: string;
  isReady: boolean;
  /** What its owner got, by the body of the request. */
  readonly gave: Map<string | undefined, RawAnswer>;
}

interface Rules {
  /** What a request in a session gets, if it is another than this. */
  readonly inSession?: (right: RawAnswer, kept: Kept, request: WireRequest) => RawAnswer;
  readonly endsAfterRefusal?: true;
  readonly endsForAnybody?: true;
}

const tokenIn = (request: WireRequest) => header(request, 'Authorization');

/** A server that keeps sessions. It takes a request in one only, and only after the client said that it is ready. */
function keepingSessions({ inSession = (right) => right, endsAfterRefusal, endsForAnybody }: Rules = {}) {
  const sessions = new Map<string, Kept>();
  const ended: string[] = [];
  let begun = 0;
  const change: Change = (right, request) => {
    const method = messageIn(request)?.method;
    const id = header(request, 'Mcp-Session-Id');
    if (method === 'initialize') {
      if (id !== undefined) return plain(400);
      if (right.status !== 200) return right;
      begun += 1;
      const next = `a-session-of-nobody-else-${begun}`;
      sessions.set(next, { token: tokenIn(request), id: next, isReady: false, gave: new Map() });
      return { ...right, headers: { ...right.headers, 'mcp-session-id': next } };
    }
    const kept = sessions.get(id ?? '');
    if (!kept) return plain(id === undefined ? 400 : 404);
    if (request.method === 'DELETE') {
      if (kept.token !== tokenIn(request) && !endsForAnybody) return plain(401);
      ended.push(kept.id);
      return plain(sessions.delete(kept.id) ? 204 : 404);
    }
    if (method === 'notifications/initialized') kept.isReady = true;
    else if (!kept.isReady) return plain(400);
    if (right.status === 200 && kept.token === tokenIn(request)) kept.gave.set(request.body, right);
    const given = inSession(right, kept, request);
    if (endsAfterRefusal && given.status >= 400) sessions.delete(kept.id);
    return given;
  };
  return { change, sessions, ended };
}

/** The rest of a request, answered as the owner of the session was answered. */
const asOwner = ({ gave }: Kept, { body }: WireRequest) => gave.get(body);

describe('a remote MCP server that keeps sessions', () => {
  test('is blamed for nothing, and each session that began is ended', async () => {
    const { change, sessions, ended } = keepingSessions();
    const { decisions } = await decide(change, claimed);
    expect(wrong(decisions)).toEqual([]);
    expect(decisions.filter(({ detail }) => detail.includes('in an MCP session')).length).toBeGreaterThan(10);
    expect([sessions.size, ended.length > 5]).toEqual([0, true]);
  });

  test('and ends one for somebody without a token is blamed for that', async () => {
    const { decisions } = await decide(keepingSessions({ endsForAnybody: true }).change, claimed);
    expect(wrong(decisions).sort()).toEqual(['fail mcp.token GLOBAL', 'fail mcp.token USER']);
  });

  test('shows its sessions in no journal', async () => {
    const { change } = keepingSessions();
    const wrongly: Change = (answer, request) => change(refusingWith403(answer), request);
    const { journal } = await decide(wrongly, claimed);
    expect(journal).toContain('<the MCP session>');
    expect(journal).not.toContain('of-nobody-else');
  });

  test('may have short names for them, which mask nothing', async () => {
    const { change } = keepingSessions();
    const short: Change = (answer, request) => {
      const id = header(request, 'Mcp-Session-Id');
      const headers = request.headers.map(([name, value]): [string, string] => [
        name,
        name.toLowerCase() === 'mcp-session-id' ? `a-session-of-nobody-else-${id}` : value,
      ]);
      const given = change(answer, { ...request, headers });
      if ('kind' in given) return given;
      const begun = String(given.headers['mcp-session-id'] ?? '').split('-');
      return begun.length < 2 ? given : { ...given, headers: { ...given.headers, 'mcp-session-id': begun.at(-1) } };
    };
    const { decisions, journal } = await decide(short, claimed);
    expect(wrong(decisions)).toEqual([]);
    expect(journal).not.toContain('<the MCP session>');
  });

  test.each<[string, Rules]>([
    ['ends one after each refusal in it', { endsAfterRefusal: true }],
    [
      'refuses every other token in one with 404',
      { inSession: (right, kept, request) => (kept.token === tokenIn(request) ? right : plain(404)) },
    ],
    [
      'ends one after a refusal with 404',
      { endsAfterRefusal: true, inSession: (right) => (right.status < 300 ? right : plain(404)) },
    ],
  ])('and %s is blamed for nothing', async (_what, rules) => {
    const { decisions } = await decide(keepingSessions(rules).change, claimed);
    expect(wrong(decisions)).toEqual([]);
  });
});

describe('in an MCP session', () => {
  const isBare = (request: WireRequest) => tokenIn(request) === undefined;

  test.each<[string, NonNullable<Rules['inSession']>, string]>([
    [
      'a message without a token that is answered as its owner is',
      (right, kept, request) => (isBare(request) ? (asOwner(kept, request) ?? right) : right),
      'fail mcp.token',
    ],
    [
      'a wrong token that is answered as its owner is',
      (right, kept, request) => (right.status === 401 && !isBare(request) ? (asOwner(kept, request) ?? right) : right),
      'fail mcp.token',
    ],
    [
      'a token without the scope that is answered as its owner is',
      (right, kept, request) => (right.status === 403 ? (asOwner(kept, request) ?? right) : right),
      'fail mcp.scope',
    ],
    [
      'the token of another person that is answered as its owner is',
      (right, kept, request) => (right.status === 200 ? (asOwner(kept, request) ?? right) : right),
      'warn mcp.isolation',
    ],
  ])('%s: %s', async (_what, inSession, verdict) => {
    const { change } = keepingSessions({ inSession });
    const { decisions } = await decide(change, claimed);
    const broken = decisions.filter((one) => one.verdict !== 'observed');
    expect(wrong(broken).sort()).toEqual([`${verdict} GLOBAL`, `${verdict} USER`]);
  });

  test('a wrong token that is served is seen, although the server ends a session after each refusal', async () => {
    const { change } = keepingSessions({
      endsAfterRefusal: true,
      inSession: (right, kept, request) => {
        const isExpired = right.status === 401 && !isBare(request) && kept.gave.size > 0;
        return isExpired ? (asOwner(kept, request) ?? plain(404)) : right.status < 300 ? right : plain(404);
      },
    });
    const { decisions } = await decide(change, claimed);
    expect(wrong(decisions)).toContain('fail mcp.token USER');
  });

  test('another person is not tried if the run has no token of one', async () => {
    const { change } = keepingSessions();
    const { decisions } = await decide(change, { CONFORMANCE_CLAIMS: 'user mcp' });
    expect(wrong(decisions)).toEqual([]);
    expect(decisions.filter(({ detail }) => detail.includes('to another one'))).toEqual([]);
  });
});
