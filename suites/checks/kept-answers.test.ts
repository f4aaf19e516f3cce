import { describe, expect, test } from 'vitest';
import { succeedingAt } from '../../fixtures/deviants/build.ts';
import { jsonReply } from '../../fixtures/plain/answers.ts';
import { peopleEnv } from '../../fixtures/plain/people.ts';
import { searchPath } from '../../fixtures/plain/request.ts';
import { answering, runOnPlain, shownOnPlain } from '../testing/one-check.ts';
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

  test('is asked for by what may be a secret, and that is shown nowhere', async () => {
    const token = 'a-session-of-this-search-81734';
    const kept = succeedingAt(searchPath, (answer) => ({
      ...answer,
      body: { ...answer.body, requestId: undefined, sessionId: token },
    }));
    const serving = answering(
      ({ path, method }) => method === 'GET' && path.endsWith(token),
      () => jsonReply({ status: 200, body: peopleEnv }),
    );
    const decisions = await shownOnPlain(keptAnswers, { ...kept, ...serving });
    expect(decisions.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(0);
    expect(JSON.stringify(decisions)).not.toContain(token);
  });
});
