import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { afterAll, describe, expect, test } from 'vitest';
import { mintPlainTokens, opaqueToken } from '../fixtures/plain/mint.ts';
import { plainOperations } from '../fixtures/plain/request.ts';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { everyVariable } from '../harness/preview/made-up-values.ts';
import { makePreview } from '../harness/preview/preview.ts';
import { renderPreview } from '../harness/preview/preview-text.ts';
import { chatNeed, rehearse } from '../harness/preview/rehearse.ts';
import { decidable } from '../harness/preview/what-to-set-next.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import type { Settings } from '../harness/settings/settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';

const catalogue = catalogueOf(contract);
// More recipes apply to a token with a prefix, so none of these counts depends on what a random token begins with.
const newToken = () => `key_${opaqueToken()}`;
const target = await startPlainTarget({ tokens: mintPlainTokens(plainOperations, Date.now, newToken) });
afterAll(() => target.close());

function settingsWith(changes: Readonly<Record<string, string | undefined>> = {}): Settings {
  return readSettings(catalogue, { environment: { ...target.env, ...changes }, dotenv: {} });
}
const remoteSettings = (changes = {}) => settingsWith({ TARGET_BASE_URL: 'https://staging.example', ...changes });
const without = (settings: Settings, ...names: readonly string[]): Settings => ({
  ...settings,
  variables: new Map([...settings.variables].filter(([name]) => !names.includes(name))),
});

describe('a rehearsal', () => {
  test.each([
    ['every kind', {}],
    ['service-issued tokens', { CONFORMANCE_CLAIMS: 'user global' }],
    ['one kind', { CONFORMANCE_CLAIMS: 'google' }],
  ])('of %s predicts the requests of a real run to within a tenth', async (_what, changes) => {
    const settings = settingsWith(changes);
    const predicted = await rehearse(settings, { checks, casesAt, intrusive: false });
    const session = startSession(settings, { checks, intrusive: false, casesAt, journal: noJournal });
    await session.preflight();
    await session.sendMatrix();
    const matrix = session.sender.exchanges.length;
    for (const check of session.checks) await session.runCheck(check);
    const all = session.sender.exchanges.length;
    expect(session.judge().ending).toBe('conforms');
    await session.close();
    const ratios = [predicted.matrix.requests / matrix, predicted.checks.requests / (all - matrix)];
    for (const ratio of ratios) {
      expect(ratio).toBeGreaterThan(0.9);
      expect(ratio).toBeLessThan(1.1);
    }
  });

  test('sends the checks of the gravest requirements before the matrix', async () => {
    const { session } = await rehearse(settingsWith({ CONFORMANCE_CLAIMS: 'user global' }), {
      checks,
      casesAt,
      intrusive: false,
    });
    const sent = session.sender.exchanges.flatMap(({ case: id, role }) => (role === 'preflight' ? [] : [id]));
    expect([...new Set(sent)].slice(0, 2)).toEqual(['check:isolation', 'check:escalation']);
  });

  test('blames the imagined target for nothing, intrusive checks included', async () => {
    const { judged } = await rehearse(settingsWith(), { checks, casesAt, intrusive: true });
    expect(judged.findings).toEqual([]);
    expect(judged.ending).toBe('conforms');
  });

  test('says how long a rate-limited run takes, without waiting', async () => {
    const user = { CONFORMANCE_CLAIMS: 'user' };
    const {
      matrix,
      checks: sent,
      lastsMs,
    } = await rehearse(remoteSettings(user), { checks, casesAt, intrusive: false });
    expect(lastsMs / 1000).toBeGreaterThan((matrix.requests + sent.requests) / 10);
    const unlimited = { ...remoteSettings(user), rate: undefined, loopback: true };
    expect((await rehearse(unlimited, { checks, casesAt, intrusive: false })).lastsMs).toBe(0);
  });
});

test.each(['user', 'global', 'user oauth', 'user global google'])(
  'a rehearsal of %s, whose tokens are of as many people as can be named, is blamed for nothing and leaves nothing open',
  async (claimed) => {
    const settings = settingsWith({ ...everyVariable(catalogue), CONFORMANCE_CLAIMS: claimed });
    const { judged } = await rehearse(settings, { checks, casesAt, intrusive: true });
    expect(judged.findings.map(({ requirements }) => requirements)).toEqual([]);
    expect(judged.decisions.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
    expect(judged.ending).toBe('conforms');
  },
);

describe('the decidable requirements', () => {
  const claims = { CONFORMANCE_CLAIMS: 'user global' };

  test('are all requirements if every variable is set', async () => {
    const { claimed, decided, steps } = await decidable(remoteSettings(claims), {
      checks,
      intrusive: false,
      casesAt,
      most: 5,
    });
    expect(decided).toEqual(claimed);
    expect(steps).toEqual([]);
  });

  test('are fewer without a token, and the next steps begin with the variables that decide most', async () => {
    const few = without(
      remoteSettings(claims),
      ...['USER_TOKEN_EXPIRED', 'USER_TOKEN_EXPIRED_UNSCOPED', 'GLOBAL_TOKEN', 'ACT_AS_EMAIL'],
      ...Object.keys(target.env).filter((name) => name.startsWith('GLOBAL_TOKEN_')),
    );
    const { claimed, decided, steps } = await decidable(few, { checks, intrusive: false, casesAt, most: 30 });
    expect(decided.length).toBeLessThan(claimed.length);
    expect(steps[0]?.variables).toEqual(['GLOBAL_TOKEN', 'ACT_AS_EMAIL']);
    expect(steps.map(({ variables }) => variables.join(' '))).toContain('USER_TOKEN_EXPIRED');
    const { after } = steps.at(-1) ?? {};
    const completed = steps.flatMap((step) => step.requirements);
    expect([after?.decidable, after?.claimed]).toEqual([decided.length + completed.length, after?.decidable]);
  });

  test.each([false, true])(
    'need both private queries and markers in one step (intrusive checks: %s)',
    async (intrusive) => {
      const names = ['ACT_AS_PRIVATE_QUERY', 'ACT_AS_PRIVATE_MARKER', 'USER_PRIVATE_QUERY', 'USER_PRIVATE_MARKER'];
      const few = without(remoteSettings(claims), ...names);
      const { steps } = await decidable(few, { checks, intrusive, casesAt, most: 3 });
      expect(steps.map(({ variables }) => [...variables].sort())).toEqual([names.sort()]);
    },
  );
});

describe('the chat budget of a remote target', () => {
  test.each([
    ['every kind', {}],
    ['service-issued tokens', { CONFORMANCE_CLAIMS: 'user global' }],
  ])('is by default what the plan for %s needs, at most 100, and suffices', async (_what, changes) => {
    const settings = remoteSettings(changes);
    const need = await chatNeed(settings, { checks, intrusive: false, casesAt });
    expect(need?.limit.max).toBeLessThanOrEqual(100);
    expect(need?.limit.max).toBeGreaterThanOrEqual(need?.fewest ?? 0);
    const chosen = need && { chatLimit: need.limit };
    const { judged, matrix, checks: sent } = await rehearse(settings, { checks, intrusive: false, casesAt, ...chosen });
    expect(judged.ending).toBe('conforms');
    expect(matrix.chats + sent.chats).toBe(need?.fewest);
  });

  test('leaves out what shows nothing new only if the budget is too small for all chats', async () => {
    const options = { checks, intrusive: false, casesAt };
    const user = { CONFORMANCE_CLAIMS: 'user' };
    expect((await chatNeed(remoteSettings(user), options))?.limit.isTight).toBe(false);
    const small = await chatNeed(remoteSettings({ ...user, CONFORMANCE_CHAT_BUDGET: '5' }), options);
    expect(small?.limit).toEqual({ max: 5, isTight: true });
    expect(small?.fewest).toBeLessThan(small?.all ?? 0);
    expect(await chatNeed(settingsWith(user), options)).toBeUndefined();
  });

  test.each(['user', 'user global'])('suffices for the claims %s', async (claimed) => {
    const settings = remoteSettings({ CONFORMANCE_CLAIMS: claimed });
    const { judged, matrix, checks: sent } = await rehearse(settings, { checks, casesAt, intrusive: false });
    expect(judged.ending).toBe('conforms');
    expect(matrix.chats + sent.chats).toBeLessThanOrEqual(72);
  });

  test('blames the target for nothing once it is spent', async () => {
    for (const most of ['1', '20']) {
      const settings = remoteSettings({ CONFORMANCE_CLAIMS: 'user global', CONFORMANCE_CHAT_BUDGET: most });
      const { judged } = await rehearse(settings, { checks, casesAt, intrusive: false });
      expect([most, judged.findings.map(({ requirements }) => requirements)]).toEqual([most, []]);
    }
  });
});

describe('the refused tokens of a run against another machine, without intrusive checks', () => {
  test.each([
    ['user', 130, 2],
    ['user global', 260, 2.5],
    ['user global oauth google azure okta onelogin', 500, 4],
  ])('are few for the claims %s: at most %d, within %d minutes', async (claimed, most, minutes) => {
    const settings = remoteSettings({ CONFORMANCE_CLAIMS: claimed });
    const options = { checks, intrusive: false, casesAt };
    const chatLimit = (await chatNeed(settings, options))?.limit;
    const { matrix, checks: sent, lastsMs } = await rehearse(settings, { ...options, ...(chatLimit && { chatLimit }) });
    expect(matrix.denied + sent.denied).toBeLessThanOrEqual(most);
    expect(lastsMs).toBeLessThanOrEqual(minutes * 60_000);
  });

  test('are fewer than those of an intrusive run', async () => {
    const settings = remoteSettings({ CONFORMANCE_CLAIMS: 'user global' });
    const [usual, intrusive] = await Promise.all(
      [false, true].map((isIntrusive) => rehearse(settings, { checks, intrusive: isIntrusive, casesAt })),
    );
    const ofChecks = (id: string) => (one: typeof usual) =>
      one?.session.sender.exchanges.filter((exchange) => exchange.case === `check:${id}`).length ?? 0;
    for (const id of ['influences', 'spellings', 'side-doors', 'caches', 'optional-fields', 'every-time'])
      expect([id, ofChecks(id)(usual) < ofChecks(id)(intrusive)]).toEqual([id, true]);
  });
});

describe('a plan', () => {
  const options = { checks, intrusive: false, narrowing: { only: [], except: [], requirements: [] } };

  test('lists the variables that each host gets, and no marker', async () => {
    const { hosts } = await makePreview(remoteSettings({ CONFORMANCE_CLAIMS: 'user' }), options);
    expect(hosts.map(({ host }) => host)).toEqual(['staging.example']);
    expect(hosts[0]?.variables).toContain('USER_TOKEN');
    expect(hosts[0]?.variables).toContain('USER_PRIVATE_QUERY');
    expect(hosts[0]?.variables).not.toContain('USER_PRIVATE_MARKER');
  });

  test.each([false, true])('says what a run does not try (intrusive checks: %s)', async (intrusive) => {
    const plan = await makePreview(remoteSettings({ CONFORMANCE_CLAIMS: 'user' }), { ...options, intrusive });
    const left = plan.notTried.filter(({ reason }) => reason === 'they need --intrusive').flatMap((one) => one.checks);
    const known = checks.filter((check) => check.intrusive && check.capability === undefined).map(({ id }) => id);
    expect(left).toEqual(intrusive ? [] : known);
    expect(plan.notTried.some(({ what }) => what === 'ways')).toBe(!intrusive);
    const text = renderPreview(plan, pc.createColors(false));
    for (const id of left) expect(text).toMatch(new RegExp(`not run \\(they need --intrusive\\): .*${id}`));
  });

  test('assumes that TOKEN_COMMAND mints the missing tokens, without running it', async () => {
    const file = join(tmpdir(), `was-run-${process.pid}`);
    const settings = remoteSettings({ CONFORMANCE_CLAIMS: 'user', TOKEN_COMMAND: `touch ${file}` });
    const { minted, requirements } = await makePreview(without(settings, 'USER_TOKEN_EXPIRED'), options);
    expect(minted).toBeGreaterThan(0);
    expect(requirements.undecidable).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('says how many chats a run would send without the budget', async () => {
    const { chatBudget, matrix } = await makePreview(
      remoteSettings({ CONFORMANCE_CLAIMS: 'user global', CONFORMANCE_CHAT_BUDGET: '12' }),
      options,
    );
    expect(chatBudget?.limit).toBe(12);
    expect(chatBudget?.wanted).toBeGreaterThan(12);
    expect(matrix.chats).toBeLessThanOrEqual(12);
    expect(chatBudget?.suffices).toBe(false);
  });
});
