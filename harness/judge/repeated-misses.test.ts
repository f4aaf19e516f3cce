import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import {
  accepted,
  answer,
  contract,
  exchangeOf,
  messageText,
  plannedCase,
  SEARCH_BODY,
} from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, several } from '../testing/verdicts.ts';
import { gather, judgeCases, signatureOf } from './judge-cases.ts';

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
