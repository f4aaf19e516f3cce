import { describe, expect, test } from 'vitest';
import { succeedingAt } from '../../fixtures/deviants/build.ts';
import { searchPath } from '../../fixtures/plain/request.ts';
import { runOnPlain } from '../testing/one-check.ts';
import { keptAnswers } from './kept-answers.ts';

const decisionsOn = async (...given: Parameters<typeof runOnPlain>) => (await runOnPlain(...given)).decisions;

describe('what a target keeps of a search', () => {
  test('is hidden where no path shows it', async () => {
    const decisions = await decisionsOn(keptAnswers);
    expect(decisions.map(({ requirement, kind, verdict }) => `${requirement} ${kind} ${verdict}`)).toEqual([
      'act-as.effective GLOBAL pass',
      'authorization.required none pass',
      'user.isolation USER pass',
      'authorization.required none pass',
    ]);
  });

  test('was not looked for where no answer names it', async () => {
    const nameless = succeedingAt(searchPath, (answer) => ({ ...answer, body: { results: answer.body['results'] } }));
    const decisions = await decisionsOn(keptAnswers, nameless);
    expect(new Set(decisions.map(({ verdict, untried }) => `${verdict} ${untried}`))).toEqual(
      new Set(['observed true']),
    );
  });
});
