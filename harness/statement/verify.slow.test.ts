import { describe, expect, test } from 'vitest';
import type { Baseline } from '../judge/baseline.ts';
import {
  check,
  conforming,
  deviating,
  ended,
  handedOver,
  problemsOf,
  record,
  right,
  withJournal,
  withStatement,
  wrong,
} from '../testing/handed-over.ts';
import { renderStatement } from './statement-page.ts';
import { outcomeOf } from './terminal-verification.ts';
import type { Received } from './verify.ts';

describe('verify', () => {
  test.each([
    ['conforms', conforming, 'conforms'],
    ['deviates', deviating, 'deviates'],
  ])('finds nothing wrong with the statement of a run that %s', (_how, received, ending) => {
    expect(problemsOf(received)).toEqual([]);
    expect(outcomeOf(check(received))).toBe('holds');
    expect(received.found.statement.ending).toBe(ending);
  });

  test('finds nothing wrong with the statement of a run that was killed', () => {
    const killed = handedOver([record, ...right.slice(0, 100)]);
    expect(problemsOf(killed)).toEqual([]);
    expect(killed.found.statement).toMatchObject({ ending: 'inconclusive', stopped: 'the run was killed' });
  });

  test.each<[string, Received, RegExp]>([
    [
      'a verdict in statement.json',
      withStatement(deviating, { ending: 'conforms' }),
      /^statement\.json: line \d+: \/ending is "conforms" and must be "deviates"$/,
    ],
    [
      'a requirement in statement.json',
      withStatement(deviating, {
        requirements: { ...deviating.found.statement.requirements, fail: [] },
      }),
      /^statement\.json: line \d+: \/requirements\/fail\/0 is missing and must be "token\.expired"$/,
    ],
    [
      'a claim in statement.json',
      withStatement(conforming, { claims: { ...conforming.found.statement.claims, kinds: ['USER'] } }),
      /^statement\.json: \/claims\/kinds\/1 is missing and must be "GLOBAL", as in line 1 of journal\.ndjson$/,
    ],
    [
      'the contract in statement.json',
      withStatement(conforming, { contract: '0123456789abcdef' }),
      /^statement\.json: \/contract is "0123456789abcdef" and must be "[0-9a-f]{16}", as in line 1/,
    ],
    [
      'the version in statement.json',
      withStatement(conforming, { suite: '0.0.9' }),
      /^statement\.json: \/suite is "0\.0\.9" and must be/,
    ],
    [
      'a baseline in statement.json',
      withStatement(deviating, { baseline: { today: '2026-11-22', entries: [] } }),
      /^statement\.json: line \d+: \/baseline is \{.*\} and must be null$/,
    ],
    [
      'report.json',
      { ...deviating, reportText: deviating.reportText.replace('"ending": "deviates"', '"ending": "conforms"') },
      /^report\.json: line \d+: \/ending is "conforms" and must be "deviates"$/,
    ],
    [
      'a page',
      { ...deviating, pages: new Map([['statement.html', renderStatement(conforming.found.statement)]]) },
      /^statement\.html: line \d+ is not what the journal gives$/,
    ],
    [
      'what history.json says of the run',
      { ...deviating, history: deviating.history?.map((run) => ({ ...run, ending: 'conforms' as const })) ?? [] },
      /^history\.json: in run .*, \/ending is "conforms" and must be "deviates"$/,
    ],
    [
      'the layout of statement.json',
      { ...conforming, found: { ...conforming.found, text: ` ${conforming.found.text}` } },
      /^statement\.json: line 1: is not written as the suite writes it$/,
    ],
    [
      'statement.json into YAML',
      { ...conforming, found: { ...conforming.found, text: '{ suite: 0.1.0 }' } },
      /^statement\.json: line 1: \/ is missing and must be/,
    ],
    [
      'an answer in the journal',
      withJournal(deviating, ended(record, ...right)),
      /^report\.json: line \d+: .* and must be /,
    ],
    [
      'the hash of the journal',
      { ...conforming, hashes: { ...conforming.hashes, 'journal.ndjson': 'c'.repeat(64) } },
      /^journal\.ndjson: its SHA-256 is c{64}, and statement\.json says [0-9a-f]{64}$/,
    ],
  ])('finds that somebody changed %s', (_what, received, problem) => {
    expect(problemsOf(received)).toContainEqual(expect.stringMatching(problem));
    expect(outcomeOf(check(received))).toBe('does not hold');
  });

  test('says how the run ends without its baseline', () => {
    const baseline: Baseline = {
      deviations: [{ requirement: 'token.expired', reason: 'the gateway', review: '2027-01-31' }],
      gaps: [{ cases: '*/GLOBAL/expired/**', reason: 'none can be made', review: '2027-01-31' }],
      today: '2026-11-22',
    };
    const received = handedOver(ended(record, ...wrong), baseline);
    expect(problemsOf(received)).toEqual([]);
    expect(received.found.statement.ending).toBe('conforms-except');
    expect(check(received).withoutBaseline).toBe('deviates');
    expect(check(deviating).withoutBaseline).toBeUndefined();
  });
});
