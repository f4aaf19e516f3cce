import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import { specsFolder } from '../contract/package-files.ts';
import { BASELINE, hostileReport, reportOf } from '../testing/report.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { writeReports } from './write-reports.ts';

const folder = temporaryFolder(afterAll);

describe('the reports of a run', () => {
  test('are report.html, report.json and junit.xml, in this order', async () => {
    const files = writeReports(folder, await reportOf());
    expect(files.map((file) => basename(file))).toEqual(['report.html', 'report.json', 'junit.xml']);
    expect(files.map((file) => readFileSync(file, 'utf8').slice(0, 9))).toEqual([
      '<!doctype',
      '{\n "repor',
      '<?xml ver',
    ]);
  });

  test('leave a statement about the same report, and remove one about another report', async () => {
    const statements = ['statement.html', 'statement.json'].map((file) => join(folder, file));
    const report = await reportOf();
    writeReports(folder, report);
    for (const file of statements) writeFileSync(file, 'conforms');
    writeReports(folder, report);
    expect(statements.map((file) => existsSync(file))).toEqual([true, true]);
    writeReports(folder, { ...report, exitCode: 1 });
    expect(statements.map((file) => existsSync(file))).toEqual([false, false]);
  });

  test('end in an error that names the journal if they cannot be written', async () => {
    const report = await reportOf();
    expect(() => writeReports(join(folder, 'no where'), report)).toThrow(
      /report\.html \(no such file or folder, ENOENT\): once it can be written, write it again from the journal: npx --no -- client-api-conformance report '.*no where'/,
    );
  });
});

describe('the published schema of report.json', () => {
  const schema: AnySchema = JSON.parse(readFileSync(join(specsFolder, 'schemas', 'report.schema.json'), 'utf8'));
  const validate = addFormats
    .default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }))
    .compile(schema);
  const errors = (value: unknown) => {
    validate(JSON.parse(JSON.stringify(value)));
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  test('accepts the report of a deviating run, with cases, causes, checks and hostile text', async () => {
    const report = await hostileReport({
      changes: { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined },
    });
    expect(report.findings.length).toBeGreaterThan(1);
    expect(report.undecided.length).toBeGreaterThan(0);
    expect(errors(report)).toEqual([]);
  });

  test('accepts the report of a run that conforms except for what the baseline lists', async () => {
    const changes = { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined };
    const report = await hostileReport({ changes, decisions: [], baseline: BASELINE });
    expect([report.ending, report.baseline?.entries.length]).toEqual(['conforms-except', 3]);
    expect(errors(report)).toEqual([]);
  });

  test.each<[string, object]>([
    ['another version', { reportVersion: 2 }],
    ['an unknown field', { secret: 'x' }],
    ['an unknown verdict', { checks: [{ verdict: 'passed' }] }],
    ['a missing field', { target: undefined }],
    ['an incomplete case', { cases: [{ id: 'search/USER', group: '', verdict: 'pass' }] }],
    ['an unknown ending', { ending: 'fine' }],
  ])('refuses %s', async (_what, change) => {
    expect(errors({ ...(await reportOf()), ...change })).not.toEqual([]);
  });
});
