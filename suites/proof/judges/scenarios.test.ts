import { expect, test } from 'vitest';
import { problemOf, serverScenarios } from './scenarios.ts';

test.each([
  ['a scenario that passes', 'ping', [], undefined],
  ['a scenario that did not run', 'ping', undefined, undefined],
  ['a failure', 'ping', ['ping'], 'ping fails: ping'],
  ['a known failure', 'caching', [...exceptions()], undefined],
  ['another failure beside known ones', 'caching', [...exceptions(), 'other'], 'caching fails: other'],
  ['a known failure that is gone', 'caching', exceptions().slice(1), /^caching now passes .*; no longer except it$/],
  ['a scenario that is left out', 'prompts-list', ['prompts-list'], undefined],
  ['one that is left out and passes', 'prompts-list', [], 'prompts-list now passes; no longer leave it out'],
  ['an unknown one', 'new-scenario', [], 'new-scenario is not in the list of scenarios; add it'],
])('%s', (_what, scenario, failed, problem) => {
  const found = problemOf(scenario, failed);
  if (problem instanceof RegExp) expect(found).toMatch(problem);
  else expect(found).toBe(problem);
});

function exceptions(): readonly string[] {
  const { caching } = serverScenarios;
  return caching?.kind === 'passes except' ? caching.checks : [];
}
