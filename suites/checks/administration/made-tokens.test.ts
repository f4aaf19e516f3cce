import { describe, expect, test } from 'vitest';
import type { Administer } from '../../../harness/commands/administration.ts';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { decide, settingsWith, verdicts } from '../../testing/administered-target.ts';

describe('the record of a token', () => {
  test('is read again if that fails once, and a failed read is no change', async () => {
    for (const times of [1, Number.POSITIVE_INFINITY]) {
      let left = times;
      const { decisions } = await decide(settingsWith(), (right) => async (request) => {
        if (request.action === 'read' && left-- > 0) return { kind: 'failed', why: 'a hiccup' };
        return right(request);
      });
      const expected = times === 1 ? 'pass' : 'inconclusive';
      expect(new Set(verdicts(decisions, 'administration.fixed'))).toEqual(new Set([expected]));
    }
  });

  test('shows a narrowed token', async () => {
    const narrowed = new Map<string, readonly string[]>();
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const { id = '', scopes = [] } = request.token;
      if (request.action === 'change' && scopes.length === 1) narrowed.set(id, scopes);
      const answer = await right(request);
      const changed = narrowed.get(id);
      return answer.kind === 'done' && changed ? { ...answer, token: { ...answer.token, scopes: changed } } : answer;
    });
    expect(verdicts(decisions, 'administration.fixed')).toContain('fail');
  });

  test('shows that a console filled in a legal value, which is only observed', async () => {
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const { description, permission } = request.token;
      if (request.action !== 'create') return right(request);
      const legal = permission === 'USER' || permission === 'GLOBAL' ? permission : 'USER';
      const filled = { ...request.token, description: description || 'untitled', permission: legal };
      return right({ ...request, token: filled });
    });
    expect(verdicts(decisions, 'administration.description')).toEqual(['observed']);
    expect(verdicts(decisions, 'administration.permission')).toEqual(['observed', 'pass']);
  });
});

test('an Admin who creates a GLOBAL token is only observed', async () => {
  const { decisions } = await decide(settingsWith(), (right) => async (request) => {
    const isGlobal = request.action === 'create' && request.token.permission === 'GLOBAL';
    return right(isGlobal ? { ...request, actor: 'super-admin' } : request);
  });
  const found = decisions.filter(({ requirement }) => requirement === 'administration.self-only');
  expect(found.flatMap(({ verdict, detail }) => (verdict === 'pass' ? [] : [`${verdict}: ${detail}`]))).toEqual([
    'observed: a GLOBAL token that an Admin requested was made',
    'observed: a GLOBAL token that an API Token Creator requested was made',
  ]);
});

test('the answer to a change must not show the secret', async () => {
  const secrets = new Map<string, string>();
  const { decisions } = await decide(settingsWith(), (right) => async (request) => {
    const answer = await right(request);
    if (answer.kind === 'done' && answer.secret !== undefined) secrets.set(answer.token.id ?? '', answer.secret);
    if (request.action !== 'change') return answer;
    const shown = secrets.get(request.token.id ?? '') ?? '';
    return { kind: 'done', secret: undefined, token: {}, tokens: [], shown };
  });
  expect(verdicts(decisions, 'administration.secret-once')).toContain('fail');
});

describe('a request with a token that was made', () => {
  const sends = ({ headers }: WireRequest, secret: string) => headers.some(([, value]) => value === `Bearer ${secret}`);
  const isMade = ({ headers }: WireRequest) => headers.some(([, value]) => value.includes('imagined-secret'));
  const isChat = ({ path }: WireRequest) => path.endsWith('/chat');

  test('decides nothing about a token whose date has passed if it gets no answer', async () => {
    const past = new Set<string>();
    const acceptingPastDates = (right: Administer): Administer => {
      return async (request) => {
        const { expires } = request.token;
        const isPast = request.action === 'create' && expires !== undefined && Date.parse(expires) < Date.now();
        const answer = await right(isPast ? { ...request, token: { ...request.token, expires: undefined } } : request);
        if (!isPast || answer.kind !== 'done') return answer;
        past.add(answer.secret ?? '');
        return { ...answer, token: { ...answer.token, expires } };
      };
    };
    const ofPast = (status: number) => (request: WireRequest) =>
      [...past].some((secret) => sends(request, secret)) ? status : undefined;
    const expires = async (status: number) =>
      verdicts((await decide(settingsWith(), acceptingPastDates, ofPast(status))).decisions, 'administration.expires');
    expect(await expires(504)).toEqual(['inconclusive', 'pass', 'inconclusive']);
    expect(await expires(401)).toEqual(['pass', 'pass', 'pass']);
    expect(await expires(200)).toEqual(['fail', 'pass', 'fail']);
  });

  test.each([
    ['chat', isChat],
    ['mcp-initialize', ({ body = '' }: WireRequest) => body.includes('"method":"initialize"')],
  ])('breaks administration.revoked if a revoked one is accepted for %s alone', async (operation, isThere) => {
    const made = new Map<string | undefined, string>();
    const revoked = new Set<string>();
    const watching = (right: Administer): Administer => {
      return async (request) => {
        const answer = await right(request);
        if (request.action === 'create' && answer.kind === 'done') made.set(answer.token.id, answer.secret ?? '');
        if (request.action === 'revoke') revoked.add(made.get(request.token.id) ?? '');
        return answer;
      };
    };
    const alive = (request: WireRequest) =>
      isThere(request) && [...revoked].some((secret) => sends(request, secret)) ? 200 : undefined;
    const claimed = { CONFORMANCE_CLAIMS: 'user global administration mcp' };
    const { decisions } = await decide(settingsWith(claimed), watching, alive);
    const wrong = decisions.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(new Set(wrong.map(({ requirement, detail }) => `${requirement}: ${detail}`))).toEqual(
      new Set([`administration.revoked: a revoked token is accepted for ${operation}`]),
    );
  });

  test('shows no change of a token that never works', async () => {
    let isFirst = true;
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const answer = await right(request);
      if (request.action !== 'create' || answer.kind !== 'done') return answer;
      const given = isFirst ? answer : { ...answer, secret: `refused-everywhere-${answer.secret}` };
      isFirst = false;
      return given;
    });
    expect(new Set(verdicts(decisions, 'administration.fixed'))).toEqual(new Set(['inconclusive']));
  });

  test('decides nothing about the scopes if a gateway answers on the other operation', async () => {
    const { decisions } = await decide(settingsWith(), undefined, (request) => (isChat(request) ? 502 : undefined));
    expect(verdicts(decisions, 'administration.scopes')).toEqual(['pass', 'pass', 'inconclusive', 'pass']);
    expect(verdicts(decisions, 'administration.fixed')).toEqual([...Array(4).fill('inconclusive'), 'pass']);
  });

  test('is never a failure of the target if a gateway answers, from the first or the second request on', async () => {
    let sent = 0;
    const later = (request: WireRequest) => (isMade(request) && ++sent > 1 ? 503 : undefined);
    for (const instead of [later, (request: WireRequest) => (isMade(request) ? 503 : undefined)]) {
      const { decisions } = await decide({ ...settingsWith(), trusted: true }, undefined, instead);
      expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
      expect(decisions.map(({ verdict }) => verdict)).toContain('inconclusive');
    }
  });

  test('is a failure if it is refused again, and inconclusive if it is refused once', async () => {
    let left = 1;
    const once = (request: WireRequest) => (isMade(request) && left-- > 0 ? 500 : undefined);
    const { decisions } = await decide(settingsWith(), undefined, once);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    const always = (request: WireRequest) => (isMade(request) ? 500 : undefined);
    expect(verdicts((await decide(settingsWith(), undefined, always)).decisions, 'administration.scopes')).toContain(
      'fail',
    );
  });
});
