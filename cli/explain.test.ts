import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { acceptsExpired, commandLine, refusesExpired } from './testing/command-line.ts';

const cli = commandLine();

test('explain explains a requirement when no variable is set', async () => {
  const { code, output } = await cli.command(['explain', 'token.expired']);
  expect(output).toContain('A token is refused with 401 after its expiry.');
  expect(output).toContain('curl -sS -i "$TARGET_BASE_URL');
  expect(code).toBe(0);
});

test('explain shows what the last run recorded of a case and of a check', async () => {
  const env = await cli.plain(refusesExpired(''));
  await cli.run({ ...env, CONFORMANCE_CLAIMS: 'user' }, ['--only', 'search/USER/**', '--only', 'isolation']);
  const expired = cli.report().findings.find(({ requirements }) => requirements.includes('token.expired'));
  const ofCase = await cli.command(['explain', expired?.example ?? '']);
  expect(ofCase.output).toMatch(/Recorded: [2-9] requests of run \w+ against http/);
  expect(ofCase.output).toMatch(/\d+\. sent to test the case with \$USER_TOKEN_EXPIRED\n +404 after \d+ ms/);
  expect(ofCase.output).toContain('sent again to see whether a wrong answer comes again');
  const ofCheck = await cli.command(['explain', 'isolation/search/USER']);
  expect(ofCheck.output).toContain('pass user.isolation on search/USER: with the USER token, only');
  expect(ofCheck.output).toContain('search with the USER token shows $USER_PRIVATE_MARKER');
  expect((await cli.command(['explain', 'token.expired'])).output).not.toContain('Recorded');
});

test('explain needs no journal, and says if it is damaged', async () => {
  mkdirSync(cli.file('conformance-report'));
  writeFileSync(cli.file('conformance-report', 'journal.ndjson'), 'no journal\n\n');
  const { code, output } = await cli.command(['explain', 'isolation/search/USER']);
  expect(output).toContain('Each person sees their own private document and no other');
  expect(output).toContain('journal.ndjson: line 1 is not JSON');
  expect(code).toBe(0);
});

test('explain takes several ids, and a text of several words', async () => {
  const { code, output } = await cli.command(['explain', 'token.expired', '401']);
  expect(output).toContain('Requirement token.expired');
  expect(output).toContain('Status 401');
  expect(code).toBe(0);
  expect((await cli.command(['explain', 'blank', 'act-as'])).code).toBe(0);
  const unknown = await cli.command(['explain', 'token.expired', 'nothing']);
  expect(unknown.output).toContain('has the id nothing');
  expect(unknown.code).toBe(2);
  expect((await cli.command(['explain', 'blnk', 'act-as'])).output).toContain('has the id blnk');
  expect((await cli.command(['explain', 'blnk', 'act-sa'])).output).toContain('has the id blnk act-sa');
});

describe('explain of a finding', () => {
  test('shows its steps and the text of the specification, from the report folder', async () => {
    const env = await cli.plain(refusesExpired('no such page'));
    const claims = { ...env, CONFORMANCE_CLAIMS: 'user' };
    await cli.run(claims, ['--depth', 'pairwise', '--only', 'search/**', '--report-dir', 'mine']);
    const { code, output } = await cli.command(['explain', 'F1', '--report-dir', 'mine']);
    expect(code).toBe(0);
    for (const part of [
      'Finding F1 fail: token.expired',
      '· the control search/USER/valid/all',
      'Bearer $USER_TOKEN_EXPIRED"',
      '✕ search/USER/expired/',
      '404 after ',
      '| no such page',
      'spec 7 Errors',
      'once a token has expired, the service no longer accepts it',
    ])
      expect(output).toContain(part);
    const ticket = await cli.command(['explain', 'F1', '--markdown', '--report-dir', 'mine']);
    expect(ticket.output).toMatch(/^## token\.expired: [\s\S]*### Reproduce\n\n```sh\ncurl /);
    expect((await cli.command(['explain', 'token.expired', '--markdown'])).code).toBe(2);
  });

  test('needs the report of a run, and a finding in it', async () => {
    const { code, output } = await cli.command(['explain', 'F1']);
    expect(output).toContain('cannot read conformance-report/report.json');
    expect(code).toBe(2);
    mkdirSync(cli.file('other'));
    writeFileSync(cli.file('other', 'report.json'), '{"reportVersion":1}');
    expect((await cli.command(['explain', 'F1', '--report-dir', 'other'])).output).toContain(
      'is not a report of this version',
    );
    await cli.run({ ...(await cli.plain()), CONFORMANCE_CLAIMS: 'user' }, ['--only', 'search/USER/valid/all/**']);
    const missing = await cli.command(['explain', 'F9']);
    expect(missing.output).toMatch(/the report of run \w+ has no finding F9: it has no findings/);
    expect(missing.code).toBe(2);
  });

  test('can be named in any case', async () => {
    const env = await cli.plain(acceptsExpired);
    await cli.run({ ...env, CONFORMANCE_CLAIMS: 'user' }, ['--only', 'search/USER/**']);
    expect((await cli.command(['explain', 'f1'])).output).toMatch(/^Finding F1 fail: token\.expired/);
    expect((await cli.command(['explain', 'F2'])).output).toContain('has no finding F2: it has F1\n');
    expect((await cli.command(['replay', 'f1'], env)).code).toBe(1);
  });
});
