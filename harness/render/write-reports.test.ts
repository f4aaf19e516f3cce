import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import { specsFolder } from '../contract/yaml-file.ts';
import { BASELINE, hostileReport, reportOf } from '../testing/report.ts';
import { writeReports } from './write-reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'reports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the reports of a run', () => {
  test('are written as page, data and JUnit, the page first', async () => {
    const files = writeReports(folder, await reportOf());
    expect(files.map((file) => basename(file))).toEqual(['report.html', 'report.json', 'junit.xml']);
    expect(files.map((file) => readFileSync(file, 'utf8').slice(0, 9))).toEqual([
      '<!doctype',
      '{\n "repor',
      '<?xml ver',
    ]);
  });

  test('that cannot be written end in an error that says where everything is all the same', async () => {
    const report = await reportOf();
    expect(() => writeReports(join(folder, 'nowhere'), report)).toThrow(
      /cannot write .*report\.html \(ENOENT\); everything that was decided is in the journal/,
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

  test('accepts the report of a run that deviates, with cases, causes, checks and hostile text', async () => {
    const report = await hostileReport({
      changes: { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined },
    });
    expect(report.findings.length).toBeGreaterThan(1);
    expect(report.undecided.length).toBeGreaterThan(0);
    expect(errors(report)).toEqual([]);
  });

  test('accepts the report of a run that conforms but for what a baseline lists', async () => {
    const changes = { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined };
    const report = await hostileReport({ changes, decisions: [], baseline: BASELINE });
    expect([report.ending, report.baseline?.entries.length]).toEqual(['conforms-except', 3]);
    expect(errors(report)).toEqual([]);
  });

  test.each<[string, object]>([
    ['another version', { reportVersion: 2 }],
    ['a field that it does not know', { secret: 'x' }],
    ['a verdict that does not exist', { checks: [{ verdict: 'passed' }] }],
    ['a field that is missing', { target: undefined }],
    ['a case that is not one', { cases: [{ id: 'search/USER', group: '', verdict: 'pass' }] }],
    ['an unknown ending', { ending: 'fine' }],
  ])('refuses %s', async (_what, change) => {
    expect(errors({ ...(await reportOf()), ...change })).not.toEqual([]);
  });
});
