import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { entriesOf, type JournalEntry } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { serveHttp } from '../testing/local-server.ts';
import { casesAt, contract, settingsWith } from '../testing/small-world.ts';
import type { CheckAnswer, CheckApi } from './check.ts';
import { createCheckApi } from './check-api.ts';
import type { CheckWorld } from './check-world.ts';

/** Claims the two kinds of which these checks send tokens. The plan of every kind takes longer than a test. */
const SERVICE = { CONFORMANCE_CLAIMS: 'user global scopes' };

/** The answers that a check gets from a target with one answer for everything, and the number of its connections. */
async function callsOf(reply: (response: ServerResponse) => void, times = 1) {
  const ports = new Set<number | undefined>();
  const server = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on('end', () => reply(response));
  });
  const settings = settingsWith({ ...SERVICE, TARGET_BASE_URL: server.url, CONFORMANCE_TIMEOUT_MS: '500' });
  const { world } = wireSending(planRun(settings, { casesAt }), { journal: noJournal });
  const api = createCheckApi(world, 'check:own', 1);
  const [operation] = contract.operations;
  const answers: CheckAnswer[] = [];
  try {
    for (let at = 0; at < times; at += 1)
      answers.push(
        await api.call({ operation, credential: api.full('USER'), shows: 'it is accepted', wanted: 'accepted' }),
      );
    return { answers, connections: ports.size };
  } finally {
    await api.close();
    await world.transport.probe.close();
    await server.close();
  }
}

afterEach(() => void vi.restoreAllMocks());

describe('a chat that another check has sent', () => {
  test.each([
    [true, 2],
    [false, 4],
  ])('with a tight budget: %s, is sent again or not', async (isTight, expected) => {
    let requests = 0;
    const server = await serveHttp((request, response) => {
      requests += 1;
      request.resume().on('end', () => response.writeHead(200).end(`{"n":${requests}}`));
    });
    const settings = { ...settingsWith({ ...SERVICE, TARGET_BASE_URL: server.url }), loopback: false };
    const options = { journal: noJournal, chatLimit: { max: 10, isTight } };
    const { world } = wireSending(planRun(settings, { casesAt, intrusive: false }), options);
    const chat = contract.operations.find(({ isSlow }) => isSlow);
    if (!chat) throw new Error('the contract has no slow operation');
    const [one, other] = [createCheckApi(world, 'check:one', 1), createCheckApi(world, 'check:other', 1)];
    const aim = { shows: 'it is accepted', wanted: 'accepted' } as const;
    const call = (body: string) => ({ operation: chat, credential: one.full('USER'), body: { query: body }, ...aim });
    try {
      const first = await one.callOnce(call('a'), 'same body');
      const same = await other.callOnce(call('a'), 'same body');
      await other.callOnce(call('b'), 'same body');
      const any = await other.callOnce(call('c'), 'any body');
      expect(requests).toBe(expected);
      expect(same.seq === first.seq).toBe(isTight);
      expect(any.text).toBe(isTight ? '{"n":2}' : '{"n":4}');
      expect(other.steps).toHaveLength(3);
    } finally {
      one.close();
      other.close();
      await world.transport.probe.close();
      await server.close();
    }
  });
});

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
    expect(answers[0]?.text.startsWith('aaa')).toBe(true);
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

describe('a request of a check', () => {
  /** The steps of a check against a target with this answer to everything: in the journal, as command lines, and its denials. */
  async function stepsOf(run: (api: CheckApi, world: CheckWorld) => Promise<unknown>, status = 401, echoed = '') {
    const server = await serveHttp((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end(`No. ${request.headers[echoed] ?? ''}`));
    });
    const settings = settingsWith({
      ...SERVICE,
      TARGET_BASE_URL: server.url,
      USER_PRIVATE_QUERY: 'what "Mei" wrote',
      USER_PRIVATE_MARKER: 'a-private-marker-of-mei',
    });
    const entries: JournalEntry[] = [];
    const journal = { ...noJournal, append: (entry: JournalEntry) => void entries.push(entry) };
    const { world } = wireSending(planRun(settings, { casesAt }), { journal });
    let denials = 0;
    const gate = { ...world.gate, denied: () => (denials += 1) };
    const api = createCheckApi({ ...world, gate }, 'check:own', 1);
    try {
      await run(api, world);
      const lines = api.steps.map(({ command }) => command?.());
      const exchanges = entriesOf(entries, 'exchange');
      return { exchanges, steps: exchanges.map(({ step }) => step), lines, denials };
    } finally {
      await api.close();
      await world.transport.probe.close();
      await server.close();
    }
  }
  const [operation] = contract.operations;

  test('is a step of the journal, and has a curl line over variables', async () => {
    const { steps, lines } = await stepsOf((api) =>
      api.call({
        operation,
        credential: api.full('GLOBAL'),
        headers: [['X-Service-ActAs', 'uma@people.example']],
        body: { query: 'what "Mei" wrote', price: '$5' },
        shows: 'the document is shown',
        wanted: 'accepted',
      }),
    );
    expect(steps).toEqual([{ shows: 'the document is shown', wanted: 'accepted', operation: 'search' }]);
    expect(lines).toEqual([
      [
        'curl -sS -i -X POST "$TARGET_BASE_URL/rest/api/v1/search"',
        '-H "Authorization: Bearer $GLOBAL_TOKEN"',
        '-H "X-Service-ActAs: $' + '{USER_EMAIL}" -H "Content-Type: application/json"',
        // Bash puts a backslash before each quote of the variable.
        '--data-raw "{\\"query\\":\\"$' + '{USER_PRIVATE_QUERY//\\"/\\\\\\"}\\",\\"price\\":\\"\\$5\\"}"',
      ].join(' '),
    ]);
  });

  test('shows no value that an answer gave, unless anybody can guess it', async () => {
    const { steps, lines } = await stepsOf((api) => {
      api.given('b7c1e09f', 'a cookie of the target');
      api.given('en', 'a cookie of the target');
      return api.call({
        operation,
        credential: api.full('USER'),
        headers: [['Cookie', 'sid=b7c1e09f; lang=en']],
        shows: 'a token is sent',
        wanted: 'accepted',
      });
    });
    expect(lines[0]).toContain('Cookie: sid=<a cookie of the target>; lang=en');
    expect(steps[0]?.shows).toBe('a token is sent');
  });

  test.each([true, undefined])('repeats its token if that comes back and stands in one place: %s', async (repeats) => {
    const run = (api: CheckApi) => {
      const credential = api.full('USER');
      const headers = repeats ? [] : [['Origin', credential?.token ?? ''] as const];
      return api.call({ operation, credential, headers, shows: 'a token is sent', wanted: 'either' });
    };
    const [got] = (await stepsOf(run, 401, repeats ? 'authorization' : 'origin')).exchanges;
    expect(Object(got?.observation).repeatsToken).toBe(repeats);
  });

  test('that is a case of the plan wants what the case admits, and has the curl line of the matrix', async () => {
    const { steps, lines } = await stepsOf(async (api, { sender }) => {
      const expired = api.planned('search', 'USER', { validity: 'expired' });
      if (expired) await Promise.all([api.send(expired, 'it is refused'), sender.send(expired, 'cell')]);
      expect(expired && api.seen(expired)?.command?.()).toContain('$USER_TOKEN_EXPIRED');
    });
    expect(steps).toContainEqual(expect.objectContaining({ wanted: 'refused' }));
    expect(lines).toEqual([expect.stringContaining('$USER_TOKEN_EXPIRED')]);
  });

  const aim = { operation, shows: 'it is refused', wanted: 'refused' } as const;
  const raw = (lines: string) => ({
    ...aim,
    text: `POST {base}/ HTTP/1.1\r\n{common}\r\n${lines}\r\n\r\n`,
    curl: () => '',
  });
  test.each<[string, (api: CheckApi) => Promise<unknown>]>([
    ['a wrong token', (api) => api.call({ ...aim, authorization: 'Bearer nobody-issued-it' })],
    [
      'a token without the scope',
      (api) => api.call({ ...aim, credential: api.planned('search', 'USER', { holding: 'none' })?.credential }),
    ],
    ['a wrong token in a raw request', (api) => api.raw(raw('Authorization: Bearer nobody-issued-it'))],
  ])('with %s counts once as a refused token, whatever comes back', async (_what, send) => {
    for (const status of [200, 400, 401]) expect([status, (await stepsOf(send, status)).denials]).toEqual([status, 1]);
  });

  test.each<[string, (api: CheckApi) => Promise<unknown>]>([
    ['without a token', (api) => api.call(aim)],
    ['with a full token and without a header', (api) => api.call({ ...aim, credential: api.full('GLOBAL') })],
    ['without a token in a raw request', (api) => api.raw(raw('Accept: */*'))],
  ])('%s counts as a refused token if it gets 401', async (_what, send) => {
    for (const [status, times] of [
      [400, 0],
      [404, 0],
      [401, 1],
    ] as const)
      expect([status, (await stepsOf(send, status)).denials]).toEqual([status, times]);
  });

  test('belongs to the list of steps of its API, and not to that of another', async () => {
    await stepsOf(async (api) => {
      const other = api.fork();
      const answer = await other.call({ operation, shows: 'it is refused', wanted: 'refused' });
      const { text: _text, headers: _headers, ...step } = answer;
      expect(other.steps).toEqual([step]);
      expect(api.steps).toEqual([]);
    });
  });
});
