import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlainTarget, startPlainTarget } from '../fixtures/plain/target.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './checks/index.ts';
import { tokens } from './testing/one-check.ts';

let target: PlainTarget;
beforeAll(async () => {
  target = await startPlainTarget({ tokens });
});
afterAll(() => target.close());

/** What a run with this budget decides of the gravest requirements, and how many cases of the matrix it sends. */
async function runWith(budget: number, claims: string) {
  const env = { ...target.env, CONFORMANCE_CLAIMS: claims };
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogueOf(contract), env, { environment: {}, dotenv: {}, flags });
  const session = startSession(settings, { checks, casesAt, budget, journal: noJournal });
  try {
    await session.preflight();
    await session.sendAll();
    const { requirements } = session.judge();
    const grave = requirements.filter(({ requirement }) => requirement.grave && requirement.level === 'must');
    return {
      undecided: grave
        .flatMap(({ undecided }) => undecided.map(({ unit }) => unit))
        .filter((unit) => unit !== 'any/any'),
      decided: grave.every(({ decidedCases }) => decidedCases > 0),
      cases: session.sender.exchanges.filter(({ role }) => role === 'cell').length,
    };
  } finally {
    await session.close();
  }
}

test.each(['user global', 'user global oauth google azure okta onelogin'])(
  'a budget of 200 requests decides first who sees whose documents, for the claims %s',
  async (claims) => {
    const { undecided, decided, cases } = await runWith(200, claims);
    expect({ undecided, decided }).toEqual({ undecided: [], decided: true });
    expect(cases).toBeGreaterThan(0);
  },
);
