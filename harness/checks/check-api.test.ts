import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { networkTransport } from '../send/transport.ts';
import { serveHttp } from '../testing/local-server.ts';
import { casesAt, contract, settingsWith } from '../testing/small-world.ts';
import type { CheckAnswer } from './check.ts';
import { createCheckApi } from './check-api.ts';

/** The answers that a check gets from a target with one answer for everything, and the number of its connections. */
async function callsOf(reply: (response: ServerResponse) => void, times = 1) {
  const ports = new Set<number | undefined>();
  const server = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => reply(response));
  });
  const settings = settingsWith({ TARGET_BASE_URL: server.url, CONFORMANCE_TIMEOUT_MS: '500' });
  const { world } = wireSending(planRun(settings, { casesAt }), { journal: noJournal });
  const api = createCheckApi(world, 'check:own', 1);
  const [operation] = contract.operations;
  if (!operation) throw new Error('the contract has no operation');
  const answers: CheckAnswer[] = [];
  try {
    for (let at = 0; at < times; at += 1)
      answers.push(
        await api.call({ operation, credential: api.full('USER'), shows: 'it is accepted', wanted: 'accepted' }),
      );
    return { answers, connections: ports.size };
  } finally {
    api.close();
    await world.transport.probe.close();
    await server.close();
  }
}

afterEach(() => void vi.restoreAllMocks());

describe('a call of a check', () => {
  test('shares one connection with the other calls of the check', async () => {
    const { answers, connections } = await callsOf((response) => response.writeHead(200).end('{}'), 3);
    expect(answers.map(({ accepted, text }) => ({ accepted, text }))).toEqual(
      Array(3).fill({ accepted: true, text: '{}' }),
    );
    expect(connections).toBe(1);
  });

  test('decodes the answer by its charset', async () => {
    const { answers } = await callsOf((response) =>
      response
        .writeHead(401, { 'content-type': 'text/plain; charset=utf-16le' })
        .end(Buffer.from('Invalid identity', 'utf16le')),
    );
    expect(answers[0]?.text).toBe('Invalid identity');
  });

  test('ends even if the body does not, and keeps the beginning of the body', async () => {
    const { answers } = await callsOf((response) => {
      response.writeHead(200).on('error', () => undefined);
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    expect(answers[0]).toMatchObject({ accepted: true, observation: { kind: 'answer', truncated: true } });
    expect(answers[0]?.text).toMatch(/^a+$/);
  });

  test('gets no answer if the body breaks off, and prints nothing about it', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const { answers } = await callsOf((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"results":', () => response.destroy());
    });
    expect(answers[0]?.observation).toMatchObject({ kind: 'failure', failure: 'reset' });
    expect(warned).not.toHaveBeenCalled();
  });
});

test('the reason of ADMINISTRATION_COMMAND is redacted before it is shortened', async () => {
  const settings = settingsWith({ TARGET_BASE_URL: 'http://127.0.0.1:9', USER_EMAIL: 'mei@people.example' });
  const why = `${'far too many words '.repeat(10)}for mei@people.example`;
  const { world } = wireSending(planRun(settings, { casesAt }), {
    journal: noJournal,
    transport: (input) => ({ ...networkTransport(input), administer: async () => ({ kind: 'refused', why }) }),
  });
  const api = createCheckApi(world, 'check:own', 1);
  const answer = await api.administer?.({ action: 'create', actor: 'user', token: {} });
  api.close();
  await world.transport.probe.close();
  expect(answer).toEqual({ kind: 'refused', why: expect.stringMatching(/for <USER_$/) });
});
