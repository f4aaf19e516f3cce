import { test } from 'vitest';
import { startPlainTarget } from '../fixtures/plain-target.ts';
import { startServiceTarget } from '../fixtures/service-target.ts';
import { noJournal } from '../harness/journal.ts';
import { loadContract } from '../harness/load-contract.ts';
import { open } from '../harness/run.ts';
import { embeddedSettings } from '../harness/settings.ts';
import { checks } from './index.ts';

const contract = await loadContract();
test.each([
  ['plain', startPlainTarget],
  ['service', startServiceTarget],
] as const)('%s', async (name, start) => {
  const target = await start();
  const settings = embeddedSettings(contract, target.env, {
    environment: {},
    dotenv: {},
    flags: { CONFORMANCE_DEPTH: 'core' },
  });
  const session = open(contract, settings, { journal: noJournal });
  for (const check of checks) {
    const before = session.sender.exchanges.length;
    const t = performance.now();
    const found = await session.check(check);
    const count: Record<string, number> = {};
    for (const { verdict } of found) count[verdict] = (count[verdict] ?? 0) + 1;
    console.log(
      name,
      check.id,
      session.sender.exchanges.length - before,
      'requests',
      Math.round(performance.now() - t),
      'ms',
      JSON.stringify(count),
    );
    for (const f of found.filter(
      (f) =>
        !['pass'].includes(f.verdict) &&
        ['scope-order', 'repetition', 'presentation', 'alteration', 'fuzz', 'grammar'].includes(check.id),
    ))
      console.log(f);
  }
  await session.close();
  await target.close();
});
