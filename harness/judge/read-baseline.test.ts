import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isConfigurationError } from '../contract/configuration-error.ts';
import { casesAt, contract } from '../testing/small-world.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readBaseline } from './read-baseline.ts';

const folder = temporaryFolder(afterAll);
const file = join(folder, 'baseline.yaml');

function read(text: string) {
  writeFileSync(file, text);
  return readBaseline({ contract, casesAt, checks: ['isolation'] }, file, '2026-11-21');
}
function problem(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (isConfigurationError(error)) return error.message;
    throw error;
  }
  return 'none';
}
const one = (lines: string) => `deviations:\n  - ${lines}\n`;
const REST = 'reason: known since May\n    review: 2027-01-31';

describe('a baseline file', () => {
  test('lists requirements, cases of any depth and checks, each with a reason and a review date', () => {
    const text = `deviations:
  - requirement: token.expired
    ${REST}
  - cases: '*/OKTA/valid/all/act-as:existing/**/header-case:upper'
    ${REST}
gaps:
  - cases: isolation/search/USER
    ${REST}
`;
    expect(read(text)).toMatchObject({
      deviations: [{ requirement: 'token.expired', review: '2027-01-31' }, { cases: expect.any(String) }],
      gaps: [{ cases: 'isolation/search/USER', reason: 'known since May' }],
      today: '2026-11-21',
    });
  });

  test.each(['2026-11-21', '2026-12-21'])('may leave a reason to be filled in by %s', (review) => {
    const text = one(`requirement: token.expired\n    reason: to fill in\n    review: ${review}`);
    expect(read(text).deviations).toHaveLength(1);
  });

  test('may list only deviations, or only gaps', () => {
    const entry = { requirement: 'token.expired', reason: 'known since May', review: '2027-01-31' };
    const list = `  - requirement: token.expired\n    ${REST}\n`;
    expect(read(`deviations:\n${list}`)).toMatchObject({ deviations: [entry], gaps: [] });
    expect(read(`gaps:\n${list}`)).toMatchObject({ deviations: [], gaps: [entry] });
  });

  test.each(['isolation/any/USER', 'isolation/chat/any', 'isolation/any/any', 'isolation/mcp-tools-call/USER'])(
    'may list %s',
    (cases) => {
      expect(read(one(`cases: ${cases}\n    ${REST}`)).deviations).toHaveLength(1);
    },
  );

  test.each([
    [
      'an unknown requirement',
      one(`requirement: token.expird\n    ${REST}`),
      /\/deviations\/0: token\.expird is not a requirement.*did you mean token\.expired\?/,
    ],
    [
      'an unknown requirement among the gaps',
      `gaps:\n  - requirement: token.expird\n    ${REST}\n`,
      /\/gaps\/0: token\.expird is not a requirement/,
    ],
    ['an excluded requirement', one(`requirement: families.mcp\n    ${REST}`), /families\.mcp cannot be tested/],
    [
      'a glob that matches nothing',
      one(`cases: search/USR/**\n    ${REST}`),
      /search\/USR\/\*\* matches no case and no check at any depth.*; did you mean USER\?/,
    ],
    ['an unknown check', one(`cases: isolatoin\n    ${REST}`), /did you mean isolation\?/],
    ['no reason', one('requirement: token.expired\n    review: 2027-01-31'), /\/deviations\/0 lacks "reason"/],
    ['no review', one('requirement: token.expired\n    reason: known since May'), /lacks "review"/],
    [
      'a review date that does not exist',
      one('requirement: token.expired\n    reason: known\n    review: 2027-02-30'),
      /review is 2027-02-30, which is not a date/,
    ],
    [
      'a review date in another format',
      one('requirement: token.expired\n    reason: known\n    review: 31.1.2027'),
      /\/review is "31\.1\.2027", wanted a text such as 2027-01-31/,
    ],
    [
      'no reason for more than 30 days',
      one('requirement: token.expired\n    reason: to fill in\n    review: 2026-12-22'),
      /without a reason, review must be 2026-12-21 or earlier, not 2026-12-22/,
    ],
    [
      'no reason after its review date',
      one('requirement: token.expired\n    reason: to fill in\n    review: 2026-11-20'),
      /the reason was to be filled in by 2026-11-20/,
    ],
    ['neither a requirement nor cases', one(REST), /^\S+: line 2: \/deviations\/0 must have requirement or cases$/],
    [
      'a misspelt key that is needed, in one line',
      one(`requirment: token.expired\n    ${REST}`),
      /^\S+: line 2: \/deviations\/0 has the unknown key "requirment"; did you mean requirement\?$/,
    ],
    [
      'a misspelt reason, in one line',
      one('requirement: token.expired\n    reson: known since May\n    review: 2027-01-31'),
      /^\S+: line 3: \/deviations\/0 has the unknown key "reson"; did you mean reason\?$/,
    ],
    [
      'a misspelt key',
      one(`requirements: token.expired\n    ${REST}`),
      /unknown key "requirements"; did you mean requirement\?/,
    ],
    [
      'a misspelt list',
      `deviation:\n  - requirement: token.expired\n    ${REST}\n`,
      /unknown key "deviation"; did you mean deviations\?/,
    ],
    ['no content', '', /the file is empty, wanted keys with values/],
    ['invalid YAML', 'a: [', /baseline\.yaml: /],
  ])('is refused with %s', (_what, text, message) => {
    expect(problem(text)).toMatch(message);
  });

  test('is refused if it cannot be read', () => {
    const missing = join(folder, 'none.yaml');
    expect(() => readBaseline({ contract, casesAt, checks: [] }, missing, '2026-11-21')).toThrow(
      /cannot read .*none\.yaml \(no such file or folder, ENOENT\)/,
    );
  });
});

test.each(['[', '{a: ', '- ', '? ', '!!seq [', '&a ['])('a baseline of 50,000 %s is nested too deeply', (opened) => {
  expect(problem(opened.repeat(50_000))).toMatch(/line 1: the document is nested too deeply; write it out$/);
});

test('a baseline that is indented line by line is nested too deeply', () => {
  const lines = Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth)}a:`);
  expect(problem(lines.join('\n'))).toMatch(/nested too deeply/);
});

test('a baseline of more globs, or longer ones, than a person writes is refused before they are compared', () => {
  const entries = (count: number, glob: string) => `deviations:${`\n  - cases: '${glob}'\n    ${REST}`.repeat(count)}`;
  expect(problem(entries(1001, 'isolation'))).toMatch(/is a list, wanted a list of at most 1000/);
  expect(problem(entries(13, `{${'a,'.repeat(79)}a}`))).toMatch(/stand for 1040 alternatives, and at most 1000 are/);
  expect(problem(entries(1, '*'.repeat(201)))).toMatch(/has more than 200 characters/);
});
