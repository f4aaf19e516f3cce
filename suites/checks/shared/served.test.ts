import { describe, expect, test } from 'vitest';
import type { Answered } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import type { Answer } from '../../../harness/record/observation.ts';
import { answer, reset } from '../../../harness/testing/small-world.ts';
import { isServed, showsRun } from './served.ts';

const answered = (changes: Partial<Answer> = {}, accepted = true): Answered => {
  const plain = { kind: 'answer', status: 200, contentType: 'application/json', form: 'json' } as const;
  const observation = { ...plain, whole: [], embedded: [], ...changes };
  return { observation, seq: 1, operation: undefined, accepted };
};
const like = answered({ skeleton: '{ results: array(3) }' });

describe('an answer serves the operation', () => {
  test.each<[string, Answered, boolean]>([
    ['with the documented body', answered({ schemaErrors: [] }), true],
    ['not with another body', answered({ schemaErrors: ['/results is missing'] }), false],
    [
      'with a wrong body like that of an acceptance',
      answered({ schemaErrors: ['no requestId'], skeleton: '{ results: array(1) }' }),
      true,
    ],
    [
      'not with a page like one',
      answered({ schemaErrors: ['no JSON'], form: 'markup', skeleton: '{ results: array(3) }' }),
      false,
    ],
    ['with the same outline, whatever its lengths', answered({ skeleton: '{ results: array(12) }' }), true],
    ['not with another outline', answered({ skeleton: '{ items: array(3) }' }), false],
    ['not if it looks like a page', answered({ skeleton: '{ results: array(3) }' }, false), false],
    ['not if none came', { ...answered(), observation: reset }, false],
  ])('%s', (_what, one, served) => {
    expect(isServed(one, like)).toBe(served);
  });

  test('without any outline, as another without one', () => {
    expect(isServed(answered(), answered({ skeleton: '' }))).toBe(true);
  });

  test('not beside a request that got no answer', () => {
    expect(isServed(answered({ schemaErrors: [] }), { ...like, observation: reset })).toBe(false);
  });
});

describe('answers with a free body', () => {
  const said = (text: string, changes: Partial<Answer> = {}, accepted = true): CheckAnswer => ({
    ...answered({ skeleton: '{}', ...changes }, accepted),
    text,
    headers: {},
  });
  const [same, refused] = [said('It works.'), { ...said('No.', {}, false), observation: answer(401) }];
  const asked = { first: same, withoutQuery: same, again: same };
  const runs = (changes: Partial<typeof asked>, request = '/other {"query":"plans"}') =>
    showsRun({ ...asked, ...changes }, said('Hello.'), request);

  test('that are always the same show no run', () => {
    expect(runs({})).toBe(false);
  });

  test.each<[string, Partial<typeof asked>]>([
    ['a private document', { first: said('', { markers: ['USER_PRIVATE_MARKER'] }) }],
    ['a conversation of its own', { first: said('', { conversation: 'b' }), again: said('', { conversation: 'c' }) }],
    ['that the query is needed', { withoutQuery: refused }],
    ['words of its own', { first: said('Your roadmap.'), again: said('The ROADMAP!') }],
  ])('show a run by %s', (_what, changes) => {
    expect(runs(changes)).toBe(true);
  });

  test.each<[string, Partial<typeof asked>]>([
    [
      'a conversation that comes again',
      { first: said('', { conversation: 'b' }), again: said('', { conversation: 'b' }) },
    ],
    ['an answer that does not come again', { first: said('Your roadmap.'), again: refused, withoutQuery: refused }],
    [
      'words that come without a query too',
      { ...asked, first: said('Your roadmap.'), again: said('roadmap'), withoutQuery: said('roadmap') },
    ],
    ['words of the request', { first: said('You sent plans.'), again: said('plans it is') }],
    ['words that are no words', { first: said('id a1bcd bcd1a no'), again: said('id a1bcd bcd1a no') }],
    ['conversations of other answers', { again: said('', { conversation: 'b' }) }],
    [
      'words beside an answer of another form',
      { first: said('roadmap'), again: said('roadmap'), withoutQuery: said('x', { skeleton: 'text' }) },
    ],
  ])('show no run by %s', (_what, changes) => {
    expect(runs(changes)).toBe(false);
  });

  test('repeat an address of the request, in which a blank is %20', () => {
    expect(runs({ first: said('roadmap'), again: said('roadmap') }, '/the%20roadmap')).toBe(false);
  });
});
