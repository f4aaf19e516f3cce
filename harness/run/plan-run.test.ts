import { describe, expect, test } from 'vitest';
import { readRunId, seedOf } from './plan-run.ts';

const shard = { index: 1, of: 2 };
const underGithub = { GITHUB_RUN_ID: '4711', GITHUB_RUN_ATTEMPT: '2' };

describe('the id of a run', () => {
  test('is that of --run, with or without shards', () => {
    expect(readRunId({ given: 'build-7', shard, environment: underGithub })).toBe('build-7');
    expect(readRunId({ given: 'build-7', shard: undefined, environment: {} })).toBe('build-7');
  });

  test('of a shard follows from the workflow run and its attempt under GitHub Actions', () => {
    expect(readRunId({ given: undefined, shard, environment: underGithub })).toBe('4711-2');
  });

  test('is free for a run without shards', () => {
    expect(readRunId({ given: undefined, shard: undefined, environment: underGithub })).toBeUndefined();
  });

  test.each([{}, { GITHUB_RUN_ID: '4711' }, { GITHUB_RUN_ID: '', GITHUB_RUN_ATTEMPT: '1' }])(
    'is missing for a shard without --run, and the error says what to do: %j',
    (environment) => {
      expect(() => readRunId({ given: undefined, shard, environment })).toThrow(/--shard needs --run ID: .* same ID/);
    },
  );

  test.each(['', ' ', 'a b', '-1', 'a@b', 'a\r\nX: 1', 'x'.repeat(41)])('has no other characters: %j', (given) => {
    expect(() => readRunId({ given, shard, environment: {} })).toThrow(/--run must have/);
  });
});

test('the seed follows from the id, whatever it is', () => {
  expect(seedOf('build-7')).toBe(seedOf('build-7'));
  expect(new Set(['a', 'b', '4711-1', '4711-2'].map(seedOf)).size).toBe(4);
});
