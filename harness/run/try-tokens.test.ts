import { expect, test } from 'vitest';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, contract, exchangeOf, planWith, reset } from '../testing/small-world.ts';
import { tryTokens } from './try-tokens.ts';

const html = answer(403, '<html><h1>Forbidden</h1></html>', { 'content-type': 'text/html' });
const { acceptances } = planWith({ CONFORMANCE_CLAIMS: 'user global' });

/** Tries the tokens of a plan against a target that gives these answers, by token and operation. */
async function trial(observe: (token: string, operation: string) => Observation) {
  const sent: string[] = [];
  const problem = await tryTokens({
    contract,
    acceptances,
    sender: {
      async send(planned, role) {
        const token = planned.credential?.recipe ?? '';
        sent.push(`${token} ${planned.values.operation} ${role}`);
        return exchangeOf(planned, observe(token, planned.values.operation), sent.length, role);
      },
    },
  });
  return { ...problem, sent };
}

test('each full token is sent once, to the operation that costs least', async () => {
  const { line, sent } = await trial(() => accepted);
  expect(line).toBeUndefined();
  expect(sent).toEqual(['$USER_TOKEN search preflight', '$GLOBAL_TOKEN search preflight']);
});

test.each([
  ['a page', html, /looks like a page of a gateway\. If .* set CONFORMANCE_EXTRA_HEADERS$/],
  [
    '403',
    answer(403, '{"message":"Forbidden"}'),
    /this target\. If the target, or a gateway .* CONFORMANCE_EXTRA_HEADERS$/,
  ],
  ['400', answer(400, '{"message":"no"}'), /set CONFORMANCE_EXTRA_HEADERS$/],
  ['a word about a key', answer(401, '{"message":"No API key found in request"}'), /set CONFORMANCE_EXTRA_HEADERS$/],
])(
  '%s as the answer to every full token may come from a gateway, which may want a header',
  async (_what, seen, hint) => {
    expect((await trial(() => seen)).line).toMatch(hint);
  },
);

test('a run ends if every operation refuses every full token', async () => {
  const { line, sent } = await trial((token) => answer(token === '$USER_TOKEN' ? 401 : 403));
  expect(line).toMatch(/^every full token was refused: \$USER_TOKEN \(401\), \$GLOBAL_TOKEN \(403\)\. Check.* target$/);
  expect(sent).toHaveLength(4);
});

test('a run ends if every operation gives every full token 404: the address is wrong', async () => {
  expect(await trial(() => answer(404))).toMatchObject({
    exitCode: 2,
    line: 'every full token gets 404 on every operation: $USER_TOKEN (404), $GLOBAL_TOKEN (404). Correct the path prefix of TARGET_BASE_URL',
  });
});

test.each<[string, (token: string, operation: string) => Observation]>([
  ['a token gets 404 on one operation', (_token, operation) => answer(operation === 'chat' ? 404 : 401)],
  ['one token gets 404, and another one is refused', (token) => answer(token === '$USER_TOKEN' ? 404 : 401)],
  ['a token is accepted', (token) => (token === '$GLOBAL_TOKEN' ? accepted : answer(401))],
  ['one operation accepts it', (_token, operation) => (operation === 'chat' ? accepted : answer(401))],
  ['a request gets no answer', (token) => (token === '$GLOBAL_TOKEN' ? reset : answer(401))],
  ['an answer is not that to a bad token', (token) => answer(token === '$GLOBAL_TOKEN' ? 500 : 401)],
])('a run goes on if %s', async (_what, observe) => {
  expect((await trial(observe)).line).toBeUndefined();
});
