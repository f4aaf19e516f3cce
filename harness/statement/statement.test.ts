import { expect, test } from 'vitest';
import { validatorOf } from '../contract/validator.ts';
import { escapeMarkup } from '../render/page/html.ts';
import { contract } from '../testing/contract.ts';
import { reportOf } from '../testing/report.ts';
import { baselineIn } from './read-folder.ts';
import { clipped, makeStatement } from './statement.ts';
import { renderStatement } from './statement-page.ts';

test('a text is shortened after a whole word', () => {
  expect(clipped('token and act-as, token and scope', 20)).toBe('token and act-as, …');
  expect(clipped('short', 20)).toBe('short');
  expect(clipped('x'.repeat(30), 20)).toBe(`${'x'.repeat(20)} …`);
});

test('no sentence of ours is shortened: neither a requirement nor what the target does with a freedom', async () => {
  const report = await reportOf();
  const [longest] = contract.requirements.map(({ text = '' }) => text).sort((a, b) => b.length - a.length);
  const what = { id: 'F1', verdict: 'fail', requirements: ['x'], listed: false } as const;
  const statement = makeStatement(report, { 'journal.ndjson': '', 'report.json': '' });
  const page = renderStatement({
    ...statement,
    causes: [{ ...what, where: 'everywhere', got: '200', text: longest ?? '' }],
  });
  for (const sentence of [longest ?? '', ...report.freedoms.map(({ choice }) => choice)])
    expect(page).toContain(escapeMarkup(sentence));
});

test('a statement that names a missing variable can be read', async () => {
  const changes = { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined };
  const report = await reportOf({ changes: { ...changes, CONFORMANCE_CLAIMS: 'user scopes' } });
  const statement = makeStatement(report, { 'journal.ndjson': '0'.repeat(64), 'report.json': '0'.repeat(64) });
  expect(statement.undecided.map(({ variable }) => variable)).toContain('USER_TOKEN_EXPIRED');
  const validate = validatorOf('statement');
  expect(validate(statement) ? [] : validate.errors).toEqual([]);
});

test('the baseline of a report is read with its requirements, its globs, and both', async () => {
  const both = { requirement: 'token.expired', cases: 'search/USER/**', reason: 'known', review: '2027-01-31' };
  const { requirement, cases, ...why } = both;
  const baseline = { deviations: [both, { ...why, requirement }], gaps: [{ ...why, cases }], today: '2026-11-21' };
  const report = await reportOf({ baseline });
  expect(report.baseline && baselineIn(contract, report.baseline)).toEqual(baseline);
});
