import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { succeed } from '../fixtures/plain/answers.ts';
import { actAsEmail, userEmail } from '../fixtures/plain/people.ts';
import { searchPath } from '../fixtures/plain/request.ts';
import type { PlainOptions } from '../fixtures/plain/target.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
/** A target that shows the documents of one person to another. */
const leaking = () =>
  cli.plain({
    succeed: (request, person) =>
      succeed(request, request.path === searchPath && person === userEmail ? actAsEmail : person),
  });

test('a leak of documents shows its request and where the response proves it, in every output, without private text', async () => {
  const env = await leaking();
  const summary = cli.file('summary.md');
  writeFileSync(summary, '');
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, CONFORMANCE_CLAIMS: 'user' };
  const { code, output } = await cli.run({ ...env, ...github }, ['--depth', 'core', '--only', 'isolation']);
  expect(code).toBe(1);
  const read = (file: string) => cli.text('conformance-report', file);
  const lines = output.split('\n');
  const terminal = lines.filter((line) => !line.startsWith('::')).join('\n');
  const annotation = lines.filter((line) => line.startsWith('::error')).join('\n');
  const outputs = {
    terminal,
    annotation: decodeURIComponent(annotation),
    summary: unescaped(readFileSync(summary, 'utf8')),
    page: unescaped(read('report.html').split('id="data"')[0] ?? ''),
    junit: unescaped(read('junit.xml')),
  };
  const secrets = Object.entries(env).filter(([variable]) => /_TOKEN|_PRIVATE_|_EMAIL/.test(variable));
  for (const [name, text] of Object.entries(outputs)) {
    const missing = PROOF.filter((part) => !text.includes(part));
    const shown = [...secrets.map(([, secret]) => secret), 'Engine notes'].filter((secret) => text.includes(secret));
    expect({ name, missing, shown }).toEqual({ name, missing: [], shown: [] });
  }
  expect(cli.report().findings[0]?.steps.map(({ failed, shows }) => [failed, shows])).toEqual([
    [true, 'search with the USER token does not show $ACT_AS_PRIVATE_MARKER'],
    [false, 'search with the USER token shows $USER_PRIVATE_MARKER'],
  ]);
});

test('a leak beside the own document says what had to be hidden', async () => {
  const both: PlainOptions['succeed'] = (request, person) => {
    const own = succeed(request, person);
    const { results = [], ...rest } = Object(own.body);
    const others = Object(succeed({ ...request, json: { query: '' } }, actAsEmail).body).results;
    return results.length === 0 ? own : { ...own, body: { ...rest, results: [...results, ...others] } };
  };
  const flags = ['--only', 'isolation', '--claims', 'user'];
  await cli.run(await cli.plain({ succeed: both }), flags);
  expect(cli.report().findings.map(({ wanted }) => wanted)).toEqual([
    'search with the USER token shows $USER_PRIVATE_MARKER: accepted, and hides $ACT_AS_PRIVATE_MARKER',
  ]);
});

/** The request, and the part of the response that proves the leak. */
const PROOF = [
  '-H "Authorization: Bearer $USER_TOKEN"',
  '{ACT_AS_PRIVATE_QUERY}\\"}"',
  '{ results: array(1), trackingToken: string(36), requestId: string(36) }',
  '/results/0/title shows <ACT_AS_PRIVATE_MARKER>',
];

/** Text without the character references of markup. */
function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
