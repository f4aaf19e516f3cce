import { expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate } from './gate.ts';

test('a gate with a budget lets so many requests through, and then says why it is closed', async () => {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 4, patienceMs: 30_000, budget: 7 });
  const passed = await Promise.all(Array.from({ length: 10 }, () => gate.pass(async () => 'sent')));
  expect(passed.filter((one) => one === 'sent')).toHaveLength(7);
  expect(gate.closed).toBe('the budget of 7 requests is spent');
});
