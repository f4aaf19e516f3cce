import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { CAPABILITIES } from '../settings/variables.ts';
import { runRecord } from '../testing/small-world.ts';
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
  test('reads back a run that claims everything', () => {
    const run = runRecord({ claims: { kinds: ['USER'], capabilities: CAPABILITIES, inferred: false } });
    writeFileSync(file, `${JSON.stringify(run)}\n`);
    expect(readJournal(file)).toEqual([run]);
  });

  test('reads back what was written', () => {
    write(3);
    expect(readJournal(file)).toEqual([entry(1), entry(2), entry(3)]);
  });

  test('writes an entry to disk at the end of its turn, before the journal is closed', async () => {
    const journal = openJournal(folder);
    journal.append(entry(1));
    await setImmediate();
    expect(readJournal(file)).toEqual([entry(1)]);
    journal.close();
  });

  test('starts as a new file, and creates its folder if that is missing', () => {
    write(2);
    write(1);
    expect(readJournal(file)).toHaveLength(1);
    const deeper = join(folder, 'a', 'b');
    openJournal(deeper).close();
    expect(readJournal(join(deeper, 'journal.ndjson'))).toEqual([]);
  });

  test('ignores entries after it is closed', () => {
    const journal = openJournal(folder);
    journal.close();
    journal.close();
    journal.append(entry(1));
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('is read without an incomplete last line, wherever it was cut', () => {
    write(2);
    const length = readFileSync(file, 'utf8').length;
    const first = readFileSync(file, 'utf8').indexOf('\n') + 1;
    for (let cut = length - 2; cut > first; cut -= 23) {
      truncateSync(file, cut);
      expect(readJournal(file)).toEqual([entry(1)]);
    }
  });

  test.each([
    ['in the middle', (lines: string[]) => [lines[0], 'damage', lines[1], ''], 2],
    ['in a complete last line', (lines: string[]) => [lines[0], lines[1], '{"type":', ''], 3],
  ])('is refused for damage %s, with the line', (_where, damage, line) => {
    write(2);
    writeFileSync(file, damage(readFileSync(file, 'utf8').split('\n')).join('\n'));
    expect(() => readJournal(file)).toThrow(`${file}: line ${line} is not JSON`);
  });

  test.each([
    ['null', 'null'],
    ['a number', '7'],
    ['an entry without a type', '{"seq":1}'],
    ['an entry of an unknown type', '{"type":"constructor"}'],
    ['an exchange without its observation', JSON.stringify({ ...entry(2), observation: undefined })],
    ['an exchange whose observation is null', JSON.stringify({ ...entry(2), observation: null })],
  ])('is refused if a line is %s, with the line', (_what, line) => {
    writeFileSync(file, `${JSON.stringify(entry(1))}\n${line}\n`);
    expect(() => readJournal(file)).toThrow(`${file}: line 2 is not a journal entry`);
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

  test('reports a full disk once, keeps its content and ignores later entries', async () => {
    const fullDisk = () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    const reasons: string[] = [];
    const journal = openJournal(folder, (reason) => reasons.push(reason), fullDisk);
    journal.append(entry(1));
    await setImmediate();
    journal.append(entry(2));
    journal.close();
    expect(reasons).toEqual([expect.stringMatching(/^cannot write .*journal\.ndjson any more \(ENOSPC\)/)]);
    const withoutListener = openJournal(folder, undefined, fullDisk);
    withoutListener.append(entry(1));
    expect(() => withoutListener.close()).toThrow(/ENOSPC/);
  });

  test('is printable ASCII, whatever a target sends', () => {
    const detail = String.fromCharCode(0x9b, 0x202e, 0x7f, 0x1b, 0x2028, 0xfeff, 0xe4, 0xd83d, 0xde00, 0xd800);
    const journal = openJournal(folder);
    journal.append({ ...entry(1), observation: { kind: 'failure', failure: 'other', detail } });
    journal.close();
    expect(readFileSync(file, 'utf8')).toMatch(/^[ -~]+\n$/);
    expect(readJournal(file)).toMatchObject([{ observation: { detail } }]);
  });

  test('keeps a text with line breaks on one line', () => {
    const journal = openJournal(folder);
    const odd: Exchange = { ...entry(1), case: 'a\nb\u2028c' };
    journal.append(odd);
    journal.close();
    appendFileSync(file, '\n');
    expect(readJournal(file)).toEqual([odd]);
  });

  test('can accept entries without writing them (noJournal)', () => {
    expect(() => {
      noJournal.append(entry(1));
      noJournal.close();
    }).not.toThrow();
  });
});
