import { describe, expect, test } from 'vitest';
import type { Dimension } from '../contract/contract.ts';
import { expect as oracle } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import {
  accepted,
  answer,
  caseOf,
  contract,
  exchangeOf,
  messageText,
  plannedCase,
  SEARCH_BODY,
} from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, several } from '../testing/verdicts.ts';
import { gather, judgeCases, signatureOf } from './judge-cases.ts';
import { describeAnswer, describeWanted } from './miss.ts';

type Changes = Readonly<Record<Dimension, string>>;
const [search] = contract.operations;
if (!search) throw new Error('no operation');
const expectation = (kind: string, changes: Changes) => oracle(contract, caseOf('search', kind, changes).values);
const message = (id: string) => `"${messageText(id)}"`;

test.each<[string, Changes, string]>([
  ['none', {}, '401; or 4xx or 3xx (with a warning)'],
  ['USER', { authorization: 'basic' }, '400 or 401; or 4xx (with a warning)'],
  ['unknown', {}, `401; or 4xx with the message ${message('auth-type-missing')} or ${message('invalid-secret')}`],
  ['USER', { body: 'missing-field' }, '4xx without a documented message'],
  ['OKTA', { validity: 'expired', body: 'other-content-type' }, '401; or 4xx without a documented message'],
  [
    'GLOBAL',
    { 'act-as': 'malformed', validity: 'tampered', 'auth-type': 'OAUTH' },
    `401; or 401 with the message ${message('invalid-identity')}; or 4xx`,
  ],
])('what is wanted of %s %j is %s', (kind, changes, words) => {
  expect(describeWanted(contract, expectation(kind, changes), search)).toBe(words);
});

describe('what came is described', () => {
  const described = (text: string) =>
    describeAnswer(contract, expectation('GLOBAL', { 'act-as': 'absent' }), answer(401, text));

  test('with every documented message', () => {
    const both = JSON.stringify([messageText('invalid-identity'), messageText('act-as-missing')]);
    expect(described(both)).toBe(`401 ${message('act-as-missing')} and ${message('invalid-identity')}`);
  });

  test('with the beginning of any other text', () => {
    expect(described(`no ${'x'.repeat(100)}`)).toBe(`401 "no ${'x'.repeat(77)}…"`);
    expect(described('')).toBe('401');
  });

  test('with what differs in a line between quotes or tags', () => {
    const nearly = messageText('act-as-missing').replace('header', 'heeder');
    for (const text of [`<p>\n ${nearly} \n</p>`, `{"error": "${nearly}"}`, `first line\r\n${nearly}\r\n`])
      expect(described(text)).toBe(`401 "${nearly}" instead of ${message('act-as-missing')}`);
  });
});

const refused = answer(401);
const [pins, mcp, tools, people] = ['PINS', 'MCP', 'TOOLS', 'PEOPLE'].map((scope) =>
  plannedCase(plan, 'search', 'USER', { holding: `only:${scope}` }),
) as [PlannedCase, PlannedCase, PlannedCase, PlannedCase];
const chat = plannedCase(plan, 'chat', 'USER');
const chatAccepted = answer(200, SEARCH_BODY, undefined, 'chat');

type Sends = readonly [PlannedCase, ...Observation[]];

/** The verdicts on cases that were sent like this, in a run that accepts the full token. */
function decideAll(...all: readonly Sends[]) {
  const sent: Exchange[] = [exchangeOf(full, accepted, 1), exchangeOf(chat, chatAccepted, 2)];
  for (const [planned, ...answers] of all)
    for (const seen of answers) sent.push(exchangeOf(planned, seen, sent.length + 1));
  const cases = all.map(([planned]) => planned);
  return judgeCases({ contract, plan, trusted: false }, cases, gather(sent)).map(({ verdict }) => verdict);
}

/** Three identical misses that were confirmed, and one more miss that was sent only once. */
const threeAnd = (...once: Sends) =>
  decideAll([pins, refused, refused], [mcp, refused, refused], [tools, refused, refused], once).at(-1);

describe('a miss that was not sent again counts', () => {
  test('if three identical misses were confirmed', () => {
    expect(threeAnd(people, refused)).toBe('fail');
  });

  test('but not if only two were confirmed', () => {
    expect(decideAll([pins, refused, refused], [mcp, refused, refused], [tools, refused], [people, refused])).toEqual([
      'fail',
      'fail',
      'inconclusive',
      'inconclusive',
    ]);
  });

  test('but not if one of the three came and went', () => {
    const forbidden = answer(403);
    const sent: Sends[] = [pins, mcp].map((planned) => [planned, refused, refused]);
    expect(decideAll(...sent, [tools, refused, refused, forbidden], [people, refused]).at(-1)).toBe('inconclusive');
  });

  test('but not if its own answer is another one', () => {
    expect(threeAnd(people, answer(404))).toBe('inconclusive');
  });

  test('but not in another operation or for another kind of token', () => {
    expect(threeAnd(plannedCase(plan, 'chat', 'USER', { holding: 'only:PEOPLE' }), refused)).toBe('inconclusive');
    expect(threeAnd(plannedCase(plan, 'search', 'GLOBAL', { holding: 'only:PEOPLE' }), refused)).toBe('inconclusive');
  });

  test('but not if it is a 2xx that looks like a sign-in page, and the three look like an acceptance', () => {
    const chats = ['PINS', 'MCP', 'TOOLS', 'PEOPLE'].map((scope) =>
      plannedCase(plan, 'chat', 'USER', { holding: `only:${scope}` }),
    ) as [PlannedCase, PlannedCase, PlannedCase, PlannedCase];
    const [one, two, three, four] = chats;
    const page = answer(200, '<html>Sign in</html>', { 'content-type': 'text/html' }, 'chat');
    const confirmed = [one, two, three].map((planned): Sends => [planned, chatAccepted, chatAccepted]);
    expect(decideAll(...confirmed, [four, page])).toEqual(['fail', 'fail', 'fail', 'inconclusive']);
    expect(decideAll(...confirmed, [four, chatAccepted]).at(-1)).toBe('fail');
  });

  test('but not for another requirement', () => {
    expect(threeAnd(plannedCase(plan, 'search', 'USER', { body: 'missing-field' }), answer(500))).toBe('inconclusive');
  });
});

describe('two misses are identical', () => {
  const signature = (planned: PlannedCase, seen: Observation) => {
    const { miss } = decide([...several(planned, seen, seen), acceptedControl]);
    if (!miss) throw new Error('no miss');
    return signatureOf(planned, miss, seen);
  };

  test('if they have one group, one requirement to blame and one answer', () => {
    expect(signature(pins, refused)).toBe(signature(mcp, refused));
  });

  test('but not if one of them may also be blamed on another fault', () => {
    const one = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
    const two = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
    expect(one.group).toBe(two.group);
    expect(signature(one, answer(404))).not.toBe(signature(two, answer(404)));
  });

  test('if both are accepted with the documented body, whatever else it has', () => {
    const more = answer(200, SEARCH_BODY.replace('{', '{"more":[],'));
    expect(signature(pins, more)).toBe(signature(mcp, accepted));
  });

  test('but not if their second fault is another one', () => {
    const one = plannedCase(plan, 'search', 'GLOBAL', { validity: 'expired', holding: 'none' });
    const two = plannedCase(plan, 'search', 'GLOBAL', { validity: 'expired', 'act-as': 'absent' });
    expect(one.group).toBe(two.group);
    expect(signature(one, answer(404))).not.toBe(signature(two, answer(404)));
  });

  test('but not if the answers carry different messages or the requirements to blame differ', () => {
    const said = (id: string) => answer(403, messageText(id));
    const signatures = ['invalid-identity', 'act-as-missing', 'invalid-secret'].map((id) => signature(pins, said(id)));
    expect(new Set([...signatures, signature(pins, refused), signature(full, refused)]).size).toBe(5);
  });
});
