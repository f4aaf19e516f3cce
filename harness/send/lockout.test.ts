import { describe, expect, test, vi } from 'vitest';
import { accepted, MINUTE, other, plan, world } from '../testing/locking-target.ts';
import { answer, plannedCase } from '../testing/small-world.ts';

describe('a refusal is not a lockout', () => {
  test('if nothing was accepted before', async () => {
    const { send, recover, times, lockout } = world(() => 401);
    await send(accepted);
    expect(await recover()).toBe(false);
    expect(times).toHaveLength(1);
    expect(lockout.times).toBe(0);
  });

  test.each([1, 2, 3])('if the last acceptance is accepted at its re-send number %i', async (resend) => {
    const { send, recover, times, sender } = world((request) => (request === 1 || request === 2 + resend ? 200 : 401));
    await send(accepted, other);
    expect(await recover()).toBe(false);
    expect(times).toHaveLength(2 + resend);
    expect(sender.exchanges[1]?.observation).toMatchObject({ status: 401 });
  });

  test('if the last acceptance gets no refusal but another answer', async () => {
    const { send, recover } = world((request) => (request === 1 ? 200 : 404));
    await send(accepted, other);
    expect(await recover()).toBe(false);
  });
});

describe('a lockout', () => {
  /** Locked from the second request on, for some milliseconds after the first. */
  const lockedFor = (ms: number) => world((request, now) => (request === 1 || now > ms ? 200 : 423));

  test('is waited out a minute at a time, and then its cases are sent again', async () => {
    const { send, recover, times, sender, gate } = lockedFor(2.5 * MINUTE);
    await send(accepted, other);
    expect(await recover()).toBe(true);
    // The acceptance, the case, three re-sends at once, one each minute, and the case again.
    expect(times.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    const waits = times.slice(5).map((at) => Math.round(at / MINUTE));
    expect(waits).toEqual([1, 2, 3, 3]);
    expect(gate.closed).toBeUndefined();
    expect(sender.seen(other.id)?.observation).toMatchObject({ kind: 'answer', status: 200 });
  });

  test('halves the limit of refused tokens once, however many minutes it lasts', async () => {
    const { send, recover, gate } = lockedFor(2.5 * MINUTE);
    const [halves, waits] = [vi.spyOn(gate, 'lockedOut'), vi.spyOn(gate, 'stillLockedOut')];
    await send(accepted, other);
    expect(await recover()).toBe(true);
    expect([halves.mock.calls.length, waits.mock.calls.length]).toEqual([1, 2]);
  });

  test('turns the refusals since the last acceptance into failures, in the journal too', async () => {
    const { send, recover, sender, entries } = lockedFor(MINUTE / 2);
    await send(accepted, other);
    await recover();
    expect(
      sender.exchanges.map(({ observation }) => ('status' in observation ? observation.status : observation.failure)),
    ).toEqual([200, 'locked-out', 'locked-out', 'locked-out', 'locked-out', 200, 200]);
    expect(entries.filter(({ type }) => type === 'lockout')).toEqual([{ type: 'lockout', from: 2, to: 6 }]);
  });

  test('sends its controls as controls and its cases as cells', async () => {
    const { send, recover, sender } = lockedFor(MINUTE / 2);
    await send(accepted, other);
    await recover();
    expect(sender.exchanges.map(({ role, case: id }) => [role, id])).toEqual([
      ['cell', accepted.id],
      ['cell', other.id],
      ...Array.from({ length: 4 }, () => ['control', accepted.id]),
      ['cell', other.id],
    ]);
  });

  test('that never ends closes the gate after 16 minutes, and proves nothing', async () => {
    const { send, recover, times, sender, gate } = lockedFor(Number.POSITIVE_INFINITY);
    await send(accepted, other);
    expect(await recover()).toBe(true);
    expect(gate.closed).toBe(
      'the target still refuses what it accepted before: it has probably locked out the tokens or this address',
    );
    expect(times).toHaveLength(2 + 3 + 16);
    expect(Math.round((times.at(-1) ?? 0) / MINUTE)).toBe(16);
    expect(sender.seen(other.id)?.observation).toMatchObject({ kind: 'failure', failure: 'locked-out' });
  });

  test('is given up at once when the gate is closed', async () => {
    const { send, recover, times, gate } = world((request) => {
      if (request === 6) gate.close('Ctrl-C');
      return request === 1 ? 200 : 401;
    });
    await send(accepted, other);
    expect(await recover()).toBe(true);
    expect(times).toHaveLength(6);
    expect(gate.closed).toBe('Ctrl-C');
  });

  test('leaves the refusals before the last acceptance as they are, also if it never ends', async () => {
    for (const end of [MINUTE / 2, Number.POSITIVE_INFINITY]) {
      const { send, recover, sender } = world((request, now) => (request === 2 || now > end ? 200 : 403));
      await send(other, accepted, other);
      expect(await recover()).toBe(true);
      expect(sender.exchanges[0]?.observation).toMatchObject({ kind: 'answer', status: 403 });
      expect(sender.exchanges[2]?.observation).toMatchObject({ kind: 'failure' });
    }
  });

  test('sends no request of a check again', async () => {
    const { send, recover, sender, times } = lockedFor(MINUTE / 2);
    await send(accepted);
    const observation = answer(401);
    sender.record({ case: 'isolation', role: 'cell', credential: '$USER_TOKEN', observation });
    expect(await recover()).toBe(true);
    expect(times).toHaveLength(5);
  });

  test('is not assumed if the gate closes while the last acceptance is sent again', async () => {
    const { send, recover, times, gate } = world((request) => {
      if (request === 3) gate.close('Ctrl-C');
      return request === 1 ? 200 : 401;
    });
    await send(accepted, other);
    expect(await recover()).toBe(false);
    expect(times).toHaveLength(3);
  });

  test('does not send its cases again if the gate closes while the target accepts', async () => {
    const { send, recover, times, gate } = world((request) => {
      if (request === 6) gate.close('Ctrl-C');
      return request === 1 || request === 6 ? 200 : 401;
    });
    await send(accepted, other);
    expect(await recover()).toBe(true);
    expect(times).toHaveLength(6);
    expect(gate.closed).toBe('Ctrl-C');
  });
});

describe('the lockouts of a run', () => {
  test('are each waited for, and counted', async () => {
    let lockedUntil = 0;
    const { send, recover, lockout, sender } = world((request, now) =>
      request === 1 || now > lockedUntil ? 200 : 423,
    );
    await send(accepted);
    for (const count of [1, 2]) {
      lockedUntil = count * 10 * MINUTE;
      await send(other);
      expect(await recover()).toBe(true);
      expect([lockout.times, sender.seen(other.id)?.observation]).toMatchObject([count, { status: 200 }]);
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
    await send(accepted, other, third);
    expect(await recover()).toBe(true);
    expect(lockout.times).toBe(2);
    expect([other, third].map(({ id }) => sender.seen(id)?.observation)).toMatchObject([
      { status: 423 },
      { status: 200 },
    ]);
  });
});

describe('on this machine', () => {
  test('the waits begin with a second, and nothing limits refused tokens afterwards', async () => {
    const { send, recover, times, gate } = world((request, now) => (request === 1 || now >= 5000 ? 200 : 403), true);
    await send(accepted, other);
    expect(await recover()).toBe(true);
    expect([...new Set(times)]).toEqual([0, 1000, 3000, 7000]);
    for (let denial = 0; denial < 100; denial += 1) gate.denied();
    await send(accepted);
    expect(times.at(-1)).toBe(7000);
  });

  test('what is refused for longer than two minutes is no lockout, and is not waited for again', async () => {
    const { send, recover, sender, times, gate } = world((request) => (request === 1 ? 200 : 401), true);
    await send(accepted, other);
    expect(await recover()).toBe(false);
    expect(times.at(-1)).toBe(2 * MINUTE + 3000);
    expect(sender.seen(other.id)?.observation).toMatchObject({ kind: 'answer', status: 401 });
    expect(gate.closed).toBeUndefined();
    expect(await recover()).toBe(false);
    expect(times.at(-1)).toBe(2 * MINUTE + 3000);
  });
});

test('two requests that notice the same lockout wait for it once', async () => {
  const { send, recoverTwice, times } = world((request, now) => (request === 1 || now > 0 ? 200 : 403), true);
  await send(accepted, other);
  expect(await recoverTwice()).toEqual([true, true]);
  expect(times.filter((at) => at > 0)).toHaveLength(2);
});
