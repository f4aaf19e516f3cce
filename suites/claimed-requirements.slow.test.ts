import { describe, expect, test } from 'vitest';
import type { JudgedRun } from '../harness/judge/judge-run.ts';
import { WHOLE } from '../harness/plan/narrowing.ts';
import { everyVariable } from '../harness/preview/made-up-values.ts';
import { makePreview } from '../harness/preview/preview.ts';
import { rehearse } from '../harness/preview/rehearse.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import type { Settings } from '../harness/settings/settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';

const catalogue = catalogueOf(contract);

/** The settings of a run with these claims. By default every variable is set. */
function settingsFor(claims: string, names: readonly string[] = Object.keys(everyVariable(catalogue))): Settings {
  const all = everyVariable(catalogue);
  const known = names.filter((name) => name !== 'ADMINISTRATION_COMMAND' || claims.includes('administration'));
  const set = Object.fromEntries(known.map((name) => [name, all[name] ?? '']));
  const target = { TARGET_BASE_URL: 'https://staging.example', CONFORMANCE_CLAIMS: claims };
  return readSettings(catalogue, { environment: { ...set, ...target }, dotenv: {} });
}

const claimedIn = ({ requirements }: Pick<JudgedRun, 'requirements'>) =>
  requirements.filter(({ verdict }) => verdict !== 'not-applicable').map(({ requirement }) => requirement.id);

/** A run whose target is gone before the first case. */
async function stoppedRun(settings: Settings): Promise<JudgedRun> {
  const session = startSession(settings, { checks, casesAt, intrusive: settings.loopback, journal: noJournal });
  session.gate.close('the target is gone');
  await session.sendAll();
  await session.close();
  return session.judge();
}

const FEW = ['USER_TOKEN', 'GLOBAL_TOKEN', 'OAUTH_TOKEN', 'OKTA_TOKEN', 'USER_EMAIL', 'ACT_AS_EMAIL'];

describe('a run that stops before its first case counts the requirements that a whole run counts', () => {
  test.each([
    'user',
    'global',
    'oauth',
    'google',
    'oauth mcp',
    'user administration',
    'oauth authorization-server',
    'user global oauth google azure okta onelogin scopes administration authorization-server mcp',
  ])('with the claims %s', async (claims) => {
    const settings = settingsFor(claims);
    const { judged } = await rehearse(settings, { checks, casesAt, intrusive: settings.loopback });
    expect(claimedIn(await stoppedRun(settings))).toEqual(claimedIn(judged));
  });

  test.each(['user global', 'okta'])('with the claims %s and few variables', async (claims) => {
    const settings = settingsFor(claims, FEW);
    const { judged } = await rehearse(settings, { checks, casesAt, intrusive: settings.loopback });
    expect(claimedIn(await stoppedRun(settings))).toEqual(claimedIn(judged));
  });
});

test.each([
  ['user', 'core', undefined],
  ['user', 'core', FEW],
  ['google', 'pairwise', undefined],
] as const)('`plan` counts what a run counts, with the claims %s at depth %s', async (claims, depth, names) => {
  const settings = { ...settingsFor(claims, names), depth };
  const { judged } = await rehearse(settings, { checks, casesAt, intrusive: false });
  const undecided = judged.requirements.filter((found) => found.undecided.length > 0);
  const { requirements } = await makePreview(settings, { checks, intrusive: false, narrowing: WHOLE });
  expect(requirements.claimed).toBe(claimedIn(judged).length);
  expect(requirements.decidable).toBe(claimedIn(judged).length - undecided.length);
});
