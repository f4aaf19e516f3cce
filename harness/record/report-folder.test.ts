import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { openJournal } from './journal.ts';
import { makePrivateFolder, writePrivate } from './report-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a file of a report', () => {
  test('can be read by its owner only, also where an older one could be read by all', () => {
    const file = join(folder, 'report.json');
    writeFileSync(file, 'old', { mode: 0o644 });
    writePrivate(file, 'new');
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', '600']);
  });

  test.each(['an existing file', 'no file'])('is never written through a symbolic link to %s', (to) => {
    const [file, elsewhere] = [join(folder, 'report.json'), join(folder, 'elsewhere')];
    if (to === 'an existing file') writeFileSync(elsewhere, 'precious');
    symlinkSync(elsewhere, file);
    const error = errorOf(() => writePrivate(file, 'new'));
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toMatch(/report\.json is a symbolic link, .*; remove it/);
    expect(statSync(elsewhere, { throwIfNoEntry: false }) && readFileSync(elsewhere, 'utf8')).toBe(
      to === 'an existing file' ? 'precious' : undefined,
    );
  });

  test('does not change what a hard link leads to', () => {
    const [file, elsewhere] = [join(folder, 'report.json'), join(folder, 'elsewhere')];
    writeFileSync(elsewhere, 'precious');
    linkSync(elsewhere, file);
    writePrivate(file, 'new');
    expect([readFileSync(elsewhere, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['precious', 'new']);
  });
});

describe('a report folder', () => {
  test('can be entered by its owner only', () => {
    makePrivateFolder(join(folder, 'a', 'report'));
    expect(modeOf(join(folder, 'a', 'report'))).toBe('700');
  });

  test.each([
    'journal.ndjson',
    'journal.earlier.ndjson',
    'running.json',
    'report.html',
    'report.json',
    'report.json.new',
    'junit.xml',
  ])('in which a folder is called %s is refused by that name, before anything is written', (name) => {
    mkdirSync(join(folder, name));
    const error = errorOf(() => openJournal(folder));
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toContain(
      `${name} is no file, and a run writes one there; move it away, or name another folder`,
    );
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('that somebody changes during a run does not end it: what is not tidied up is left for the next run', () => {
    writeFileSync(join(folder, 'journal.ndjson'), '');
    const journal = openJournal(folder);
    for (const name of ['journal.ndjson', 'running.json']) {
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
    }
    expect(errorOf(() => journal.withdraw())).toBeUndefined();
  });

  test('keeps its permissions if it exists', () => {
    mkdirSync(join(folder, 'shared'));
    const before = modeOf(join(folder, 'shared'));
    makePrivateFolder(join(folder, 'shared'));
    expect(modeOf(join(folder, 'shared'))).toBe(before);
  });

  test.each(['the folder', 'the journal'])('is refused if %s is a symbolic link', (which) => {
    const report = join(folder, 'report');
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    if (which === 'the folder') symlinkSync(elsewhere, report);
    else {
      mkdirSync(report);
      symlinkSync(join(elsewhere, 'file'), join(report, 'journal.ndjson'));
    }
    const error = errorOf(() => openJournal(report));
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toContain('is a symbolic link');
    expect(statSync(join(elsewhere, 'journal.ndjson'), { throwIfNoEntry: false })).toBeUndefined();
  });
});
