import { expect, test } from 'vitest';
import { escapeMarkup } from '../render/page/html.ts';
import { contract } from '../testing/contract.ts';
import { reportOf } from '../testing/report.ts';
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
  const cause = { id: 'F1', verdict: 'fail', requirements: ['x'], where: 'everywhere', got: '200', listed: false };
  const statement = makeStatement(report, { 'journal.ndjson': '', 'report.json': '' });
  const page = renderStatement({ ...statement, causes: [{ ...cause, text: longest ?? '' }] });
  for (const sentence of [longest ?? '', ...report.freedoms.map(({ choice }) => choice)])
    expect(page).toContain(escapeMarkup(sentence));
});
