import { expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate } from './gate.ts';

const world = () => {
  const clock = simulatedClock();
  return { clock, gate: createGate({ clock, rate: 10, concurrency: 1, patienceMs: 1000, denialsPerMinute: 60 }) };
};

test('a gate says how long it is held, by a pause that the target asked for and by a lockout', async () => {
  const { clock, gate } = world();
  expect(gate.heldMs).toBe(0);
  gate.pause(500);
  await clock.advance(499);
  expect(gate.heldMs).toBe(1);
  await clock.advance(1);
  expect(gate.heldMs).toBe(0);
  gate.lockedOut();
  expect(gate.heldMs).toBe(60_000);
});

test('a gate says that it pauses during a lockout, and nothing after it', async () => {
  const { clock, gate } = world();
  gate.lockedOut();
  await clock.advance(60_000 - 1);
  expect(gate.holding).toBe('pausing 1 s because the target refuses what it accepted before');
  await clock.advance(1);
  expect(gate.holding).toBeUndefined();
});

test('a gate waits as long as it is told, and its requests do not wait for that', async () => {
  const { clock, gate } = world();
  const waiting = gate.wait(700).then(() => clock.now());
  await clock.until(gate.pass(async () => 'sent'));
  expect(clock.now()).toBe(0);
  expect(await clock.until(waiting)).toBe(700);
});

test('a gate counts the refused tokens, also without a limit', () => {
  const { gate } = world();
  for (let time = 0; time < 3; time += 1) gate.denied();
  expect(gate.refusedTokens).toBe(3);
});

test('a gate with a budget lets so many requests through, and then says why it is closed', async () => {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 4, patienceMs: 30_000, budget: 7 });
  const passed = await Promise.all(Array.from({ length: 10 }, () => gate.pass(async () => 'sent')));
  expect(passed.filter((one) => one === 'sent')).toHaveLength(7);
  expect(gate.closed).toBe('the budget of 7 requests is spent');
});

test('who sends one request after the other waits for one slot, not behind all that others send at once', async () => {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 4, patienceMs: 1000 });
  const send = () => clock.sleep(100);
  const many = Promise.all(Array.from({ length: 80 }, () => gate.pass(send, 'many')));
  const ends: number[] = [];
  const chain = async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      await gate.pass(send, 'chain');
      ends.push(clock.now());
    }
  };
  await clock.until(Promise.all([many, chain()]));
  // All slots end in the same moment, so that a request may wait for the next one.
  expect(ends[0]).toBe(200);
  expect(ends[4]).toBeLessThanOrEqual(1000);
  expect(clock.now()).toBe(2200);
});

test('who has its answers waits no longer than who sends for the first time', async () => {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 1, patienceMs: 1000 });
  const order: string[] = [];
  const send = (sender: string) =>
    gate.pass(() => {
      order.push(sender);
      return clock.sleep(100);
    }, sender);
  for (let sent = 0; sent < 3; sent += 1) await clock.until(send('earlier'));
  await clock.until(Promise.all(['other', 'earlier', 'new'].map(send)));
  expect(order.slice(3)).toEqual(['other', 'earlier', 'new']);
});

test('jobs that hold slots until all have one run one after the other, also after one that failed', async () => {
  const gate = createGate({ clock: simulatedClock(), rate: undefined, concurrency: 2, patienceMs: 1000 });
  const ended: string[] = [];
  const job = (name: string) => () =>
    gate.pass(async () => {
      ended.push(name);
      if (name === 'second') throw new Error('no answer');
    });
  let endFirst = () => {};
  const first = gate.inTurn(() => new Promise<void>((resolve) => (endFirst = resolve)));
  const others = Promise.allSettled([gate.inTurn(job('second')), gate.inTurn(job('third'))]);
  await gate.pass(async () => ended.push('what is in no job'));
  endFirst();
  await Promise.all([first, others]);
  expect(ended).toEqual(['what is in no job', 'second', 'third']);
});

test('a job that is alone begins after the answers that are on their way, and nobody else sends until it is over', async () => {
  const { clock, gate } = world();
  const order: string[] = [];
  const send = (name: string, ms: number, isAlone = false) =>
    gate.pass(
      async () => {
        order.push(`${name} begins`);
        await clock.sleep(ms);
        order.push(`${name} ends`);
      },
      name,
      isAlone,
    );
  const before = send('before', 500);
  await clock.advance(100);
  const alone = gate.alone(async () => {
    await send('alone', 1000, true);
    await send('alone too', 1000, true);
  });
  const after = send('after', 10);
  await clock.until(Promise.all([before, alone, after]));
  const names = ['before', 'alone', 'alone too', 'after'];
  expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a job that is alone does not wait for an answer that does not come', async () => {
  const { clock, gate } = world();
  void gate.pass(() => new Promise(() => undefined));
  await clock.advance(1);
  expect(await clock.until(gate.alone(async () => gate.pass(async () => clock.now(), '', true)))).toBeLessThan(3000);
});
