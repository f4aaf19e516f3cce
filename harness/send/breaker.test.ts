import { describe, expect, test } from 'vitest';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { createGate } from './gate.ts';

const MINUTE = 60_000;

function world() {
  const clock = simulatedClock();
  return { clock, gate: createGate({ clock, rate: undefined, concurrency: 4, patienceMs: 30_000 }) };
}

describe('the breaker closes the gate', () => {
  const fail = async ({ clock, gate }: ReturnType<typeof world>, times: number, everyMs: number) => {
    for (let time = 0; time < times; time += 1) {
      await clock.advance(everyMs);
      gate.failed('status 503');
    }
    return gate.closed;
  };

  test('after twenty failures in a row over the given time', async () => {
    const it = world();
    expect(await fail(it, 19, 2000)).toBeUndefined();
    expect(await fail(it, 1, 2000)).toMatch(/to 20 requests in a row for 38 s \(last: status 503\): a gateway/);
  });

  test('if the target says nothing but 429 for two minutes', async () => {
    const { clock, gate } = world();
    const limited = async () => {
      gate.limited();
      await clock.advance(MINUTE);
      gate.limited();
      return gate.closed;
    };
    expect(await limited()).toBeUndefined();
    expect(await limited()).toBe('the target answered nothing but 429 for 120 s: run again when its limit is over');
    const heard = world();
    heard.gate.answered();
    for (let time = 0; time < 5; time += 1) {
      heard.gate.limited();
      await heard.clock.advance(MINUTE);
    }
    expect(heard.gate.closed).toBeUndefined();
  });

  test('but not after fewer failures', async () => {
    expect(await fail(world(), 19, MINUTE)).toBeUndefined();
  });

  test('but not after failures in a shorter time', async () => {
    expect(await fail(world(), 200, 1)).toBeUndefined();
  });

  test('but not for a time in which nothing was sent', async () => {
    const it = world();
    it.gate.answered();
    await it.clock.advance(MINUTE);
    expect(await fail(it, 25, 5)).toBeUndefined();
  });

  test('but not if an answer comes now and then', async () => {
    const it = world();
    for (let time = 0; time < 10; time += 1) {
      expect(await fail(it, 15, 10_000)).toBeUndefined();
      it.gate.answered();
    }
    expect(await fail(it, 20, 10_000)).toMatch(/\(last: status 503\)$/);
  });

  test('but not if the last attempt is answered, however long the other requests get no answer', async () => {
    let tried = 0;
    const it = world();
    it.gate.beforeClosing(async () => {
      tried += 1;
      it.gate.answered();
    });
    expect(await fail(it, 60, 2000)).toBeUndefined();
    expect(tried).toBe(3);
  });

  test('after the last attempt got no answer either', async () => {
    const it = world();
    it.gate.beforeClosing(async () => it.gate.failed());
    expect(await fail(it, 21, 2000)).toMatch(/no answer to 21 requests in a row for 38 s: check that it is running/);
  });
});
