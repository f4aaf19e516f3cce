import { expect, test } from 'vitest';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { runOnPlain } from '../testing/one-check.ts';
import { repetition } from './repetition.ts';

// The id of a run is its seed. These runs draw refusals of a chat with a GLOBAL token and with none.
const RUNS = ['d', 'e'];

/** What the check decides in these runs. */
async function verdicts(options: PlainOptions = {}) {
  const found = new Set<string>();
  for (const run of RUNS)
    for (const { operation, kind, verdict } of (await runOnPlain(repetition, options, {}, run)).decisions)
      found.add(`${verdict} ${operation}/${kind}`);
  return [...found].sort();
}

test('a target that answers every repetition alike passes on both operations', async () => {
  const found = await verdicts();
  expect(found.filter((one) => !one.startsWith('pass '))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['pass search/USER', 'pass chat/GLOBAL', 'pass chat/none']));
});

test('a refusal of a chat passes nothing if no chat with this kind of token was accepted', async () => {
  const checks = replaceCheck('token.expired', (request, original) => {
    const { record, operation } = request;
    const isRefused = record?.kind === 'GLOBAL' && operation?.scope === 'CHAT';
    return original(request) ?? (isRefused ? { status: 404, message: 'No chat for applications' } : undefined);
  });
  const found = await verdicts({ checks });
  expect(found).not.toContain('pass chat/GLOBAL');
  expect(found).toEqual(expect.arrayContaining(['inconclusive chat/GLOBAL', 'pass search/GLOBAL', 'pass chat/USER']));
});
