import { expect, test } from 'vitest';
import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import { recordedSender } from '../testing/recorded-sender.ts';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { contract, plannedCase, planWith, SEARCH_BODY } from '../testing/small-world.ts';
import { createGate } from './gate.ts';

const plan = planWith();
const accepted = plannedCase(plan, 'search', 'USER');
const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const chat = plannedCase(plan, 'chat', 'USER');
const [search, chatting] = contract.operations;

/** A sender to a target that answers as it must, but 429 to what a guard refuses. */
function world(guards: (request: WireRequest) => boolean) {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 1, patienceMs: 1_000_000 });
  const probe = {
    async send(request: WireRequest): Promise<RawAnswer> {
      const isRight = request.headers.some(([, value]) => value === `Bearer ${accepted.credential?.token}`);
      const status = guards(request) ? 429 : isRight ? 200 : 401;
      return { status, headers: {}, text: status === 200 ? SEARCH_BODY : '', truncated: false };
    },
    close: async () => undefined,
  };
  const { sender } = recordedSender({ gate, probe, connect: () => probe });
  const isAnswering = (mustBeRefused: boolean, operation = search) =>
    clock.until(sender.isAnswering(operation, mustBeRefused));
  return { sender, isAnswering, send: (planned = accepted) => clock.until(sender.send(planned, 'cell')) };
}

test('a target is asked for what it answered before: a request to the operation that must be refused, or one that must not', async () => {
  const { send, sender, isAnswering } = world(() => false);
  expect(await isAnswering(false)).toBe(false);
  for (const planned of [accepted, expired, chat]) await send(planned);
  expect([await isAnswering(false), await isAnswering(true)]).toEqual([true, true]);
  expect(sender.exchanges.slice(-2).map(({ case: id }) => id)).toEqual([accepted.id, expired.id]);
});

test('a guard that counts only refused tokens is no answer to one of them', async () => {
  let isGuarding = false;
  const { send, sender, isAnswering } = world(
    ({ headers }) => isGuarding && !`${headers}`.includes(`${accepted.credential?.token}`),
  );
  for (const planned of [accepted, expired]) await send(planned);
  isGuarding = true;
  expect([await isAnswering(false), await isAnswering(true)]).toEqual([true, false]);
  expect(sender.seen(expired.id)?.observation).toMatchObject({ status: 401 });
});

test('a search is sent in place of a chat that was answered lately, so that a limit on everything is noticed', async () => {
  let isLimited = false;
  const { send, sender, isAnswering } = world(() => isLimited);
  for (const planned of [accepted, chat]) await send(planned);
  expect([await isAnswering(false, chatting), await isAnswering(false, chatting)]).toEqual([true, true]);
  expect(sender.exchanges.slice(-2).map(({ case: id }) => id)).toEqual([chat.id, accepted.id]);
  isLimited = true;
  expect(await isAnswering(false, chatting)).toBe(false);
});
