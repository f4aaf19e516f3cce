import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { arrivalsOf } from '../testing/arrivals.ts';
import { checks } from '../testing/checks.ts';

/** What these send follows from a seed. */
const BY_SEED = [
  'presentation',
  'fuzz',
  'alteration',
  'grammar',
  'nothing-found',
  'conversations',
  'tampering',
  'repetition',
];
/** What arrived when each check had a list of its own. Lines may be added, and none taken away. */
const SENT = readFileSync(new URL('sent.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

test('everything unusual that checks with lists of their own sent still arrives', async () => {
  const chosen = checks.filter(({ id, capability }) => capability === undefined && !BY_SEED.includes(id));
  const arrived = await arrivalsOf(chosen);
  expect(SENT.filter((line) => !arrived.includes(line))).toEqual([]);
});
