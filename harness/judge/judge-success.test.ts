import { describe, expect, test } from 'vitest';
import type { Dimension, Level } from '../contract/contract.ts';
import { expect as oracle, type Suspect } from '../plan/expectation.ts';
import type { Answer } from '../record/observation.ts';
import { answer, caseOf, contract, messageText, reset, SEARCH_BODY } from '../testing/small-world.ts';
import { answerKey, judgeAnswer, judgeSuccess } from './judge-answer.ts';
import { highestLevel } from './miss.ts';

type Changes = Readonly<Record<Dimension, string>>;

/** The judgement of a 2xx to a request with the full USER token. */
function judged(seen: Answer, operation = 'search', changes: Changes = {}, others: readonly number[] = []) {
  const found = contract.operations.find(({ id }) => id === operation);
  const asked = found && { ...found, success: { ...found.success, others } };
  if (!asked) throw new Error(`no operation ${operation}`);
  const expectation = oracle(contract, caseOf(operation, 'USER', changes).values);
  return judgeSuccess({ contract, operation: asked, expectation, answer: seen });
}

describe('a success misses one requirement and says what came', () => {
  test.each<[string, Answer, object]>([
    [
      'another 2xx',
      answer(201, SEARCH_BODY),
      {
        suspects: [{ requirement: 'search.success', template: '{operation}.success' }],
        satisfied: ['user.accepted'],
        wanted: '200',
        got: '201',
      },
    ],
    [
      'another body',
      answer(200, '{"results":[]}'),
      {
        suspects: [{ requirement: 'search.response' }],
        satisfied: ['user.accepted', 'search.success'],
        wanted: '200 with the documented body',
        got: expect.stringMatching(/^200, but .*trackingToken/),
      },
    ],
    [
      'another content type',
      answer(200, SEARCH_BODY, { 'content-type': 'text/html' }),
      {
        suspects: [{ requirement: 'response.content-type' }],
        wanted: '200 with a JSON content type',
        got: '200 with content type text/html',
      },
    ],
    ['no content type', answer(200, SEARCH_BODY, {}), { got: '200 with no content type' }],
  ])('for %s', (_what, seen, found) => {
    expect(judged(seen)).toMatchObject({ kind: 'miss', wronglyAccepted: false, ...found });
  });

  test('with three errors of the body at most', () => {
    const many = judged({ ...answer(200, SEARCH_BODY), schemaErrors: ['one', 'two', 'three', 'four'] });
    expect(many).toMatchObject({ got: '200, but one; two; three' });
  });

  test('of the answer to a chat, whose body is free', () => {
    const created = answer(201, 'hello', undefined, 'chat');
    expect(judged(created, 'chat')).toMatchObject({
      suspects: [{ requirement: 'chat.response', template: 'chat.response' }],
    });
  });
});

describe('a list that is left out', () => {
  const without = '{"trackingToken":"t","requestId":"r"}';

  test('is a warning, because many serializers leave an empty one out', () => {
    expect(judged(answer(200, without))).toMatchObject({
      ...{ kind: 'miss', level: 'should', wronglyAccepted: false, leftOut: ['results'] },
      ...{ suspects: [{ requirement: 'search.response' }], satisfied: ['user.accepted', 'search.success'] },
      got: '200 without results',
    });
  });

  test('is a failure beside another difference', () => {
    expect(judged(answer(200, '{"requestId":"r"}'))).toMatchObject({ kind: 'miss', level: 'must' });
  });
});

describe('a success that the document names beside the described one', () => {
  test.each([
    ['search', ['user.accepted', 'search.success', 'search.response', 'response.content-type']],
    ['chat', ['user.accepted', 'chat.success', 'chat.response']],
  ])('satisfies what that does: %s', (operation, satisfied) => {
    const { schemaErrors: _, ...empty } = answer(204, '', {});
    expect(judged(empty, operation, {}, [202, 204])).toEqual({ kind: 'pass', satisfied });
  });

  test('admits no further one', () => {
    expect(judged(answer(201, SEARCH_BODY), 'search', {}, [202, 204])).toMatchObject({
      suspects: [{ requirement: 'search.success' }],
      wanted: '200 or 202 or 204',
    });
  });
});

describe('a success satisfies', () => {
  const satisfied = (...args: Parameters<typeof judged>) => {
    const found = judged(...args);
    return found.kind === 'pass' ? found.satisfied : found.kind;
  };

  test('what its request shows, its body and its content type', () => {
    const requirements = ['user.accepted', 'search.success', 'search.response', 'response.content-type'];
    expect(satisfied(answer(200, SEARCH_BODY))).toEqual(requirements);
    expect(satisfied(answer(200, SEARCH_BODY, { 'content-type': 'application/problem+JSON' }))).toEqual(requirements);
  });

  test('no requirement on a content type if the body of the operation is free', () => {
    expect(satisfied(answer(200, '', {}, 'chat'), 'chat')).toEqual(['user.accepted', 'chat.success', 'chat.response']);
  });

  test('no requirement on a body that was not read to its end, whatever its beginning looks like', () => {
    const cut: Answer = { ...answer(200, '{"results"'), truncated: true };
    expect(judged(cut)).toMatchObject({ kind: 'pass', unread: ['search.response'] });
    expect(satisfied(cut)).toEqual(['user.accepted', 'search.success', 'response.content-type']);
    const chat: Answer = { ...answer(200, 'hello', undefined, 'chat'), truncated: true };
    expect(judged(chat, 'chat')).not.toHaveProperty('unread');
    expect(judged(answer(200, SEARCH_BODY))).not.toHaveProperty('unread');
  });

  test('nothing if the specification leaves the request open', () => {
    expect(judged(answer(200, SEARCH_BODY), 'search', { 'act-as': 'existing' })).toMatchObject({
      kind: 'observed',
      silent: [{ requirement: 'act-as.not-needed' }],
    });
    expect(judged(answer(201, SEARCH_BODY), 'search', { 'act-as': 'existing' })).toMatchObject({
      kind: 'miss',
      satisfied: [],
    });
  });
});

describe('two answers count as the same', () => {
  test('if they have one status, one message and the same errors in their bodies', () => {
    expect(answerKey(answer(401, 'no'))).toBe(answerKey(answer(401, 'refused')));
    expect(answerKey(answer(401, messageText('invalid-identity')))).toBe(
      answerKey(answer(401, `<p>${messageText('invalid-identity')}</p>`)),
    );
    expect(answerKey(undefined)).toBe(answerKey(undefined));
  });

  test('but not if one of these differs', () => {
    const timeout = { kind: 'failure', failure: 'timeout', detail: 'timeout' } as const;
    const all = [
      answer(401),
      answer(403),
      answer(401, messageText('invalid-identity')),
      answer(401, messageText('act-as-missing')),
      answer(200, SEARCH_BODY),
      answer(200, '{}'),
      reset,
      timeout,
      undefined,
    ];
    expect(new Set(all.map(answerKey)).size).toBe(all.length);
  });
});

test.each<[Level, readonly Level[]]>([
  ['must', ['advisory', 'must', 'should']],
  ['should', ['advisory', 'should', 'advisory']],
  ['advisory', ['advisory', 'advisory']],
])('the level of a miss is the highest of its suspects: %s of %j', (highest, levels) => {
  const suspects = levels.map((level): Suspect => {
    return { rule: 'a', template: 'a', requirement: 'a', level, attribution: { basis: 'stated' } };
  });
  expect(highestLevel(suspects)).toBe(highest);
});

test('a refusal with the documented body of a success misses what was to be refused', () => {
  const [operation] = contract.operations;
  const expectation = oracle(contract, caseOf('search', 'none', {}).values);
  const judgement = judgeAnswer({ ...contract, has: [] }, operation, expectation, answer(401, SEARCH_BODY));
  expect(judgement).toMatchObject({
    kind: 'miss',
    suspects: [{ requirement: 'authorization.required' }],
    got: '401 with the documented body of a success',
  });
});
