import { expect, test } from 'vitest';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { acceptance, engine, search } from '../../testing/engine.ts';
import {
  blame,
  byOutcome,
  decideEach,
  decisionOn,
  decisionsOn,
  fail,
  hid,
  inconclusive,
  notTestable,
  observed,
  observedRefusal,
  pass,
  unseen,
  warn,
} from './decision.ts';

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

test('an accepted answer decides as an acceptance', () => {
  const decisions = { accepted: fail(undefined, 'it is accepted'), refused: observed('it is refused') };
  expect(byOutcome({ kind: 'accepted' }, decisions)).toBe(decisions.accepted);
});

const one = acceptance(1);
const noProof =
  'it holds; this proves nothing, because nothing shows that the target accepts right requests and refuses wrong ones';

test.each([
  ['a pass', pass(one, 'it holds'), { verdict: 'pass', acceptance: one, detail: 'it holds' }],
  ['a pass without an acceptance', pass(undefined, 'it holds'), { verdict: 'inconclusive', detail: noProof }],
  ['what was hidden', hid({ owner: 'USER' }, one, 'it holds'), { verdict: 'pass', hides: ['USER'] }],
  ['what nobody showed', hid({ owner: 'USER' }, undefined, 'it holds'), { verdict: 'inconclusive', detail: noProof }],
  ['a refusal', observedRefusal(one, 'it holds'), { verdict: 'observed', acceptance: one, detail: 'it holds' }],
  ['a refusal of all', observedRefusal(undefined, 'it holds'), { verdict: 'inconclusive', detail: noProof }],
  [
    'what is observed',
    observed('it is so'),
    { verdict: 'observed', acceptance: 'claims no refusal', detail: 'it is so' },
  ],
  ['a failure', fail(undefined, 'it is wrong'), { verdict: 'fail', broke: undefined, detail: 'it is wrong' }],
  ['a warning', warn(undefined, 'it is odd', 'less'), { verdict: 'warn', detail: 'it is odd', wanted: 'less' }],
  ['what is open', inconclusive('who knows'), { verdict: 'inconclusive', detail: 'who knows' }],
  ['what nobody found', unseen('no marker'), { verdict: 'inconclusive', unseen: true, detail: 'no marker' }],
  [
    'what lacks a variable',
    notTestable('MCP_URL'),
    { verdict: 'not-testable', detail: 'MCP_URL', variable: 'MCP_URL' },
  ],
  ['what came again', blame('wrong', fail(undefined, 'bad')), { verdict: 'fail', detail: 'bad' }],
  [
    'what came once',
    blame('fleeting', fail(undefined, 'bad')),
    { verdict: 'inconclusive', detail: 'bad; it did not happen again' },
  ],
])('%s says so', (_what, decided, said) => {
  expect(decided).toMatchObject(said);
});

test('a warning without another wish wants what its step was to show', () => {
  expect(warn(undefined, 'it is odd')).not.toHaveProperty('wanted');
  expect(hid({ owner: 'USER' }, undefined, 'it holds')).not.toHaveProperty('hides');
});

test('a decision rests on everything that its API has sent until then', async () => {
  const { api } = engine(() => 'accepts');
  const unit = { requirement: 'one', operation: 'search', kind: 'USER' };
  const call = { operation: search, shows: 'it is accepted', wanted: 'accepted' } as const;
  await api.call(call);
  const decided = decisionOn(api, unit, observed('it is so'));
  await api.call(call);
  expect(decided).toMatchObject({ ...unit, verdict: 'observed' });
  expect(decided.steps.map(({ seq }) => seq)).toEqual([1]);
});

test('what is decided for each is given in their order', async () => {
  const { api } = engine(() => 'accepts');
  const decide = async (requirement: string, at: number) => [
    decisionOn(api, { requirement, operation: 'search', kind: 'USER' }, observed(`${at}`)),
  ];
  const found = await decideEach(['one', 'two'], decide);
  expect(found.map(({ requirement, detail }) => [requirement, detail])).toEqual([
    ['one', '0'],
    ['two', '1'],
  ]);
});
