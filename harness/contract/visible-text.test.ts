import { describe, expect, test } from 'vitest';
import { shellWord, visible, visibleLines } from './visible-text.ts';

describe.each([
  ['a text', visible],
  ['what goes to a terminal', visibleLines],
])('%s', (_what, show) => {
  test.each([
    'a: ##vso[task.setvariable variable=PATH]/tmp',
    "##teamcity[publishArtifacts '/home']",
    '##[set-output name=a]b',
    '###VSO[task.uploadfile]/etc/passwd',
  ])('contains no command for a CI server: %s', (text) => {
    expect(show(text)).not.toMatch(/##[a-z]*\[/i);
    expect(show(text).replaceAll('\\u{23}', '#')).toBe(text);
  });

  test.each(['# A heading', '## Two', 'a # b', 'C#[1]', '## [x]'])('shows %s as it is', (text) => {
    expect(show(text)).toBe(text);
  });

  test('shows what controls a terminal as an escape', () => {
    expect(show('\u001b[2J\u001b[7mx\u009b31m\u{e0041}')).toBe('\\u{1b}[2J\\u{1b}[7mx\\u{9b}31m\\u{e0041}');
  });
});

test('only what goes to a terminal has our colours and lines', () => {
  expect(visibleLines('\u001b[31mred\u001b[39m\n')).toBe('\u001b[31mred\u001b[39m\n');
  expect(visible('\u001b[31mred\n')).toBe('\\u{1b}[31mred\\u{a}');
});

test.each([
  ['/tmp/a-folder', '/tmp/a-folder'],
  ['', "''"],
  ['a folder', "'a folder'"],
  ["it's $HOME", "'it'\\''s $HOME'"],
  ['~/a;b', "'~/a;b'"],
])('%j is one word of a shell', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
