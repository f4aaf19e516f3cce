import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../plan/request.ts';
import type { Failure, RawAnswer } from '../record/observation.ts';
import { recordedSender } from '../testing/recorded-sender.ts';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { plannedCase, planWith, reset, SEARCH_BODY } from '../testing/small-world.ts';
import { createGate } from './gate.ts';
import type { Probe } from './undici-probe.ts';

type Raw = RawAnswer | Failure;
const plan = planWith();
const search = plannedCase(plan, 'search', 'USER');
const raw = (status: number, headers: RawAnswer['headers'] = {}): RawAnswer => ({
  status,
  headers,
  text: status === 200 ? SEARCH_BODY : '',
  truncated: false,
});

/** A sender to a target that gives these answers in turn, and then repeats the last one. */
function world(...script: readonly [Raw, ...Raw[]]) {
  return worldWith(undefined, ...script);
}

/** The same with a chat budget. */
function worldWith(chatBudget: number | undefined, ...script: readonly [Raw, ...Raw[]]) {
  const clock = simulatedClock();
  const gate = createGate({ clock, rate: undefined, concurrency: 1, patienceMs: 1000 });
  let denials = 0;
  const counting = { ...gate, denied: () => (denials += 1) };
  const sent: {
    readonly at: number;
    readonly request: WireRequest;
    readonly timeoutMs: number;
    readonly connection: number;
  }[] = [];
  let opened = 0;
  const connect = (): Probe => {
    const connection = opened++;
    return {
      async send(request, timeoutMs) {
        sent.push({ at: clock.now(), request, timeoutMs, connection });
        return script[Math.min(sent.length, script.length) - 1] ?? script[0];
      },
      close: async () => undefined,
    };
  };
  const { entries, sender } = recordedSender({ gate: counting, probe: connect(), connect }, chatBudget);
  const send = (...[planned, role]: Parameters<typeof sender.send>) => clock.until(sender.send(planned, role));
  return { clock, gate, sender, send, sent, entries, denials: () => denials };
}

test('an answer that shows the token of the request before is recorded so', async () => {
  const global = plannedCase(plan, 'search', 'GLOBAL');
  const shown = { 'x-previous': `${search.credential?.token} ${global.credential?.token}` };
  const { send, sender } = world(raw(200, shown));
  for (const one of [search, global, search]) await send(one, 'cell');
  expect(sender.exchanges.map(({ observation }) => 'markers' in observation && observation.markers)).toEqual([
    false,
    ['USER_TOKEN'],
    ['GLOBAL_TOKEN'],
  ]);
});

describe('a sender', () => {
  const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
  const withoutPerson = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'absent' });
  const blankPerson = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'blank' });
  test.each([
    ['that is meant to be refused and is', expired, raw(401), 1],
    ['that is meant to be refused and is accepted', expired, raw(200), 1],
    ['that is meant to be refused and gets a server error', expired, raw(500), 1],
    ['that must be refused with 400 and is, as its token is right', withoutPerson, raw(400), 0],
    ['that must be refused with 400 and gets 401', withoutPerson, raw(401), 1],
    ['that may be refused with 400 or 401 and gets 400', blankPerson, raw(400), 0],
    ['that may be refused with 400 or 401 and is accepted', blankPerson, raw(200), 1],
    ['that is meant to be refused and gets 423, because the target has locked the run out', expired, raw(423), 0],
    ['that must be accepted and is refused', search, raw(400), 1],
    ['that must be accepted and is', search, raw(200), 0],
    ['that must be accepted and gets a server error', search, raw(500), 0],
  ])('counts a request %s', async (_what, planned, came, times) => {
    const { send, denials } = world(came);
    await send(planned, 'cell');
    expect(denials()).toBe(times);
  });

  test('records every answer in order, with the recipe of the credential and never its value', async () => {
    const { send, sender, entries } = world(reset, raw(401), raw(200));
    await send(search, 'cell');
    const last = await send(search, 'control');
    expect(sender.exchanges.map(({ seq, role, credential }) => [seq, role, credential])).toEqual([
      [1, 'cell', '$USER_TOKEN'],
      [2, 'cell', '$USER_TOKEN'],
      [3, 'control', '$USER_TOKEN'],
    ]);
    expect(last).toBe(sender.exchanges[2]);
    expect(entries).toEqual(sender.exchanges);
    expect(JSON.stringify(entries)).not.toContain(search.credential?.token);
    expect(sender.exchanges.map(({ ms }) => Number.isInteger(ms))).toEqual([true, true, true]);
  });

  test.each([
    ['a reset', [reset, raw(200)], [0, 100], 200],
    ['a gateway error', [raw(502), raw(503), raw(200)], [0, 100, 300], 200],
    ['an outcome that repeats, three times', [raw(503)], [0, 100, 300, 700], 503],
    ['after the seconds of Retry-After', [raw(503, { 'retry-after': '7' }), raw(401)], [0, 7000], 401],
    [
      '429, each time after Retry-After',
      [raw(429, { 'retry-after': '30' }), raw(429, { 'retry-after': '30' }), raw(200)],
      [0, 30_000, 60_000],
      200,
    ],
    ['no error of the application', [raw(500), raw(200)], [0], 500],
  ] as const)('retries %s', async (_what, script, times, status) => {
    const { send, sent } = world(...(script as readonly Raw[] as [Raw]));
    const exchange = await send(search, 'cell');
    expect(sent.map(({ at }) => at)).toEqual(times);
    expect(exchange?.observation).toMatchObject({ status });
  });

  test.each([
    ['a recurrence once', 'recurrence', reset, 1],
    ['a preflight once if the connection is refused', 'preflight', { ...reset, failure: 'refused' }, 1],
    ['a preflight once if no answer comes in time', 'preflight', { ...reset, failure: 'timeout' }, 1],
    ['a preflight three times if the connection is reset', 'preflight', reset, 3],
    ['a preflight three times at a gateway error', 'preflight', raw(503), 3],
  ] as const)('sends %s', async (_what, role, outcome, times) => {
    const { send, sent } = world(outcome);
    await send(search, role);
    expect(sent).toHaveLength(times);
  });

  test('sends each confirmation over a new connection, so that it may reach another replica', async () => {
    const { send, sent } = world(raw(401));
    for (const role of ['cell', 'control', 'confirmation', 'confirmation', 'recurrence'] as const)
      await send(search, role);
    expect(sent.map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 0]);
  });

  test('stops waiting when the gate is closed', async () => {
    const { clock, sender, gate, sent } = world(raw(503, { 'retry-after': '60' }));
    const sending = sender.send(search, 'cell');
    await clock.advance(1000);
    gate.close('interrupted');
    await clock.until(sending);
    expect([sent.length, clock.now() < 2000]).toEqual([1, true]);
  });

  test('does not send chats that may be accepted once their budget is spent, and says so in the journal', async () => {
    const { send, sent, sender, entries } = worldWith(2, raw(401), raw(200));
    const chat = (kind: string, changes = {}) => plannedCase(plan, 'chat', kind, changes);
    await send(chat('USER'), 'cell');
    expect(sender.unsent.size).toBe(0);
    for (const kind of ['USER', 'GLOBAL', 'OKTA']) await send(chat(kind), 'cell');
    await send(chat('OKTA'), 'control');
    const reason = 'not sent: the CONFORMANCE_CHAT_BUDGET of 2 accepted chats is spent';
    expect([...sender.unsent]).toEqual([[chat('OKTA').id, reason]]);
    expect(entries.filter(({ type }) => type === 'unsent')).toEqual([
      { type: 'unsent', case: chat('OKTA').id, reason },
    ]);
    expect(sent).toHaveLength(3);
    // A chat that must be refused costs nothing, and neither does a search.
    await send(chat('OKTA', { validity: 'expired' }), 'cell');
    await send(search, 'cell');
    expect(sent).toHaveLength(5);
  });

  test('sends nothing through a closed gate', async () => {
    const { send, sent, gate, sender } = world(raw(200));
    gate.close('interrupted');
    expect(await send(search, 'cell')).toBeUndefined();
    expect([sent, sender.exchanges]).toEqual([[], []]);
  });

  test('waits longer for an operation whose success body is not documented', async () => {
    const { send, sent } = world(raw(200));
    await send(search, 'cell');
    await send(plannedCase(plan, 'chat', 'USER'), 'cell');
    expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 9000]);
  });

  test('remembers which credentials and cases were accepted', async () => {
    const { send, sender } = world(raw(401), raw(200), raw(401));
    const chat = plannedCase(plan, 'chat', 'GLOBAL');
    for (const planned of [search, chat, search]) await send(planned, 'cell');
    expect([...sender.acceptedCredentials]).toEqual(['$GLOBAL_TOKEN']);
    expect([search, chat].map(({ id }) => sender.acceptedAt(id))).toEqual([undefined, 2]);
  });

  test('sends the token of the case, and the header lines of its values', async () => {
    const { send, sent } = world(raw(400));
    await send(plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'unknown' }), 'cell');
    const headers = Object.fromEntries(sent[0]?.request.headers ?? []);
    expect(headers).toMatchObject({
      Authorization: `Bearer ${plannedCase(plan, 'search', 'GLOBAL').credential?.token}`,
      'X-Service-ActAs': 'nobody-test@people.example',
      'Content-Type': 'application/json',
      Accept: 'application/json, */*;q=0.5',
      'User-Agent': 'client-api-conformance/0.0.0 (run test)',
    });
    expect(headers).not.toHaveProperty('X-Service-Auth-Type');
  });

  test('keeps one copy of answers that are alike, and each that differs', async () => {
    const { send } = world(raw(401), raw(401), raw(403));
    const [first, second, third] = [
      await send(expired, 'cell'),
      await send(expired, 'control'),
      await send(expired, 'cell'),
    ];
    expect(second?.observation).toBe(first?.observation);
    expect(third?.observation).toMatchObject({ status: 403 });
    expect([first?.role, second?.role]).toEqual(['cell', 'control']);
  });
});
