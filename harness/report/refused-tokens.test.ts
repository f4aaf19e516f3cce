import { expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { reportOf } from '../testing/report.ts';
import { answer, reset } from '../testing/small-world.ts';
import { refusedInWords, troubleOf } from './refused-tokens.ts';

/** The tokens that a report names first, if every request of the kind USER gets a status. */
const namedAfter = async (status: number) => {
  const { refusedTokens } = await reportOf({ instead: ({ kind }) => (kind === 'USER' ? answer(status) : undefined) });
  return refusedTokens.map((refused) => [refused.token, refused.status]);
};

test.each([400, 401, 403])('a full token that gets %i every time is named first', async (status) => {
  expect(await namedAfter(status)).toEqual([['$USER_TOKEN', status]]);
});

test.each([404, 408, 429])(
  'a full token that gets %i every time is not, because that says nothing about it',
  async (status) => {
    expect(await namedAfter(status)).toEqual([]);
  },
);

test('a GLOBAL token in USER_TOKEN is recognised by the message, which is shown with what to do', async () => {
  const body = '{"error":"Required header missing: X-Service-ActAs"}';
  const { refusedTokens } = await reportOf({
    instead: ({ kind }) => (kind === 'USER' ? answer(400, body) : undefined),
  });
  expect(refusedTokens.map(refusedInWords)).toEqual([
    '$USER_TOKEN was refused on every request (400: Required header missing: X-Service-ActAs). It seems to be a GLOBAL token: set GLOBAL_TOKEN to it, and USER_TOKEN to a token of its own kind.',
  ]);
});

test('another refusal shows what it says, and no kind', async () => {
  const instead = ({ kind }: { kind: string }) => (kind === 'USER' ? answer(401, '{"detail":"no"}') : undefined);
  const { refusedTokens } = await reportOf({ instead });
  expect(refusedTokens.map(refusedInWords)).toEqual([
    '$USER_TOKEN was refused on every request (401: no). Check the token first.',
  ]);
});

const slowDown = answer(429, '', { 'retry-after': '7' });

/** The requests of a check, which shows one thing after another. */
const ofCheck = (
  ...seen: readonly (readonly [shows: string, Observation, operation?: string])[]
): readonly Exchange[] =>
  seen.map(([shows, observation, operation], index) => ({
    type: 'exchange',
    seq: index + 1,
    case: 'check:isolation',
    role: 'check',
    credential: '$USER_TOKEN',
    observation,
    step: { shows, wanted: 'accepted', ...(operation !== undefined && { operation }) },
  }));
const ofMatrix = (...seen: readonly Observation[]): readonly Exchange[] =>
  ofCheck(...seen.map((one) => ['', one] as const)).map(({ step: _step, ...rest }) => ({ ...rest, role: 'cell' }));

test('a run without trouble has none', () => {
  expect(troubleOf([...ofMatrix(answer(401)), ...ofCheck(['a', answer(500)])])).toEqual([]);
});

test('a target that asks to slow down is trouble, whatever sent the request', () => {
  const said = ['the target asked to slow down once (429, Retry-After up to 7 s); the run paused each time'];
  expect(troubleOf(ofMatrix(slowDown))).toEqual(said);
  expect(troubleOf(ofCheck(['a', slowDown], ['a', answer(401)]))).toEqual(said);
  const often = troubleOf(ofMatrix(...Array(101).fill(slowDown)));
  expect(often).toEqual([expect.stringMatching(/101 times .* paused each time; set CONFORMANCE_RATE to .*$/)]);
});

test('a request of a check to an operation without an answer is trouble if it was sent again', () => {
  expect(troubleOf(ofMatrix(reset))).toEqual([expect.stringContaining('1 request got no answer')]);
  expect(troubleOf(ofCheck(['a', reset, 'search'], ['a', answer(200), 'search']))).toEqual(troubleOf(ofMatrix(reset)));
  expect(troubleOf(ofCheck(['a', reset, 'search'], ['b', answer(200), 'search']))).toEqual([]);
  expect(troubleOf(ofCheck(['a', reset], ['a', answer(200)]))).toEqual([]);
});

test('a malformed request of a check that the target closes every time is a refusal, and no trouble', () => {
  const malformed = ['no method', reset, 'search'] as const;
  expect(troubleOf(ofCheck(malformed, malformed, malformed))).toEqual([]);
});
