import { expect, test } from 'vitest';
import { brokenByNaming, isNamedIn } from './named-person.ts';
import type { Person } from './private-documents.ts';

const person: Person = { owner: 'USER', email: 'a+b@people.example', query: 'notes' };

test.each([
  ['a+b@people.example', true],
  ['user=a%2Bb%40people.example', true],
  [['', 'a+b@people.example'], true],
  ['%', false],
])('a variation with the value %j names the person: %s', (value, isNamed) => {
  expect(
    isNamedIn(
      [
        { kind: 'header', value: '1' },
        { kind: 'header', value },
      ] as never,
      person,
    ),
  ).toBe(isNamed);
});

test('a text to search for names nobody', () => {
  expect(isNamedIn([{ kind: 'query', value: person.email }] as never, person)).toBe(false);
});

/** What is blamed where looks with and without the name show the document at these times. The last answer stays. */
function blamed(named: readonly boolean[], plain: readonly boolean[]): Promise<string> {
  const inTurn = (all: readonly boolean[]) => {
    const left = [...all];
    return async () => (left.length > 1 ? left.shift() : left[0]) === true;
  };
  return brokenByNaming({ isActing: false }, inTurn(named), inTurn(plain));
}

test.each<[string, named: readonly boolean[], plain: readonly boolean[], requirement: string]>([
  ['comes with the name each time, and never without it', [true], [false], 'act-as.no-escalation'],
  ['comes with the name now and then', [true, false, true], [false], 'user.isolation'],
  ['comes without the name, too', [true], [false, false, true], 'user.isolation'],
  ['does not come again', [false], [false], 'user.isolation'],
])('a document that %s', async (_what, named, plain, requirement) => {
  expect(await blamed(named, plain)).toBe(requirement);
});
