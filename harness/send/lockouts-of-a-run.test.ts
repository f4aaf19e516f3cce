import { describe, expect, test } from 'vitest';
import { accepted, MINUTE, other, plan, world } from '../testing/locking-target.ts';
import { plannedCase } from '../testing/small-world.ts';

describe('the lockouts of a run', () => {
  test('are each waited for, and counted', async () => {
    let lockedUntil = 0;
    const { send, recover, lockout, sender } = world((request, now) =>
      request === 1 || now > lockedUntil ? 200 : 423,
    );
    await send();
    for (const count of [1, 2]) {
      lockedUntil = count * 10 * MINUTE;
      await send(other);
      expect(await recover()).toBe(true);
      expect([lockout.times, sender.seen(other.id)]).toMatchObject([count, { status: 200 }]);
    }
  });

  test('may follow each other while the cases are sent again: each case follows an acceptance', async () => {
    const third = plannedCase(plan, 'search', 'AZURE');
    let lockedUntil = MINUTE / 2;
    // The case that locks the target is the eighth request: it is sent again after the first lockout.
    const { send, recover, lockout, sender } = world((request, now) => {
      if (request === 8) lockedUntil = now + MINUTE / 2;
      return request === 1 || now > lockedUntil ? 200 : 423;
    });
    for (const planned of [accepted, other, third]) await send(planned);
    expect(await recover()).toBe(true);
    expect(lockout.times).toBe(2);
    expect([other, third].map(({ id }) => sender.seen(id))).toMatchObject([{ status: 423 }, { status: 200 }]);
  });
});

describe('on this machine', () => {
  test('the waits begin with a second, and nothing limits refused tokens afterwards', async () => {
    const { send, recover, times, gate } = world((request, now) => (request === 1 || now >= 5000 ? 200 : 403), true);
    await send();
    await send(other);
    expect(await recover()).toBe(true);
    expect([...new Set(times)]).toEqual([0, 1000, 3000, 7000]);
    for (let denial = 0; denial < 100; denial += 1) gate.denied();
    await send();
    expect(times.at(-1)).toBe(7000);
  });

  test('what is refused for longer than two minutes is no lockout, and is not waited for again', async () => {
    const { send, recover, sender, times, gate } = world((request) => (request === 1 ? 200 : 401), true);
    await send();
    await send(other);
    expect(await recover()).toBe(false);
    expect(times.at(-1)).toBe(2 * MINUTE + 3000);
    expect(sender.seen(other.id)).toMatchObject({ kind: 'answer', status: 401 });
    expect(gate.closed).toBeUndefined();
    expect(await recover()).toBe(false);
    expect(times.at(-1)).toBe(2 * MINUTE + 3000);
  });
});

test('two requests that notice the same lockout wait for it once', async () => {
  const { send, recoverTwice, times } = world((request, now) => (request === 1 || now > 0 ? 200 : 403), true);
  await send();
  await send(other);
  expect(await recoverTwice()).toEqual([true, true]);
  expect(times.filter((at) => at > 0)).toHaveLength(2);
});
