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
 * What is decided of a target that is imagined, with an administration of which something differs.
 * @param instead the status that a request is answered with in place of what is right.
 */
async function decide(
  settings: Settings,
  differ: (right: Administer) => Administer = (right) => right,
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
          return differ(administer)(request);
        });
      const connect = () => {
        const { exchange, close } = transport.connect();
        const changed: typeof exchange = async (request, timeoutMs) => {
          const status = instead(request);
          if (status === undefined) return exchange(request, timeoutMs);
          return { status, headers: { 'retry-after': '0' }, text: '', truncated: false };
        };
        return { exchange: changed, close };
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
const unsupported: AdministrationAnswer = { kind: 'unsupported', why: 'not here' };

describe('the administration of tokens', () => {
  test('is neither asked for nor tried where it is not claimed', async () => {
    const { decisions, asked, requests } = await decide(settingsWith({ CONFORMANCE_CLAIMS: 'user global' }));
    expect({ decisions, asked, requests }).toEqual({ decisions: [], asked: [], requests: 0 });
  });

  test('passes for whoever keeps to the specification, and our own decisions bind nobody else', async () => {
    const { decisions } = await decide(settingsWith());
    const ids = contract.requirements.filter(({ capability }) => capability === 'administration').map(({ id }) => id);
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      ids.filter((id) => !id.startsWith('reference.')).sort(),
    );
  });

  test('holds the reference service to its own decisions as well', async () => {
    const { decisions } = await decide({ ...settingsWith(), trusted: true });
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect([...new Set(decisions.map(({ requirement }) => requirement))].sort()).toEqual(
      [...administration.requirements].sort(),
    );
  });

  test('revokes what it made, where that can be done', async () => {
    const { asked } = await decide(settingsWith());
    const made = asked.filter((action) => action === 'create').length;
    expect(asked.filter((action) => action === 'revoke').length).toBeGreaterThan(made / 3);
    expect(asked.at(-1)).toBe('revoke');
  });

  test.each([
    ['without a command', { ADMINISTRATION_COMMAND: undefined }, 'ADMINISTRATION_COMMAND'],
    ['without anybody to create a token for', { USER_EMAIL: undefined }, 'USER_EMAIL'],
  ])('cannot be tested %s', async (_name, changes, variable) => {
    const { decisions, requests } = await decide(settingsWith(changes));
    expect([...new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))]).toEqual([
      `not-testable ${variable}`,
    ]);
    expect(requests).toBe(0);
  });

  test('takes a claim in words before tokens are made on a target that is elsewhere', async () => {
    const remote = { CONFORMANCE_RATE: '1000' };
    const inferred = settingsWith({ ...remote, CONFORMANCE_CLAIMS: undefined }, 'https://api.example');
    const { decisions, asked } = await decide(inferred);
    expect(inferred.claims.capabilities).toContain('administration');
    expect(asked).toEqual([]);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['not-testable']));
    expect((await decide(settingsWith(remote, 'https://api.example'))).asked).toContain('create');
  });

  test('that fails at the first request says nothing of the target', async () => {
    const failed: AdministrationAnswer = { kind: 'failed', why: 'ADMINISTRATION_COMMAND ended with code 1' };
    const { decisions, asked } = await decide(settingsWith(), () => async () => failed);
    expect(new Set(decisions.map(({ verdict, detail }) => `${verdict} ${detail}`))).toEqual(
      new Set(['not-testable ADMINISTRATION_COMMAND ended with code 1']),
    );
    expect(asked).toEqual(['create']);
  });

  test('without revoking leaves that undecided and nothing else', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'revoke' ? unsupported : right(request)),
    );
    expect(verdicts(decisions, 'administration.revoked')).toEqual(['observed']);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  });

  test('that reads nothing cannot show that the secret is gone', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (/read|list/.test(request.action) ? unsupported : right(request)),
    );
    expect(new Set(verdicts(decisions, 'administration.secret-once'))).toEqual(new Set(['not-testable']));
    expect(verdicts(decisions, 'administration.fixed')).toEqual(['pass', 'pass']);
  });

  test('that refuses everybody blames that alone: no other refusal says anything', async () => {
    const { decisions } = await decide(
      settingsWith(),
      (right) => async (request) => (request.action === 'create' ? { kind: 'refused', why: 'no' } : right(request)),
    );
    const blamed = decisions.filter(({ verdict }) => verdict !== 'inconclusive').map(({ requirement }) => requirement);
    expect(blamed).toEqual(['administration.super-admin']);
  });

  test('may make a token for whoever asks in place of one for somebody else', async () => {
    const { decisions } = await decide(settingsWith(), (right) => async (request) => {
      const other = request.actor !== 'super-admin' && request.actor !== 'user';
      if (request.action !== 'create' || !other) return right(request);
      return right({ ...request, token: { ...request.token, userEmail: '@self' } });
    });
    expect(new Set(verdicts(decisions, 'administration.self-only'))).not.toContain('fail');
  });
});

describe('what is heard of a token that was made', () => {
  const sends = ({ headers }: WireRequest, secret: string) => headers.some(([, value]) => value === `Bearer ${secret}`);
  const isMade = ({ headers }: WireRequest) => headers.some(([, value]) => value.includes('imagined-secret'));
  const isChat = ({ path }: WireRequest) => path.endsWith('/chat');

  test('proves nothing where it is nothing: a token whose date has passed may be in force', async () => {
    const past = new Set<string>();
    const taking = (right: Administer): Administer => {
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
      verdicts((await decide(settingsWith(), taking, ofPast(status))).decisions, 'administration.expires');
    expect(await expires(504)).toEqual(['inconclusive', 'pass']);
    expect(await expires(401)).toEqual(['pass', 'pass']);
    expect(await expires(200)).toEqual(['fail', 'pass']);
  });

  test('on another operation than its scope is for, where a gateway answers, leaves its reach undecided', async () => {
    const { decisions } = await decide(settingsWith(), undefined, (request) => (isChat(request) ? 502 : undefined));
    expect(verdicts(decisions, 'administration.scopes')).toEqual(['pass', 'pass', 'inconclusive', 'pass']);
    expect(verdicts(decisions, 'administration.fixed')).toEqual(['inconclusive', 'pass']);
  });

  test('is a failure of nobody where a gateway answers, from the first request on or from the second', async () => {
    let sent = 0;
    const later = (request: WireRequest) => (isMade(request) && ++sent > 1 ? 503 : undefined);
    for (const instead of [later, (request: WireRequest) => (isMade(request) ? 503 : undefined)]) {
      const { decisions } = await decide({ ...settingsWith(), trusted: true }, undefined, instead);
      expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
      expect(decisions.map(({ verdict }) => verdict)).toContain('inconclusive');
    }
  });

  test('counts against a target when a refusal comes again, and not when it went', async () => {
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
