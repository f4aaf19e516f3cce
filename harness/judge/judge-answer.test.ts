import { describe, expect, test } from 'vitest';
import type { Dimension } from '../contract/contract.ts';
import { expect as oracle } from '../plan/expectation.ts';
import { casesAt } from '../testing/contract.ts';
import { answer, caseOf, contract, messageText, rightAnswer, SEARCH_BODY } from '../testing/small-world.ts';
import { judgeAnswer, whyUnread } from './judge-answer.ts';
import type { Judgement, Miss } from './miss.ts';

type Changes = Readonly<Record<Dimension, string>>;
type Got = readonly [status: number, text?: string, headers?: Readonly<Record<string, string>>];

function judged(kind: string, changes: Changes, got: Got, operation = 'search'): Judgement {
  const asked = contract.operations.find(({ id }) => id === operation);
  if (!asked) throw new Error(`no operation ${operation}`);
  const [status, text, headers] = got;
  const { values } = caseOf(operation, kind, changes);
  return judgeAnswer(contract, asked, oracle(contract, values), answer(status, text, headers, operation));
}

function missOf(...[kind, changes, got, operation]: Parameters<typeof judged>): Miss {
  const judgement = judged(kind, changes, got, operation);
  if (judgement.kind !== 'miss') throw new Error(`expected a miss, got ${judgement.kind}`);
  return judgement;
}

const said = (id: string) => JSON.stringify({ error: messageText(id) });
const missing = said('act-as-missing');
const identity = said('invalid-identity');
const secret = said('invalid-secret');

test('the right answer to every case of depth core passes, or is observed if the case is open', () => {
  for (const { id, values } of casesAt('core')) {
    const operation = contract.operations.find((known) => known.id === values.operation);
    if (!operation) continue;
    const expectation = oracle(contract, values);
    const judgement = judgeAnswer(contract, operation, expectation, rightAnswer(values));
    expect([id, judgement.kind]).toEqual([id, expectation.kind === 'open' ? 'observed' : 'pass']);
  }
});

describe('an answer that passes', () => {
  test.each<[string, Changes, Got, string]>([
    ['none', {}, [401, 'whatever it says'], 'authorization.required'],
    ['USER', { authorization: 'basic' }, [400], 'authorization.malformed'],
    ['USER', { authorization: 'basic' }, [401], 'authorization.malformed'],
    ['unknown', {}, [401, secret], 'token.unknown'],
    ['unknown', {}, [403, said('auth-type-missing')], 'token.unknown'],
    ['OAUTH', { validity: 'foreign' }, [403], 'token.foreign'],
    ['GLOBAL', { 'act-as': 'blank' }, [400, missing], 'act-as.missing'],
    ['GLOBAL', { 'act-as': 'blank' }, [401, identity], 'act-as.missing'],
    ['GLOBAL', { 'act-as': 'unknown' }, [401, `<p>${messageText('invalid-identity')}</p>`], 'act-as.unknown'],
    ['OKTA', { 'auth-type': 'absent' }, [422, secret], 'auth-type.missing'],
    ['USER', { body: 'missing-field' }, [422, 'query is required'], 'search.request'],
    ['GLOBAL', { 'act-as': 'absent', validity: 'expired' }, [400, missing], 'act-as.missing'],
    ['GLOBAL', { 'act-as': 'absent', validity: 'expired' }, [401], 'token.expired'],
  ])('to %s %j: %j satisfies %s', (kind, changes, got, requirement) => {
    expect(judged(kind, changes, got)).toMatchObject({
      kind: 'pass',
      satisfied: expect.arrayContaining([requirement]),
    });
  });

  test('satisfies only the requirement that it proves if the case has two faults', () => {
    const judgement = judged('GLOBAL', { 'act-as': 'absent', validity: 'expired' }, [401]);
    expect(judgement.kind === 'pass' && judgement.satisfied).not.toContain('act-as.missing');
  });

  test.each<[string, Changes, Got, readonly string[]]>([
    // The message shows which fault the target found. Without it the status fits both.
    ['GLOBAL', { 'act-as': 'unknown', validity: 'expired' }, [401, identity], ['act-as.unknown']],
    ['GLOBAL', { 'act-as': 'unknown', validity: 'expired' }, [401], []],
    ['OKTA', { 'auth-type': 'absent', validity: 'expired' }, [401, secret], ['auth-type.missing']],
    ['OKTA', { 'auth-type': 'absent', validity: 'tampered' }, [401, secret], []],
    ['USER', { body: 'missing-field', validity: 'expired' }, [401], []],
    ['USER', { body: 'missing-field', validity: 'expired' }, [400], ['search.request']],
    ['USER', { holding: 'none', validity: 'expired' }, [403], ['scope.search']],
  ])('to %s %j: %j satisfies, of two faults, %j', (kind, changes, got, ids) => {
    const judgement = judged(kind, changes, got);
    expect(judgement.kind).toBe('pass');
    const satisfied = judgement.kind === 'pass' ? judgement.satisfied : [];
    expect(satisfied.filter((id) => !id.startsWith('message.'))).toEqual(ids);
  });

  test('proves nothing about a fault if a silent rule of the case also admits the refusal', () => {
    const withSilentRule = judged('USER', { validity: 'expired', 'act-as': 'existing' }, [401]);
    expect(withSilentRule.kind === 'pass' && withSilentRule.satisfied).not.toContain('token.expired');
    const alone = judged('USER', { validity: 'expired' }, [401]);
    expect(alone.kind === 'pass' && alone.satisfied).toContain('token.expired');
  });

  test('decides nothing about the body if the body was not read to its end', () => {
    const [search] = contract.operations;
    if (!search) throw new Error('no operation');
    const { values } = caseOf('search', 'USER');
    const cut = { ...answer(200, SEARCH_BODY.slice(0, 20)), truncated: true as const };
    const judgement = judgeAnswer(contract, search, oracle(contract, values), cut);
    expect(judgement).toMatchObject({ kind: 'pass', unread: ['search.response'] });
    expect(judgement.kind === 'pass' && judgement.satisfied).toContain('search.success');
    expect(judgement.kind === 'pass' && judgement.satisfied).not.toContain('search.response');
    const coded = { ...cut, headers: { 'Content-Encoding': 'zstd' } };
    expect(whyUnread(coded)).toBe('the body, in the Content-Encoding zstd, could not be read to its end');
  });

  test('in all but a recommendation satisfies the other requirements of an acceptance', () => {
    expect(judged('USER', {}, [202, ''], 'chat')).toMatchObject({
      kind: 'miss',
      level: 'should',
      suspects: [{ requirement: 'chat.response' }],
      satisfied: ['user.accepted', 'chat.success'],
    });
  });

  test('satisfies every requirement that an acceptance proves', () => {
    const judgement = judged('USER', { holding: 'only:SEARCH' }, [200, SEARCH_BODY]);
    expect(judgement.kind === 'pass' && [...judgement.satisfied].sort()).toEqual([
      'response.content-type',
      'scope.sole',
      'search.response',
      'search.success',
      'user.accepted',
    ]);
  });

  test('may have any body if it answers a chat', () => {
    for (const text of ['', 'streamed', '{"a":1}', '<p>'])
      expect(judged('USER', {}, [200, text, {}], 'chat').kind).toBe('pass');
  });
});

describe('an answer is only observed', () => {
  test.each<[string, Changes, Got]>([
    ['USER', { 'act-as': 'existing' }, [200, SEARCH_BODY]],
    ['USER', { 'act-as': 'existing' }, [400]],
    ['USER', { 'act-as': 'existing' }, [401, identity]],
    ['USER', { 'auth-type': 'OAUTH' }, [401, secret.replace('Invalid Secret', 'no such provider')]],
    ['USER', { authorization: 'spaces' }, [401]],
    // Not the outcome of the fault, but the silent rule admits any 4xx.
    ['USER', { 'act-as': 'existing', holding: 'none' }, [400]],
    ['USER', { 'act-as': 'existing' }, [302]],
    ['USER', { 'act-as': 'existing' }, [501]],
  ])('to %s %j: %j', (kind, changes, got) => {
    expect(judged(kind, changes, got).kind).toBe('observed');
  });
});

describe('a miss', () => {
  test.each<[string, Changes, Got, string, Miss['level']]>([
    ['none', {}, [403], 'authorization.required', 'should'],
    ['none', {}, [500], 'authorization.required', 'must'],
    ['unknown', { 'auth-type': 'OAUTH' }, [403], 'token.unknown', 'must'],
    ['unknown', {}, [400, 'no'], 'token.unknown', 'must'],
    ['USER', { validity: 'expired' }, [403], 'token.expired', 'must'],
    ['USER', { holding: 'none' }, [401], 'scope.search', 'must'],
    ['USER', { holding: 'none' }, [404], 'scope.search', 'must'],
    ['GLOBAL', { 'act-as': 'absent' }, [400], 'act-as.missing', 'must'],
    ['GLOBAL', { 'act-as': 'absent' }, [401, missing], 'act-as.missing', 'must'],
    ['GLOBAL', { 'act-as': 'unknown' }, [403, identity], 'act-as.unknown', 'must'],
    ['OKTA', { 'auth-type': 'absent' }, [401], 'auth-type.missing', 'must'],
    ['USER', { authorization: 'basic' }, [403], 'authorization.malformed', 'should'],
    ['USER', { authorization: 'basic' }, [500], 'authorization.malformed', 'must'],
    ['USER', { body: 'missing-field' }, [500], 'search.request', 'should'],
    ['USER', { 'act-as': 'existing' }, [500], 'act-as.not-needed', 'should'],
    ['USER', { validity: 'expired' }, [500], 'token.expired', 'must'],
    ['USER', { validity: 'expired' }, [501], 'token.expired', 'must'],
    ['USER', { authorization: 'spaces' }, [500], 'authorization.form', 'advisory'],
    ['USER', {}, [201, SEARCH_BODY], 'search.success', 'must'],
    ['USER', {}, [200, '{"results":[]}'], 'search.response', 'must'],
    ['USER', {}, [200, SEARCH_BODY, { 'content-type': 'text/html' }], 'response.content-type', 'should'],
    ['USER', { 'act-as': 'existing' }, [200, '[]'], 'search.response', 'must'],
    // A misplaced message.
    ['USER', { holding: 'none' }, [403, identity], 'message.invalid-identity', 'must'],
    ['USER', { holding: 'none' }, [403, secret], 'message.auth-type', 'must'],
    [
      'GLOBAL',
      { 'act-as': 'unknown' },
      [401, JSON.stringify([identity, missing].map((text) => JSON.parse(text)))],
      'message.act-as-missing',
      'must',
    ],
    ['USER', { authorization: 'basic' }, [403, identity], 'message.invalid-identity', 'must'],
    ['USER', { body: 'missing-field' }, [400, identity], 'message.invalid-identity', 'must'],
    ['GLOBAL', { body: 'missing-field' }, [400, identity], 'search.request', 'should'],
    ['USER', { 'act-as': 'existing' }, [400, missing], 'message.act-as-missing', 'must'],
  ])('to %s %j: %j misses %s (%s)', (kind, changes, got, ...[requirement, level]) => {
    const found = missOf(kind, changes, got);
    expect([...new Set(found.suspects.map((suspect) => suspect.requirement))]).toEqual([requirement]);
    expect(found).toMatchObject({ level, wronglyAccepted: false });
  });

  test('with a server error also suspects the silent rules, even if the fault only misses a recommendation', () => {
    const found = missOf('USER', { body: 'missing-field', 'act-as': 'existing' }, [500]);
    expect(found.suspects.map(({ requirement }) => requirement)).toEqual(['search.request', 'act-as.not-needed']);
  });

  test('is only a warning if a chat is answered with a 2xx other than 200', () => {
    expect(missOf('USER', {}, [202], 'chat')).toMatchObject({
      level: 'should',
      suspects: [{ requirement: 'chat.response' }],
    });
  });

  test('suspects every fault of a case with several faults', () => {
    const found = missOf('GLOBAL', { 'act-as': 'absent', holding: 'none' }, [404]);
    expect(found.suspects.map(({ requirement }) => requirement)).toEqual(['act-as.missing', 'scope.search']);
  });

  test('is a wrong acceptance if a 2xx answers a request that must be refused, even with a silent rule', () => {
    for (const changes of [{ validity: 'expired' }, { validity: 'expired', 'act-as': 'existing' }])
      expect(missOf('USER', changes, [200, SEARCH_BODY])).toMatchObject({ wronglyAccepted: true, level: 'must' });
    expect(missOf('USER', { holding: 'none' }, [204])).toMatchObject({ wronglyAccepted: true });
  });
});

describe('a miss says what was wanted and what came, for', () => {
  const text = messageText('act-as-missing');
  const instead = (got: string) => `400 "${got}" instead of "${text}"`;
  test.each<[string, Got, string]>([
    ['another status', [401], '401'],
    ['another status with the message', [401, missing], `401 "${text}"`],
    ['a near miss', [400, text.toLowerCase()], instead(text.toLowerCase())],
    ['a near miss in JSON', [400, JSON.stringify({ e: text.slice(1) })], instead(text.slice(1))],
    ['the message in a longer line', [400, `Error: ${text}`], `400 "${text}" inside a longer text`],
    ['the message in a longer attribute', [400, `<e m="${text}!"/>`], `400 "${text}" inside a longer text`],
    ['the message in a comment', [400, `<!--\n${text}\n--><p>Refused</p>`], `400 "${text}" inside a longer text`],
    [
      'the message with another kind of space',
      [400, text.replace(' ', '\u00a0')],
      instead(text.replace(' ', '\\u00a0')),
    ],
    ['other text', [400, 'no such header'], '400 "no such header"'],
  ])('%s', (_what, got, words) => {
    const found = missOf('GLOBAL', { 'act-as': 'absent' }, got);
    expect([found.wanted, found.got]).toEqual([`400 with the message "${text}"`, words]);
  });

  test('several admitted outcomes', () => {
    const { wanted } = missOf('GLOBAL', { 'act-as': 'absent', holding: 'none' }, [404]);
    expect(wanted).toBe(`400 with the message "${text}"; or 403`);
    expect(missOf('USER', {}, [401]).wanted).toBe('200');
    const free = missOf('USER', { 'act-as': 'existing' }, [500]);
    expect(free.wanted).toBe('200, or any other answer except a server error');
    expect(missOf('USER', { body: 'missing-field' }, [500]).wanted).toBe('4xx without a documented message');
    expect(missOf('USER', { holding: 'none' }, [403, identity]).wanted).toBe(
      `a refusal without the message "${messageText('invalid-identity')}"`,
    );
  });
});
