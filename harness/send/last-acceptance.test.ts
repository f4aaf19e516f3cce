import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { plan } from '../testing/locking-target.ts';
import { answer, exchangeOf, plannedCase, SEARCH_BODY } from '../testing/small-world.ts';
import { lastAcceptance } from './lockout.ts';

describe('the case that was accepted last', () => {
  const [chat, search] = [plannedCase(plan, 'chat', 'USER'), plannedCase(plan, 'search', 'USER')];
  const found = (...sent: readonly [planned: PlannedCase, seen: Observation][]) => {
    const last = lastAcceptance(
      plan,
      sent.map(([planned, seen], at) => exchangeOf(planned, seen, at + 1)),
    );
    return last && [last.planned.id, last.seq];
  };
  const searched = answer(200, SEARCH_BODY);
  const { schemaErrors: _, ...chatted } = answer(200, '{}');

  test('is a search if there is one, with the number of whatever was accepted after it', () => {
    expect(found([search, searched], [chat, chatted])).toEqual([search.id, 2]);
    expect(found([chat, chatted], [search, searched])).toEqual([search.id, 2]);
    expect(found([search, searched], [chat, chatted], [search, answer(401)])).toEqual([search.id, 2]);
  });

  test('is a chat if nothing else was accepted, and nothing if all was refused', () => {
    expect(found([search, { ...answer(401), schemaErrors: [] }], [chat, chatted])).toEqual([chat.id, 2]);
    expect(found([search, answer(401)])).toBeUndefined();
    expect(found()).toBeUndefined();
  });

  test('is one that the target must accept: what it accepts by chance it refuses at the next time', () => {
    const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
    expect(found([search, searched], [expired, searched])).toEqual([search.id, 2]);
    expect(found([expired, searched])).toBeUndefined();
  });

  test('is one of the plan', () => {
    expect(found([{ ...search, id: 'another' }, searched], [chat, chatted])).toEqual([chat.id, 2]);
    expect(found([{ ...search, id: 'another' }, searched])).toBeUndefined();
  });
});
