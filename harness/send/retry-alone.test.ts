import { expect, test, vi } from 'vitest';
import type { Observation } from '../record/observation.ts';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { accepted, answer } from '../testing/small-world.ts';
import { createGate } from './gate.ts';
import { createPatience } from './patience.ts';
import { sendUntilAnswered } from './retry.ts';

const limited = answer(429);

/** @param isAnswering whether the target answers another request right after it answered 429. */
function world(isAnswering: () => boolean) {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 2, patienceMs: 1_000_000 });
  const pause = vi.spyOn(gate, 'pause');
  const patience = createPatience({ timeoutMs: 1000, chatTimeoutMs: 1000 });
  const sending = { gate, patience, isAnswering: async () => isAnswering() };
  /** @param answers whatever comes, in order; the last one again and again. Sent beside others while `isAlone` is false. */
  const send = async (name: string, answers: (isAlone: boolean) => Observation) => {
    let sent = 0;
    const sendOnce = async (isAlone: boolean) => {
      sent += 1;
      return { observation: answers(isAlone), ms: 1 };
    };
    const once = (isAlone: boolean) => gate.pass(() => sendOnce(isAlone), '', isAlone);
    const got = await clock.until(
      sendUntilAnswered(sending, { operation: undefined, name, once, optionsOf: () => ({}) }),
    );
    return { sent, got: got?.observation };
  };
  return { clock, pause, send };
}

test('only a request waits whose 429 comes again while the target answers others, and later ones of its sort hardly wait', async () => {
  const { clock, pause, send } = world(() => true);
  for (const name of ['a', 'b', 'c']) expect(await send(name, () => limited)).toEqual({ sent: 7, got: limited });
  const until = clock.now();
  expect(await send('d', () => limited)).toEqual({ sent: 3, got: limited });
  expect(clock.now()).toBe(until);
  expect(pause).not.toHaveBeenCalled();
});

test('everything waits for a limit, which refuses the next request too, until it is over', async () => {
  let left = 12;
  const { pause, send } = world(() => false);
  const overAtLast = () => {
    left -= 1;
    return left > 0 ? limited : accepted;
  };
  expect(await send('a', overAtLast)).toEqual({ sent: 12, got: accepted });
  expect(pause.mock.calls.reduce((sum, [ms]) => sum + ms, 0)).toBeGreaterThan(60_000);
});

test('a target that serves one request at a time answers each that is sent alone, and nothing waits', async () => {
  const { clock, pause, send } = world(() => true);
  const busy = (isAlone: boolean) => (isAlone ? accepted : limited);
  for (const name of ['a', 'b', 'c', 'd']) expect(await send(name, busy)).toEqual({ sent: 2, got: accepted });
  expect(clock.now()).toBe(0);
  expect(pause).not.toHaveBeenCalled();
});

test('a limit that moved on by chance, and refuses the next request too, is waited for', async () => {
  let asked = 0;
  // The target answers others once, between two refusals.
  const { pause, send } = world(() => {
    asked += 1;
    return asked === 1;
  });
  let left = 3;
  const got = await send('a', () => {
    left -= 1;
    return left < 0 ? accepted : limited;
  });
  expect(got).toEqual({ sent: 4, got: accepted });
  expect(pause).toHaveBeenCalled();
});
