import { describe, expect, test } from 'vitest';
import type { Administer, AdministrationAnswer } from '../../../harness/commands/administration.ts';
import { loadContract } from '../../../harness/contract/load-contract.ts';
import type { WireRequest } from '../../../harness/plan/request.ts';
import { imaginedTarget } from '../../../harness/preview/imagined-target.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import type { Decision } from '../../../harness/record/exchange.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import { catalogueOf } from '../../../harness/settings/catalogue.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import type { Settings } from '../../../harness/settings/settings.ts';
import { administration } from './index.ts';

const contract = await loadContract();
const catalogue = catalogueOf(contract);

function settingsWith(changes: Readonly<Record<string, string | undefined>> = {}, base = ''): Settings {
  const environment = { ...everyVariable(catalogue), CONFORMANCE_CLAIMS: 'user global administration', ...changes };
  return readSettings(catalogue, {
    environment: { ...environment, ...(base && { TARGET_BASE_URL: base }) },
    dotenv: {},
  });
}

/**
 * Runs the check against an imagined target.
 * @param replace replaces the administration of the target
 * @param instead the status with which a request is answered instead of correctly, if any
 */
async function decide(
  settings: Settings,
  replace: (right: Administer) => Administer = (right) => right,
  instead: (request: WireRequest) => number | undefined = () => undefined,
): Promise<{ decisions: readonly Decision[]; asked: string[]; requests: number }> {
  const asked: string[] = [];
  const session = startSession(settings, {
    checks: [administration],
    journal: noJournal,
    transport(input) {
      const transport = imaginedTarget(input);
      const { administer } = transport;
      const counted: Administer | undefined =
        administer &&
        ((request) => {
          asked.push(request.action);
          return replace(administer)(request);
        });
      const connect = () => {
        const { send, close } = transport.connect();
        const changed: typeof send = async (request, ...more) => {
          const status = instead(request);
          if (status === undefined) return send(request, ...more);
          const headers = { 'retry-after': '0', 'content-type': 'application/json' };
          return { status, headers, text: '{}', truncated: false };
        };
        return { send: changed, close };
      };
      return { ...transport, connect, administer: counted };
    },
  });
  const decisions = [];
  for (const check of session.checks) decisions.push(...(await session.runCheck(check)));
  await session.close();
  return { decisions, asked, requests: session.sender.exchanges.length };
}

const verdicts = (decisions: readonly Decision[], id: string) =>
  decisions.filter(({ requirement }) => requirement === id).map(({ verdict }) => verdict);
const notPassed = (decisions: readonly Decision[]) =>
  decisions.flatMap(({ requirement, verdict }) => (verdict === 'pass' ? [] : [`${requirement}: ${verdict}`]));
const unsupported: AdministrationAnswer = { kind: 'unsupported', why: 'not here' };

describe('the administration of tokens', () => {
  test('sends nothing to a target that does not claim administration', async () => {
    const { decisions, asked, requests } = await decide(settingsWith({ CONFORMANCE_CLAIMS: 'user global' }));
    expect({ decisions, asked, requests }).toEqual({ decisions: [], asked: [], requests: 0 });
  });

  test('passes a target that follows the specification, without the decisions of the reference service', async () => {
    const { decisions } = await decide(settingsWith());
    const ids = contract.requirements.filter(({ capability }) => capability === 'administration').map(({ id }) => id);
    expect(new Set(notPassed(decisions))).toEqual(new Set(['administration.expires: observed']));
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      ids.filter((id) => !id.startsWith('reference.')).sort(),
    );
  });

  test('decides every requirement for the reference service, including its own decisions', async () => {
    const { decisions } = await decide({ ...settingsWith(), trusted: true });
    expect(new Set(notPassed(decisions))).toEqual(new Set(['administration.expires: observed']));
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      [...administration.requirements].sort(),
    );
  });

  test('revokes the tokens that it made', async () => {
    const { asked } = await decide(settingsWith());
    const made = asked.filter((action) => action === 'create').length;
    expect(asked.filter((action) => action === 'revoke').length).toBeGreaterThan(made / 3);
    expect(asked.at(-1)).toBe('revoke');
  });

  test.each([
    ['ADMINISTRATION_COMMAND', { ADMINISTRATION_COMMAND: undefined }],
    ['USER_EMAIL', { USER_EMAIL: undefined }],
  ])('is not testable without %s', async (variable, changes) => {
    const { decisions, requests } = await decide(settingsWith(changes));
    expect([...new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))]).toEqual([
      `not-testable ${variable}`,
    ]);
    expect(requests).toBe(0);
  });

  test('makes tokens on a target on another machine only if CONFORMANCE_CLAIMS says so', async () => {
    const remote = { CONFORMANCE_RATE: '1000' };
    const inferred = settingsWith({ ...remote, CONFORMANCE_CLAIMS: undefined }, 'https://api.example');
    const { decisions, asked } = await decide(inferred);
    expect(inferred.claims.capabilities).toContain('administration');
    expect(asked).toEqual([]);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['not-testable']));
    expect((await decide(settingsWith(remote, 'https://api.example'))).asked).toContain('create');
  });

  test('is not testable if the command fails at the first request', async () => {
    const failed: AdministrationAnswer = { kind: 'failed', why: 'ADMINISTRATION_COMMAND ended with code 1' };
    const { decisions, asked } = await decide(settingsWith(), () => async () => failed);
    expect(new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))).toEqual(
      new Set(['not-testable ADMINISTRATION_COMMAND ended with code 1']),
    );
    expect(asked).toEqual(['create']);
  });

  test('passes a target that cannot revoke tokens, and records that as observed', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'revoke' ? unsupported : right(request)),
    );
    expect(verdicts(decisions, 'administration.revoked')).toEqual(['observed']);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  });

  test('cannot decide whether the secret is shown only once if tokens cannot be read', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (/read|list/.test(request.action) ? unsupported : right(request)),
    );
    expect(new Set(verdicts(decisions, 'administration.secret-once'))).toEqual(new Set(['not-testable']));
    expect(verdicts(decisions, 'administration.fixed')).toEqual(Array(5).fill('pass'));
  });

  test('blames a target that refuses every token for that alone', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'create' ? { kind: 'refused', why: 'no' } : right(request)),
    );
    const blamed = decisions.filter(({ verdict }) => verdict !== 'inconclusive').map(({ requirement }) => requirement);
    expect(blamed).toEqual(['administration.super-admin']);
  });

  test('allows a target to make a token for the requester instead of one for another person', async () => {
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const other = request.actor !== 'super-admin' && request.actor !== 'user';
      if (request.action !== 'create' || !other) return right(request);
      return right({ ...request, token: { ...request.token, userEmail: '@self' } });
    });
    expect(new Set(verdicts(decisions, 'administration.self-only'))).not.toContain('fail');
  });
});

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
        if (isPast && answer.kind === 'done') past.add(answer.secret ?? '');
        return answer;
      };
    };
    const ofPast = (status: number) => (request: WireRequest) =>
      [...past].some((secret) => sends(request, secret)) ? status : undefined;
    const expires = async (status: number) =>
      verdicts((await decide(settingsWith(), acceptingPastDates, ofPast(status))).decisions, 'administration.expires');
    expect(await expires(504)).toEqual(['inconclusive', 'pass']);
    expect(await expires(401)).toEqual(['pass', 'pass']);
    expect(await expires(200)).toEqual(['fail', 'pass']);
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
