import { describe, expect, test } from 'vitest';
import type { Answer, Observation } from '../record/observation.ts';
import { contract } from '../testing/small-world.ts';
import type { CheckAnswer } from './check.ts';
import { askAgain, callRequest, pathAt, rawRequest, wayOf } from './deliver.ts';

const reset: Observation = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };
const answer = (status: number, more: Partial<Answer> = {}): Observation => ({
  ...{ kind: 'answer', status, contentType: undefined, form: 'empty', whole: [], embedded: [] },
  ...more,
});
const page = answer(200, { form: 'markup' });
const received = (observation: Observation): CheckAnswer => ({
  ...{ observation, seq: 1, operation: undefined, accepted: false, text: '', headers: {} },
});

/** Asks again about a first answer. The further answers come in turn, and the target answers others until this one. */
async function asked(first: Observation, further: readonly Observation[], answersOthers = 9) {
  let sent = 0;
  let others = 0;
  const got = await askAgain(received(first), {
    send: async () => {
      const next = further[sent];
      sent += 1;
      return next && received(next);
    },
    isAnswering: async () => {
      others += 1;
      return others <= answersOthers;
    },
  });
  return { got: got.observation, recurs: got.recurs ?? false, sent, others };
}

test('a raw request has the common headers that it does not replace, all but one that is left out', () => {
  const settings = { baseUrl: 'https://a.test/base/', extraHeaders: [['X-Gate', '1']] } as const;
  const parts = {
    common: [
      ['Accept', 'x'],
      ['User-Agent', 'y'],
    ],
  } as const;
  const filled = (text: string) => rawRequest(settings, parts, text);
  expect(filled('{base}/a\r\n{common}\r\naccept: z')).toBe(
    '/base/a\r\nHost: a.test\r\nUser-Agent: y\r\nX-Gate: 1\r\naccept: z',
  );
  expect(filled('{base}/a\r\n{common but User-Agent}')).toBe('/base/a\r\nHost: a.test\r\nAccept: x\r\nX-Gate: 1');
});

describe('what got no answer of the application', () => {
  test.each([reset, page, answer(502)])(
    'recurs if it comes three times more, each beside an acceptance: %j',
    async (it) => {
      expect(await asked(it, [it, it, it])).toEqual({ got: it, recurs: true, sent: 3, others: 4 });
    },
  );

  test('has the answer that comes when it is sent again', async () => {
    expect(await asked(reset, [reset, answer(401)])).toEqual({ got: answer(401), recurs: false, sent: 2, others: 2 });
  });

  test('stays lost if it is lost in another way', async () => {
    expect(await asked(reset, [answer(503)])).toMatchObject({ recurs: false, sent: 1 });
  });

  test('stays lost if the target answers nothing else either', async () => {
    expect(await asked(reset, [reset, reset, reset], 0)).toEqual({ got: reset, recurs: false, sent: 0, others: 1 });
    expect(await asked(reset, [reset, reset, reset], 3)).toEqual({ got: reset, recurs: false, sent: 3, others: 4 });
  });

  test('stays lost if the run ends', async () => {
    expect(await asked(reset, [])).toMatchObject({ got: reset, recurs: false, sent: 1 });
  });

  test.each([answer(429), answer(408), answer(425), answer(200, { form: 'json' })])(
    'is no refusal if the target may be busy, or may have accepted: %j',
    async (it) => {
      expect(wayOf(it)).toBeUndefined();
      expect(await asked(it, [it, it, it])).toEqual({ got: it, recurs: false, sent: 0, others: 0 });
    },
  );
});

test.each([
  ['https://mcp.example/mcp', '/mcp', '/mcp'],
  ['https://mcp.example/mcp?tenant=1', '/', '/mcp?tenant=1'],
  ['https://mcp.example/mcp', '/?debug=1', '/mcp?debug=1'],
  ['https://mcp.example/mcp?tenant=1', '/?debug=1', '/mcp?tenant=1&debug=1'],
])('a message to %s whose path is %s goes to %s', (address, path, wanted) => {
  expect(pathAt(new URL(address), path)).toBe(wanted);
});

test('a request without a token has no line for one', () => {
  const [operation] = contract.operations;
  const parts = { contract, people: {}, common: [], unknownToken: '' } as unknown as Parameters<typeof callRequest>[0];
  const { headers } = callRequest(parts, { operation, shows: 'it is refused', wanted: 'refused' });
  expect(headers).toEqual([['Content-Type', 'application/json']]);
});
