import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { mintPlainTokens } from '../fixtures/plain/mint.ts';
import { plainOperations } from '../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../fixtures/plain/target.ts';
import type { Check } from '../harness/checks/check.ts';
import type { JudgedRun } from '../harness/judge/judge-run.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';

const catalogue = catalogueOf(contract);
const tokens = mintPlainTokens(plainOperations);

/** A number from 0 to 1 for each answer, the same for the same seed. */
function randomNumbers(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

/** A gateway in front of a conforming target that answers some requests with 200 and its sign-in page. */
function behindGateway(rate: number, seed: string): PlainOptions {
  const random = randomNumbers(seed);
  return {
    send: (reply, response) =>
      random() < rate
        ? send({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Sign in</h1>' }, response)
        : send(reply, response),
  };
}

/** Tests a target with the matrix and these checks. */
async function judged(options: PlainOptions, checks: readonly Check[]): Promise<JudgedRun> {
  const target = await startPlainTarget({ tokens, ...options });
  const sources = { flags: { CONFORMANCE_DEPTH: 'core' } };
  const session = startSession(embeddedSettings(catalogue, target.env, sources), {
    checks,
    casesAt,
    journal: noJournal,
  });
  try {
    await session.sendMatrix();
    for (const check of session.checks) await session.runCheck(check);
    return session.judge();
  } finally {
    await session.close();
    await target.close();
  }
}

describe('a gateway that sometimes answers 200 with its sign-in page', () => {
  const rates = [0.01, 0.05, 0.3];
  const runs = rates.flatMap((rate) => ['one', 'two'].map((seed) => [rate, seed] as const));
  test.each(runs)('at a rate of %d, with seed %s, is never blamed on its target', async (rate, seed) => {
    const { ending } = await judged(behindGateway(rate, seed), []);
    expect(['conforms', 'inconclusive']).toContain(ending);
  });

  test.each([...runs.filter(([, seed]) => seed === 'one'), [0.3, 'two'] as const])(
    'at a rate of %d, with seed %s, is blamed on its target by no check',
    async (rate, seed) => {
      const { findings, decisions } = await judged(behindGateway(rate, seed), checks);
      const blaming = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
      expect(blaming.map(({ requirement }) => requirement)).toEqual([]);
      const blamed = findings.filter(({ verdict }) => verdict !== 'inconclusive');
      expect(blamed.flatMap(({ requirements }) => requirements)).toEqual([]);
    },
  );
});
