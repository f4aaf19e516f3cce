import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import type { Exchange } from './exchange.ts';
import { noJournal, openJournal, readJournal } from './journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'journal.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (seq: number): Exchange => ({
  type: 'exchange',
  seq,
  case: 'search/USER',
  role: 'cell',
  credential: '$USER_TOKEN',
  observation: { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' },
});

function write(count: number): void {
  const journal = openJournal(folder);
  for (let seq = 1; seq <= count; seq += 1) journal.append(entry(seq));
  journal.close();
}

describe('a journal', () => {
  test('reads back what was written', () => {
    write(3);
    expect(readJournal(file)).toEqual([entry(1), entry(2), entry(3)]);
  });

  test('has every entry on disk when the turn is over in which it came, before it is closed', async () => {
    const journal = openJournal(folder);
    journal.append(entry(1));
    await setImmediate();
    expect(readJournal(file)).toEqual([entry(1)]);
    journal.close();
  });

  test('begins anew in a folder that is made where it is missing', () => {
    write(2);
    write(1);
    expect(readJournal(file)).toHaveLength(1);
    const deeper = join(folder, 'a', 'b');
    openJournal(deeper).close();
    expect(readJournal(join(deeper, 'journal.ndjson'))).toEqual([]);
  });

  test('takes nothing more once it is closed', () => {
    const journal = openJournal(folder);
    journal.close();
    journal.close();
    journal.append(entry(1));
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('passes over a last line that a kill cut off, wherever it cut', () => {
    write(2);
    const length = readFileSync(file, 'utf8').length;
    const first = readFileSync(file, 'utf8').indexOf('\n') + 1;
    for (let cut = length - 2; cut > first; cut -= 7) {
      truncateSync(file, cut);
      expect(readJournal(file)).toEqual([entry(1)]);
    }
  });

  test.each([
    ['in the middle', (lines: string[]) => [lines[0], 'damage', lines[1], ''], 2],
    ['in a last line that was written to its end', (lines: string[]) => [lines[0], lines[1], '{"type":', ''], 3],
  ])('names damage %s by its line', (_where, damage, line) => {
    write(2);
    writeFileSync(file, damage(readFileSync(file, 'utf8').split('\n')).join('\n'));
    expect(() => readJournal(file)).toThrow(`${file}: line ${line} is not JSON`);
  });

  test.each([
    ['null', 'null'],
    ['a number', '7'],
    ['an entry of no type', '{"seq":1}'],
    ['an entry of another type', '{"type":"constructor"}'],
    ['an exchange without its observation', JSON.stringify({ ...entry(2), observation: undefined })],
    ['an exchange whose observation is null', JSON.stringify({ ...entry(2), observation: null })],
  ])('is refused where a line is %s, by its line', (_what, line) => {
    writeFileSync(file, `${JSON.stringify(entry(1))}\n${line}\n`);
    expect(() => readJournal(file)).toThrow(`${file}: line 2 is no entry of a journal`);
  });

  test.each([
    ['that is missing', () => join(folder, 'none.ndjson'), /ENOENT/],
    ['that is a folder', () => folder, /EISDIR/],
  ])('%s is a configuration error', (_what, place, code) => {
    try {
      readJournal(place());
      expect.unreachable();
    } catch (error) {
      expect(isConfigurationError(error)).toBe(true);
      expect(String(error)).toMatch(code);
    }
  });

  test('that cannot be written is a configuration error that names the variable', () => {
    writeFileSync(join(folder, 'file'), '');
    try {
      openJournal(join(folder, 'file', 'report'));
      expect.unreachable();
    } catch (error) {
      expect(isConfigurationError(error)).toBe(true);
      expect(String(error)).toMatch(/ENOTDIR.*CONFORMANCE_REPORT_DIR/);
    }
  });

  test('on a full disk says so once, keeps what is in it and takes no more', async () => {
    const fullDisk = () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    const reasons: string[] = [];
    const journal = openJournal(folder, (reason) => reasons.push(reason), fullDisk);
    journal.append(entry(1));
    await setImmediate();
    journal.append(entry(2));
    journal.close();
    expect(reasons).toEqual([expect.stringMatching(/^cannot go on writing .*journal\.ndjson \(ENOSPC\)/)]);
    const unheard = openJournal(folder, undefined, fullDisk);
    unheard.append(entry(1));
    expect(() => unheard.close()).toThrow(/ENOSPC/);
  });

  test('of a second run in the same folder takes its place, and the first does not write into it', () => {
    const first = openJournal(folder);
    const second = openJournal(folder);
    first.append(entry(1));
    second.append(entry(2));
    expect([first.isInPlace(), second.isInPlace()]).toEqual([false, true]);
    first.close();
    second.close();
    expect(readJournal(file)).toEqual([entry(2)]);
  });

  test('keeps line breaks of a text inside its line', () => {
    const journal = openJournal(folder);
    const odd: Exchange = { ...entry(1), case: 'a\nb\u2028c' };
    journal.append(odd);
    journal.close();
    appendFileSync(file, '\n');
    expect(readJournal(file)).toEqual([odd]);
  });

  test('may keep nothing', () => {
    expect(() => {
      noJournal.append(entry(1));
      noJournal.close();
    }).not.toThrow();
  });
});
