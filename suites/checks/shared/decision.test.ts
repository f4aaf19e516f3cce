import { expect, test } from 'vitest';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { byOutcome, decisionsOn, fail, observed } from './decision.ts';

const verdictsOn = (requirement: string, trusted: boolean) => {
  const api = { contract, trusted, steps: [] } as Partial<CheckApi> as CheckApi;
  const found = decisionsOn(api, { requirement, operation: 'any', kind: 'OAUTH' }, fail(undefined, 'it is wrong'));
  return found.map((one) => `${one.verdict} ${one.requirement}`);
};

test('what breaks a must fails it, and what breaks advice gets a warning', () => {
  expect(verdictsOn('mcp.token', false)).toEqual(['fail mcp.token']);
  expect(verdictsOn('mcp.accepted', false)).toEqual(['warn mcp.accepted']);
});

test('the reference service must follow the advice on its capabilities', () => {
  expect(verdictsOn('mcp.token', true)).toEqual(['fail mcp.token']);
  expect(verdictsOn('mcp.accepted', true)).toEqual(['warn mcp.accepted', 'fail reference.mcp']);
  expect(verdictsOn('authorization-server.pkce', true)).toEqual([
    'warn authorization-server.pkce',
    'fail reference.authorization-server',
  ]);
});

test('a lost answer decides nothing', () => {
  const decisions = { accepted: fail(undefined, 'it is accepted'), refused: observed('it is refused') };
  expect(byOutcome({ kind: 'lost', why: 'no answer' }, decisions)).toEqual({
    verdict: 'inconclusive',
    detail: 'no answer',
  });
  expect(byOutcome({ kind: 'refused' }, decisions)).toBe(decisions.refused);
});
