import { afterAll, describe, expect, test } from 'vitest';
import { serveDifference } from '../fixtures/deviants/deviant.ts';
import { deviants } from '../fixtures/deviants/index.ts';
import { mintPlainTokens } from '../fixtures/plain/mint.ts';
import { plainOperations } from '../fixtures/plain/request.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { startWorld } from '../service/embedded/world.ts';
import { askRow, describeJudgement, documentedRows } from './testing/documented-rows.ts';

const catalogue = catalogueOf(contract);
const fixtures = { world: await startWorld(), tokens: mintPlainTokens(plainOperations) };
afterAll(() => fixtures.world.close());

const SHOWN =
  /^(token\.(expired|unknown)|scope\.|act-as\.(missing|unknown)|auth-type\.missing|user\.accepted|oauth\.|authorization\.required)/;
/** The first deviant of the plain target for each requirement that a documented row shows: later ones may fail at times only. */
const chosen = [
  ...new Map(
    deviants
      .filter(({ base, breaks, expects }) => base === 'plain' && expects === 'fail' && SHOWN.test(breaks))
      .reverse()
      .map((deviant) => [deviant.breaks, deviant]),
  ).values(),
];

async function sessionWith(difference: Parameters<typeof serveDifference>[1]) {
  const target = await serveDifference(fixtures, difference);
  const settings = embeddedSettings(catalogue, target.env, { flags: { CONFORMANCE_DEPTH: 'core' } });
  const session = startSession(settings, { checks: [], casesAt, journal: noJournal });
  return { session, close: () => Promise.all([session.close(), target.close()]) };
}

describe('the documented rows', () => {
  test.for(chosen)('are judged as the engine judges them: $id', async (deviant) => {
    const { session, close } = await sessionWith(deviant);
    const differing: string[] = [];
    for (const { title, planned } of documentedRows(session)) {
      if (!planned) continue;
      const row = (await askRow(session, planned))?.kind === 'pass';
      const [engine] = await session.runGroup({ id: planned.group, cases: [planned] });
      if (engine?.verdict !== 'inconclusive' && row !== (engine?.verdict === 'pass'))
        differing.push(`${title}: the row ${row ? 'passes' : 'fails'}, the engine says ${engine?.verdict}`);
    }
    await close();
    expect(differing).toEqual([]);
  });

  test('name requirement, wanted, got and a command line when they fail, and no secret', async () => {
    const expired = deviants.find(({ id }) => id === 'plain.expired-accepted.google');
    if (!expired) throw new Error('no such deviant');
    const { session, close } = await sessionWith(expired);
    const row = documentedRows(session).find(({ title }) => title.startsWith('a GOOGLE token after its expiry'));
    if (!row?.planned) throw new Error('no such row');
    const text = describeJudgement(session, row.planned, await askRow(session, row.planned));
    await close();
    expect(text).toMatch(/^requirement {2}token\.expired\ncondition {4}\S+\nwanted {7}401\ngot {10}200/);
    expect(text).toMatch(/-H "Authorization: Bearer \$\{?GOOGLE_TOKEN_EXPIRED\}?"/);
    for (const [, { value }] of session.settings.variables)
      if (value.length > 20 && !value.startsWith('http')) expect(text).not.toContain(value);
  });
});
