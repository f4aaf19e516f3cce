import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type HistoryRun, historyRun, withRun } from '../report/history.ts';
import { historyJson, readHistory } from '../report/read-reports.ts';
import { daysLater } from '../testing/history.ts';
import { reportOf } from '../testing/report.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { carryHistory, readOrSetAside, writeHistory } from './write-reports.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const report = await reportOf();
const run = historyRun(report);
const file = () => join(folder, 'history.json');
const VALID = historyJson([run]);
/** The file without one key. */
const lacking = (key: keyof HistoryRun) => VALID.replace(`"${key}":`, '"other":');

describe('history.json', () => {
  test('is written and read again, a line for each run, for its owner alone', () => {
    const runs = [daysLater(run, -1), run];
    writeHistory(folder, runs);
    expect(readHistory(folder)).toEqual(runs);
    expect(readFileSync(file(), 'utf8').split('\n')).toHaveLength(runs.length + 3);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['history.json']);
  });

  test('is not there before the first run', () => {
    expect(readOrSetAside(folder)).toEqual({ runs: [] });
  });

  test('keeps what a later version wrote beside the facts that this one knows', () => {
    const later = { ...run, rating: 'A' };
    writeHistory(folder, [later]);
    expect(withRun(readHistory(folder), report)).toHaveLength(1);
    writeHistory(folder, withRun(readHistory(folder), { ...report, run: 'other' }));
    expect(readFileSync(file(), 'utf8')).toContain('"rating":"A"');
  });

  test.each<[string, string, RegExp]>([
    ['is damaged', VALID.slice(0, -9), /history\.json is not JSON, and no history of runs; it is kept as /],
    [
      'belongs to another program',
      '[{"uid":"allure"}]',
      /history\.json is not a history of runs: the file is a list, wanted keys with values; /,
    ],
    ['lacks something', lacking('ending'), /is not a history of runs: \/runs\/0 lacks "ending"; /],
    [
      'has another form',
      VALID.replace('"historyVersion":1', '"historyVersion":2'),
      /\/historyVersion is 2, wanted 1; /,
    ],
    [
      'has a date that is none',
      VALID.replace(run.startedAt, 'soon'),
      /startedAt is "soon", wanted a text such as 2026-/,
    ],
    ['is empty', '', /is not JSON/],
  ])('that %s is set aside as it is, and a new one begins', (_what, text, notice) => {
    writeFileSync(file(), text);
    const known = readOrSetAside(folder);
    expect(known.runs).toEqual([]);
    expect(known.notice).toMatch(notice);
    expect(known.notice).toMatch(/history\.unreadable\.json, and a new history begins$/);
    expect(readFileSync(join(folder, 'history.unreadable.json'), 'utf8')).toBe(text);
    expect(existsSync(file())).toBe(false);
  });

  test('that is much too large is set aside unread', () => {
    writeFileSync(file(), '');
    truncateSync(file(), 9 * 1024 * 1024);
    expect(readOrSetAside(folder).notice).toMatch(/cannot read .*history\.json \(longer than \d+ bytes\)/);
  });

  test('never replaces another one that was set aside', () => {
    for (const text of ['first', 'second', 'third']) {
      writeFileSync(file(), text);
      readOrSetAside(folder);
    }
    const names = ['history.unreadable.json', 'history.unreadable-2.json', 'history.unreadable-3.json'];
    expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['first', 'second', 'third']);
  });

  test('stays whole if a run is killed while it writes', () => {
    writeHistory(folder, [run]);
    writeFileSync(`${file()}.new`, VALID.slice(0, 40));
    expect(readHistory(folder)).toEqual([run]);
    writeHistory(folder, [daysLater(run, 1)]);
    expect(readdirSync(folder)).toEqual(['history.json']);
  });

  test('stays as it was if the new one cannot be written', () => {
    writeHistory(folder, [run]);
    mkdirSync(join(`${file()}.new`, 'in the way'), { recursive: true });
    expect(() => writeHistory(folder, [daysLater(run, 1)])).toThrow(/cannot write .*history\.json \(\w+\)/);
    expect(readHistory(folder)).toEqual([run]);
  });

  test('is never read or written through a symbolic link', () => {
    writeFileSync(join(folder, 'elsewhere'), VALID);
    symlinkSync(join(folder, 'elsewhere'), file());
    expect(() => readOrSetAside(folder)).toThrow(/history\.json is a symbolic link/);
    expect(() => writeHistory(folder, [run, daysLater(run, 1)])).toThrow(/history\.json is a symbolic link/);
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe(VALID);
  });
});

describe('the history of several folders', () => {
  const inFolder = (name: string, runs: readonly HistoryRun[]) => {
    mkdirSync(join(folder, name));
    writeHistory(join(folder, name), runs);
    return join(folder, name);
  };

  test('is joined in the folder of the merged run, each run once', () => {
    const [one, two, three] = [run, daysLater(run, 1), daysLater(run, 2)];
    const out = inFolder('out', [one]);
    expect(carryHistory([inFolder('a', [one, three]), inFolder('b', [two]), inFolder('c', [])], out)).toEqual([]);
    expect(readHistory(out)).toEqual([one, two, three]);
  });

  test('leaves out what cannot be read, says so, and touches no shard', () => {
    const [broken, out] = [inFolder('broken', []), inFolder('out', [run])];
    writeFileSync(join(broken, 'history.json'), '{');
    expect(carryHistory([broken], out)).toEqual([
      expect.stringMatching(/broken\/history\.json is not JSON.*; its runs are left out$/),
    ]);
    expect(readFileSync(join(broken, 'history.json'), 'utf8')).toBe('{');
    expect(readHistory(out)).toEqual([run]);
  });
});
