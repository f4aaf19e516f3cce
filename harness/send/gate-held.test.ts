import { expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate } from './gate.ts';

const world = () => {
  const clock = simulatedClock();
  return { clock, gate: createGate({ clock, rate: 10, concurrency: 1, patienceMs: 1000 }) };
};

test('a gate is held by the target until a pause that the target asked for ends', async () => {
  const { clock, gate } = world();
  expect(gate.isHeldByTarget).toBe(false);
  gate.pause(500);
  expect(gate.isHeldByTarget).toBe(true);
  await clock.advance(499);
  expect(gate.isHeldByTarget).toBe(true);
  await clock.advance(1);
  expect(gate.isHeldByTarget).toBe(false);
});

test('a gate is held by the target during a lockout', async () => {
  const { clock, gate } = world();
  gate.lockedOut();
  expect(gate.isHeldByTarget).toBe(true);
  await clock.advance(60 * 60_000);
  expect(gate.isHeldByTarget).toBe(false);
});

test('a gate that only keeps its own rate is not held by the target', async () => {
  const { clock, gate } = world();
  await clock.until(gate.pass(async () => undefined));
  expect(gate.isHeldByTarget).toBe(false);
});
