import { describe, expect, test } from 'vitest';
import { everyTime as deviants } from '../../fixtures/deviants/intermittent.ts';
import { type Answer, identify, type Reply, succeed } from '../../fixtures/plain/answers.ts';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import { chatPath, headerOf, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { OTHER_REQUESTS } from '../../harness/judge/alike-causes.ts';
import { answering, atOnceOnPlain, blameOnPlain, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { ofPlain, plainDeviants } from '../testing/plain-deviants.ts';
import { bursts, sideBySide } from './bursts.ts';
import { eitherPerson, repetition } from './repetition.ts';
import { everyTime } from './sequences.ts';

// The id of a run is its seed. These runs draw refusals of a chat with a GLOBAL token and with none.
const RUNS = ['d', 'e'];

/** A success with another status than the documented one. */
const created = (reply: Reply): Reply => (reply.status === 200 ? { ...reply, status: 201 } : reply);

/** What the check decides in these runs. */
async function verdicts(options: PlainOptions = {}) {
  const found = new Set<string>();
  for (const run of RUNS)
    for (const { operation, kind, verdict } of (await runOnPlain(repetition, options, {}, run)).decisions)
      found.add(`${verdict} ${operation}/${kind}`);
  return [...found].sort();
}

test('a target that answers every repetition alike passes on both operations', async () => {
  const found = await verdicts();
  expect(found.filter((one) => !one.startsWith('pass '))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['pass search/USER', 'pass chat/GLOBAL', 'pass chat/none']));
});

test('a refusal of a chat passes beside chats that are accepted with another 2xx', async () => {
  const found = await verdicts(answering(({ path, record }) => path === chatPath && record !== undefined, created));
  expect(found).toEqual(expect.arrayContaining(['pass chat/GLOBAL', 'pass chat/none']));
});

test('a refusal of a chat passes nothing if no chat with this kind of token was accepted', async () => {
  const checks = replaceCheck('token.expired', (request, original) => {
    const { record, operation } = request;
    const isRefused = record?.kind === 'GLOBAL' && operation?.scope === 'CHAT';
    return original(request) ?? (isRefused ? { status: 404, message: 'No chat for applications' } : undefined);
  });
  const found = await verdicts({ checks });
  expect(found).not.toContain('pass chat/GLOBAL');
  expect(found).toEqual(expect.arrayContaining(['inconclusive chat/GLOBAL', 'pass search/GLOBAL', 'pass chat/USER']));
});

test('what is wrong only when a request comes again or beside others is put down to the other requests', async () => {
  const seen = new Set<string>();
  const checks = replaceCheck('token.expired', (request, original) => {
    const key = `${request.token} ${request.path} ${request.rawHeaders.join()} ${request.body}`;
    const isKnown = seen.has(key);
    seen.add(key);
    return isKnown ? undefined : original(request);
  });
  const found = [];
  for (const run of RUNS) found.push(...(await runOnPlain(repetition, { checks }, {}, run)).decisions);
  const failed = found.filter(({ verdict }) => verdict === 'fail');
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.every(({ influence }) => influence === OTHER_REQUESTS)).toBe(true);
});

async function decide(options: PlainOptions = {}) {
  const { decisions, requests } = await runOnPlain(everyTime, options, { CONFORMANCE_CLAIMS: 'user global' });
  return { requests, found: decisions.map(({ kind, requirement, verdict }) => `${kind} ${requirement}: ${verdict}`) };
}
/** A GLOBAL token acts as either person in turn. */
const each = (verdict: string) => ['USER', 'GLOBAL', 'GLOBAL'].map((kind) => `${kind} token.expired: ${verdict}`);

describe('a person who no longer exists', () => {
  const gone = tokens.env.FORMER_EMAIL;
  const answered = (answer?: { readonly status: number; readonly message: string }) => ({
    checks: replaceCheck('act-as.unknown', (request, original) =>
      headerOf(request, 'x-service-actas') === gone ? answer : original(request),
    ),
  });

  test('is nobody: an acceptance and every other refusal than the documented one is blamed', async () => {
    const accepted = await blameOnPlain(eitherPerson, answered());
    expect(accepted.blamed).toEqual(['act-as.unknown']);
    expect(accepted.why).toMatch(
      /act-as:unknown.* acting as \$FORMER_EMAIL: wanted 401 with the message "Invalid identity".*\n.*"X-Service-ActAs: \$FORMER_EMAIL"/,
    );
    const refused = await blameOnPlain(eitherPerson, answered({ status: 403, message: 'This account was removed' }));
    expect(refused.blamed).toEqual(['act-as.unknown']);
  });
});

describe('a refused request between accepted ones', () => {
  test('passes if it is refused ten times out of ten, and every other refusal once', async () => {
    const { requests, found } = await decide();
    // For either person, GLOBAL has three other refusals, and USER one. Each comes with an acceptance. One request without a
    // token shows that the target refuses something.
    expect(requests).toBe(3 * 24 + 2 * (2 * 3 + 1) + 1);
    expect(found.filter((one) => !one.endsWith('pass'))).toEqual([]);
    const also = ['USER user.accepted: pass', 'USER scope.search: pass', 'GLOBAL act-as.unknown: pass'];
    expect(found).toEqual(expect.arrayContaining([...each('pass'), ...also]));
  });

  test('is left to the matrix if it is wrong on a new connection, too', async () => {
    const checks = replaceCheck('token.expired', (request, original) =>
      original(request) ? { status: 400, message: 'Missing X-Service-Auth-Type header' } : undefined,
    );
    const { found } = await decide({ checks });
    expect(found.filter((one) => !one.endsWith('pass') || one.includes('token.expired'))).toEqual([]);
  });

  test.each([
    ['user.accepted', /^plain\.refused-after\./],
    ['token.expired', /^plain\.expiry-after-404$/],
    ['user.accepted', /^plain\.refusal-sticks$/],
  ])('fails %s if one of the requests between them lifts or spoils the next', async (requirement, id) => {
    for (const deviant of plainDeviants(id)) {
      const { found } = await decide(deviant.options());
      const failed = found.filter((one) => one.endsWith('fail'));
      expect(failed).toContain(`USER ${requirement}: fail`);
      expect(failed.filter((one) => !one.includes(requirement))).toEqual([]);
    }
  });

  test('fails if it is accepted once', async () => {
    for (const deviant of ofPlain(deviants)) {
      const { found } = await decide(deviant.options());
      expect(found.filter((one) => !one.endsWith('pass'))).toEqual(each('fail'));
    }
  });

  test.each([403, 503])('decides nothing, and stops early, if everything gets %d', async (status) => {
    const { requests, found } = await decide(answering(({ path }) => path === searchPath, saying(status)));
    expect(found.map((one) => one.replace(/ .*:/, ''))).toEqual(
      ['USER', 'GLOBAL', 'GLOBAL'].map((kind) => `${kind} inconclusive`),
    );
    expect(requests).toBeLessThan(40);
  });
});

const isUser = ({ record, path }: PlainRequest) => record?.kind === 'USER' && path === searchPath;

/** The verdict on searches with the USER token. */
async function verdictOfBursts(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(bursts, options);
  return decisions.find(({ kind, operation }) => kind === 'USER' && operation === 'search')?.verdict;
}
/** Runs a number of USER requests as this person. */
const runningAs = (person: string, times: number) => {
  let left = times;
  return (request: PlainRequest) => (isUser(request) && left-- > 0 ? person : identify(request));
};

describe('a burst of two people', () => {
  test('passes if each of them gets their own answers', async () => {
    expect(await verdictOfBursts()).toBe('pass');
  });

  test("is a failure at once if an answer shows the other person's marker", async () => {
    const marker = tokens.env.ACT_AS_PRIVATE_MARKER;
    const telling = answering(isUser, (reply) => ({ ...reply, headers: { ...reply.headers, 'X-Hidden': marker } }), 1);
    expect(await verdictOfBursts(telling)).toBe('fail');
  });

  test('is a failure if a document is missing in every burst only, and inconclusive if it is missing in one or always', async () => {
    expect(await verdictOfBursts({ identify: runningAs('', 1) })).toBe('inconclusive');
    // 12 requests of each person in each of four bursts, and the same request alone afterwards.
    expect(await verdictOfBursts({ identify: runningAs('', 48) })).toBe('fail');
    expect(await verdictOfBursts({ identify: runningAs('', 99) })).toBe('inconclusive');
  });

  test('is inconclusive if every ninth search finds nothing, also alone', async () => {
    let count = 0;
    const ninth = (request: PlainRequest) => (isUser(request) && ++count % 9 === 0 ? '' : identify(request));
    expect(await verdictOfBursts({ identify: ninth })).toBe('inconclusive');
  });

  test('is inconclusive if no request is accepted', async () => {
    expect(await verdictOfBursts(answering(isUser, saying(403)))).toBe('inconclusive');
  });
});

test('two checks that send requests side by side do not wait for each other, however few may be sent at once', async () => {
  const decisions = await atOnceOnPlain([repetition, everyTime, bursts, sideBySide], 3);
  expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
});

test('a chat is not answered with what another person gets at the same moment for the same words', async () => {
  const answers = new Map<string, { readonly answer: Answer; readonly at: number }>();
  const succeeding = (request: PlainRequest, person: string): Answer => {
    const known = answers.get(request.body);
    if (request.path !== chatPath) return succeed(request, person);
    if (known && performance.now() - known.at < 1000) return known.answer;
    const answer = succeed(request, person);
    answers.set(request.body, { answer, at: performance.now() });
    return answer;
  };
  const { blamed, why } = await blameOnPlain(bursts, { succeed: succeeding });
  expect(blamed).toEqual(expect.arrayContaining(['user.isolation']));
  expect(why).toMatch(/while two people asked at once, \d+ of \d+ answers showed the other person's marker/);
});
