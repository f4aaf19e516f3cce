import { expect, test } from 'vitest';
import { type MutationReport, scoresOf } from './score.ts';

const file = 'harness/judge/a.ts';
const source = 'const a = 1;\n  if (a > 1) return;\n';
const mutant = (status: string, replacement = 'true', line = 2) => ({
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line, column: 7 } },
});
const report = (...mutants: ReturnType<typeof mutant>[]): MutationReport => ({
  files: { [file]: { source, mutants } },
});
const killed = Array.from({ length: 92 }, () => mutant('Killed'));

test('a file that kills 92 % of its mutants is good enough, and its survivors are listed', () => {
  const alive = Array.from({ length: 8 }, () => mutant('Survived'));
  const { files, problems, unexplained } = scoresOf(report(...killed, ...alive), []);
  expect(files).toEqual([{ file, killed: 92, explained: 0, survived: 8, score: 92 }]);
  expect(problems).toEqual([]);
  expect(unexplained).toHaveLength(8);
  expect(unexplained[0]).toBe('harness/judge/a.ts:2:7 ConditionalExpression: if (a > 1) return; -> true');
});

test('a file that kills less is a problem', () => {
  const alive = Array.from({ length: 9 }, () => mutant('Survived'));
  expect(scoresOf(report(...killed, ...alive), []).problems).toEqual([
    'harness/judge/a.ts kills 91.1 % of its mutants, wanted 92 % or more',
  ]);
});

test('mutants without a test count as survivors, and those that end in a timeout as killed', () => {
  const { files, unexplained } = scoresOf(report(mutant('NoCoverage'), mutant('Timeout'), mutant('CompileError')), []);
  expect(files[0]).toMatchObject({ killed: 1, survived: 1, score: 50 });
  expect(unexplained[0]).toMatch(/\(no test runs it\)$/);
});

test('a survivor with a reason does not count', () => {
  const reason = { file, line: 'if (a > 1) return;', replacement: 'true', reason: 'a is always 2' };
  const { files, problems, unexplained } = scoresOf(report(mutant('Survived'), mutant('Killed', 'false')), [reason]);
  expect(files[0]).toMatchObject({ killed: 1, explained: 1, survived: 0, score: 100 });
  expect([...problems, ...unexplained]).toEqual([]);
});

test('a reason that fits no survivor is a problem', () => {
  const reason = { file, line: 'if (a > 1) return;', replacement: 'true', reason: 'a is always 2' };
  expect(scoresOf(report(mutant('Killed')), [reason]).problems).toEqual([
    'suites/proof/mutation/assets/survivors.yaml explains a mutant that was killed or is gone: harness/judge/a.ts: if (a > 1) return;',
  ]);
});

test('a comment that disables a mutant is a problem', () => {
  expect(scoresOf(report(mutant('Ignored')), []).problems[0]).toContain('a comment disables the mutant');
});
