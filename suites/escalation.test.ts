import { describe, expect, test } from 'vitest';
import { escalation as deviants } from '../fixtures/deviants/escalation.ts';
import { escalation } from './escalation.ts';
import { isolation } from './isolation.ts';
import { runCheck, runOnPlain, tokens } from './one-check.test.setup.ts';

describe('however the acting user is written', () => {
  test('a right target shows no more than one person may see, to every kind of token on both operations', async () => {
    const { decisions } = await runOnPlain(escalation);
    expect(decisions.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 14 }, () => 'pass'));
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test('nothing is sent where no private document is known', async () => {
    const { USER_PRIVATE_QUERY: _query, USER_PRIVATE_MARKER: _marker, ...env } = tokens.env;
    const { decisions, requests } = await runCheck(escalation, {
      env: { TARGET_BASE_URL: 'http://127.0.0.1:9', ...env },
    });
    expect({ decisions, requests }).toEqual({ decisions: [], requests: 0 });
  });

  test.for(deviants.flatMap((deviant) => (deviant.base === 'plain' ? [deviant] : [])))(
    '$id is seen in what it answers, and was not before',
    async ({ replace, breaks }) => {
      const options = () => replace(() => {}, tokens.env);
      const blamed = async (check: typeof escalation) =>
        (await runOnPlain(check, options())).decisions.flatMap(({ verdict, requirement }) =>
          verdict === 'fail' ? [requirement] : [],
        );
      expect(new Set(await blamed(escalation))).toEqual(new Set([breaks]));
      expect(await blamed(isolation)).toEqual([]);
    },
  );
});
