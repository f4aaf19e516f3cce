import { describe, expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate, type GateOptions } from './gate.ts';

const MINUTE = 60_000;

function world(options: Partial<GateOptions> = {}) {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 4, patienceMs: 30_000, ...options });
  /** Passes many requests at once. Returns when each was sent. */
  const sendMany = async (count: number, takesMs = 0): Promise<number[]> => {
    const sent: number[] = [];
    const send = () => {
      sent.push(clock.now());
      return clock.sleep(takesMs);
    };
    await clock.until(Promise.all(Array.from({ length: count }, () => gate.pass(send))));
    return sent;
  };
  return { clock, gate, sendMany };
}

describe('a gate with a rate', () => {
  test.each([
    [0.5, 1, 0],
    [10, 1, 0],
    [10, 4, 350],
    [25, 16, 100],
    [80, 16, 20],
  ])('of %d a second, %d at once, keeps that rate in a simulated minute', async (rate, concurrency, takesMs) => {
    const { sendMany } = world({ rate, concurrency });
    const sent = await sendMany(rate * 90, takesMs);
    const inMinute = sent.filter((at) => at >= 10_000 && at < 10_000 + MINUTE).length;
    expect(inMinute).toBeGreaterThanOrEqual(rate * 60 * 0.95);
    expect(inMinute).toBeLessThanOrEqual(rate * 60 * 1.05);
  });

  test('never lets two requests through closer together than the rate allows, even after a pause', async () => {
    const { clock, sendMany } = world({ rate: 10, concurrency: 4 });
    const first = await sendMany(5);
    await clock.advance(MINUTE);
    const sent = [...first, ...(await sendMany(20))];
    const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100 - 1e-6);
  });

  test('is not faster than the target answers', async () => {
    const sent = await world({ rate: 100, concurrency: 2 }).sendMany(20, 1000);
    expect(sent.filter((at) => at < 5000)).toHaveLength(10);
  });
});

describe('a gate', () => {
  test('without a rate sends at once', async () => {
    const { sendMany } = world();
    expect(new Set(await sendMany(50))).toEqual(new Set([0]));
  });

  test('has as many requests in flight as its concurrency, and never more', async () => {
    const { clock, gate } = world({ concurrency: 3 });
    let [now, most] = [0, 0];
    const send = async () => {
      now += 1;
      most = Math.max(most, now);
      await clock.sleep(10);
      now -= 1;
    };
    await clock.until(Promise.all(Array.from({ length: 20 }, () => gate.pass(send))));
    expect({ most, now }).toEqual({ most: 3, now: 0 });
  });

  test('sends in the order of the calls', async () => {
    const { clock, gate } = world({ rate: 10, concurrency: 2 });
    const order: number[] = [];
    const send = (index: number) => async () => order.push(index);
    await clock.until(Promise.all([0, 1, 2, 3, 4, 5].map((index) => gate.pass(send(index)))));
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('passes on results and errors, and goes on after an error', async () => {
    const { gate } = world({ concurrency: 1 });
    await expect(gate.pass(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    await expect(gate.pass(async () => 'answer')).resolves.toBe('answer');
  });

  test.each([undefined, 10])('sends nothing during a pause (rate %s)', async (rate) => {
    const { clock, gate, sendMany } = world({ rate });
    await sendMany(1);
    gate.pause(5000);
    gate.pause(2000);
    expect(gate.heldMs).toBe(5000);
    const sent = await sendMany(3);
    expect(Math.min(...sent)).toBe(5000);
    await clock.advance(1000);
    gate.pause(500);
    expect(gate.heldMs).toBe(500);
  });

  test('says how long it still pauses, and why', async () => {
    const { clock, gate } = world();
    gate.pause(1500);
    expect(gate.holding).toBe('pausing 2 s because the target asked to slow down');
    await clock.advance(1000);
    expect(gate.holding).toBe('pausing 1 s because the target asked to slow down');
    await clock.advance(500);
    expect(gate.holding).toBeUndefined();
  });

  test('also holds back requests that already wait when a pause starts', async () => {
    const { clock, gate } = world({ rate: 1, concurrency: 2 });
    const sent: number[] = [];
    const send = async () => sent.push(clock.now());
    const all = Promise.all([gate.pass(send), gate.pass(send)]);
    await clock.advance(500);
    gate.pause(10_000);
    await clock.until(all);
    expect(sent).toEqual([0, expect.closeTo(10_500, 0)]);
  });

  test('that is closed sends nothing, not even requests that already wait', async () => {
    const { clock, gate } = world({ concurrency: 1 });
    const inFlight = gate.pass(() => clock.sleep(100).then(() => 'first'));
    const waiting = gate.pass(async () => 'second');
    await clock.advance(1);
    gate.close('interrupted');
    gate.close('again');
    expect(await clock.until(Promise.all([inFlight, waiting]))).toEqual(['first', undefined]);
    expect(await clock.until(gate.pass(async () => 'third'))).toBeUndefined();
    expect(gate.closed).toBe('interrupted');
  });
});

describe('a gate that is closed does not wait', () => {
  test('for the rate', async () => {
    const { clock, gate, sendMany } = world({ rate: 1, concurrency: 1 });
    await sendMany(1);
    gate.close('interrupted');
    await sendMany(100);
    expect(clock.now()).toBeLessThan(1000);
  });

  test('for the end of a pause', async () => {
    const { clock, gate } = world();
    gate.pause(MINUTE);
    const waiting = Promise.all([gate.pass(async () => 'sent'), gate.wait(MINUTE)]);
    await clock.advance(1000);
    gate.close('interrupted');
    expect(await clock.until(waiting)).toEqual([undefined, undefined]);
    expect(clock.now()).toBeLessThan(2000);
  });
});

test('a gate that was closed waits a moment for the answers that are on their way, and no longer', async () => {
  const { clock, gate } = world();
  const soon = gate.pass(() => clock.sleep(1_000).then(() => 'answer'));
  const late = gate.pass(() => clock.sleep(90_000).then(() => 'answer'));
  await clock.advance(10);
  gate.close('interrupted');
  expect(await clock.until(Promise.all([soon, late]))).toEqual(['answer', undefined]);
  expect(clock.now()).toBeLessThan(5_000);
});

describe('a gate with a limit of refused tokens', () => {
  test('pauses at the limit, until a minute has passed since the first refusal', async () => {
    const { clock, gate } = world({ denialsPerMinute: 3, concurrency: 1 });
    const sent: number[] = [];
    const deny = async () => {
      sent.push(clock.now());
      await clock.sleep(1000);
      gate.denied();
    };
    for (let time = 0; time < 7; time += 1) await clock.until(gate.pass(deny));
    expect(sent.map((at) => Math.round(at / 1000))).toEqual([0, 1, 2, 61, 62, 63, 122]);
  });

  test('pauses for a minute after a lockout, says why, and halves the limit', async () => {
    const { clock, gate } = world({ denialsPerMinute: 60, concurrency: 1 });
    for (let time = 0; time < 20; time += 1) gate.denied();
    expect(gate.holding).toBeUndefined();
    gate.lockedOut();
    expect(gate.holding).toBe('pausing 60 s because the target refuses what it accepted before');
    gate.stillLockedOut();
    expect(gate.holding).toBe('pausing 60 s because the target refuses what it accepted before');
    const sent: number[] = [];
    const deny = async () => {
      sent.push(Math.round(clock.now() / 1000));
      gate.denied();
    };
    for (let time = 0; time < 11; time += 1) await clock.until(gate.pass(deny));
    expect(sent).toEqual([...Array(10).fill(60), 120]);
  });

  test('does not pause while fewer tokens are refused', async () => {
    const { clock, gate } = world({ denialsPerMinute: 3, concurrency: 1 });
    for (let time = 0; time < 20; time += 1) {
      await clock.advance(30_000);
      gate.denied();
      await clock.until(gate.pass(async () => undefined));
    }
    expect(clock.now()).toBe(600_000);
  });
});
