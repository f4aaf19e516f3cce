import { describe, expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { expect as expectation } from '../plan/expectation.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, contract, messageText, planWith, rightAnswer, sendAll } from '../testing/small-world.ts';
import { freedomsOf } from './freedoms.ts';
import { gather, judgeCases } from './judge-cases.ts';

const plan = planWith({}, 'core');

function choice(freedom: string, respond: (values: Values) => Observation = rightAnswer): string | undefined {
  const exchanges = sendAll(plan, ({ values }) => respond(values), 1);
  const verdicts = judgeCases({ contract, plan, trusted: true }, plan.cases.values(), gather(exchanges));
  return freedomsOf(contract, verdicts).find((row) => row.freedom === freedom)?.choice;
}

/** A target that answers the first of its steps that finds a fault, and says so in the documented words. */
function inOrder(...steps: readonly RegExp[]): (values: Values) => Observation {
  return (values) => {
    const { admissible } = expectation(contract, values);
    const found = steps.flatMap((step) => admissible.find(({ rule }) => step.test(rule)) ?? [])[0] ?? admissible[0];
    if (!found || found.outcome.status === '2xx') return rightAnswer(values);
    const [status = 400] = [found.outcome.status].flat();
    const [message] = Array.isArray(found.outcome.message) ? found.outcome.message : [];
    const text = message === undefined ? '' : JSON.stringify({ error: messageText(message) });
    return answer(typeof status === 'number' ? status : 400, text);
  };
}

describe('the order of checks', () => {
  test.each<[string, readonly RegExp[]]>([
    ['token > act-as > scope', [/^token\.(?!.*untyped)/, /^act-as\./, /^scope\./]],
    ['scope > act-as > token', [/^scope\./, /^act-as\./, /^token\./]],
    ['act-as > token > scope', [/^act-as\./, /^token\./, /^scope\./]],
  ])('is read from the answers to two faults at once: %s', (order, steps) => {
    const found = choice('order of checks', inOrder(...steps)) ?? '';
    const named = found.split(/ [>=] /).filter((step) => order.includes(step));
    expect(named.join(' > ')).toBe(order);
  });

  test('names the steps of which now one and now the other comes first', () => {
    const tokenFirst = inOrder(/^token\.(?!.*untyped)/, /^act-as\./);
    const actAsFirst = inOrder(/^act-as\./, /^token\.(?!.*untyped)/);
    const either = choice('order of checks', (values) =>
      (values.operation === 'chat' ? tokenFirst : actAsFirst)(values),
    );
    expect(either).toMatch(/; either first: .*\b(token and act-as|act-as and token)\b/);
    expect(choice('order of checks', tokenFirst)).not.toContain('either first');
  });
});

describe('a freedom', () => {
  test('is what a target makes of it', () => {
    const ignoring = (values: Values) => (values['act-as'] === 'existing' ? accepted : rightAnswer(values));
    expect(
      choice('act as, not needed', (values) => (values.kind === 'USER' ? ignoring(values) : rightAnswer(values))),
    ).toBe('accepted');
    const refusing = (values: Values) =>
      expectation(contract, values).kind === 'open' ? answer(400) : rightAnswer(values);
    expect(choice('act as, not needed', refusing)).toBe('400');
  });

  test('is the form of an error body', () => {
    expect(
      choice('error body', (values) => (rightAnswer(values).status < 300 ? rightAnswer(values) : answer(401))),
    ).toBe('empty');
  });
});
