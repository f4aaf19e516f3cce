import { beforeAll, describe, expect, test } from 'vitest';
import { everyVariable } from '../../harness/preview/made-up-values.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, catalogue, contract } from '../../harness/testing/contract.ts';
import { checks } from '../testing/checks.ts';
import { runOnUniform, targetWithout, uniformTable, uniformTargets } from './uniform-targets.ts';

const settings = readSettings(catalogue, {
  environment: {
    ...everyVariable(catalogue),
    CONFORMANCE_CLAIMS: `${catalogue.kinds.join(' ').toLowerCase()} scopes administration authorization-server mcp`,
  },
  dotenv: {},
});

const rows: [target: string, check: string, decisions: readonly Decision[]][] = [];

beforeAll(async () => {
  for (const target of uniformTargets)
    for (const [check, decisions] of await runOnUniform(settings, checks, target, casesAt))
      rows.push([target.what, check, decisions]);
}, 300_000);

/** Everything decided of the targets that `where` selects, as `check: requirement verdict`. */
const decided = (where: (target: string) => boolean, ...verdicts: readonly string[]) =>
  rows.flatMap(([target, check, decisions]) =>
    decisions
      .filter(({ verdict }) => where(target) && verdicts.includes(verdict))
      .map(({ requirement, verdict }) => `${target}: ${check}: ${requirement} ${verdict}`),
  );
const acceptsTokens = (target: string) => target.startsWith('tokens');

describe('a target that answers everything alike', () => {
  test('passes no check', () => {
    expect(decided((target) => !acceptsTokens(target), 'pass')).toEqual([]);
  });

  test('is blamed for nothing if it answers nothing but refusals, or nothing at all', () => {
    const refuses = (target: string) => ['401', '403', '404', '429', 'silence'].includes(target);
    expect(decided(refuses, 'fail', 'warn')).toEqual([]);
  });

  test('is blamed for what must be refused, and for its body, if it accepts everything', () => {
    const accepts = (target: string) => target.startsWith('200');
    const blamed = new Set(decided(accepts, 'fail', 'warn').map((line) => line.split(': ').at(-1)));
    const refusals = ['token.expired', 'token.tampered', 'token.unknown', 'act-as.missing', 'act-as.unknown'];
    // A target that continues no conversation leaves the scope of a chat to the matrix.
    const others = ['token.foreign', 'auth-type.missing', 'scope.search', 'search.response'];
    const all = [...refusals, ...others, 'authorization.required'];
    expect(blamed).toEqual(new Set(all.map((id) => `${id} fail`)));
  });

  test('is not blamed for server errors, because no control is accepted', () => {
    expect(decided((target) => target === '500', 'fail', 'warn')).toEqual([]);
  });
});

describe('a target that accepts documented requests with a token and nothing else', () => {
  test('passes no check that needs more to be accepted', () => {
    const needy =
      /: (isolation|escalation|pages|caches|optional-fields|conversations|paging|nothing-found|bursts|presentation): /;
    expect(decided(acceptsTokens, 'pass').filter((line) => needy.test(line))).toEqual([]);
  });
});

describe('a target that refuses every token of one kind', () => {
  // The form of an answer, and what needs no token of a kind that somebody set.
  const isFree = (requirement: string) => {
    const { capability } = contract.requirements.find(({ id }) => id === requirement) ?? {};
    return requirement.startsWith('rfc.') || capability === 'administration' || capability === 'authorization-server';
  };

  test.each(catalogue.kinds)(
    'passes nothing that is said of that kind: %s',
    async (kind) => {
      const decisions = [...(await runOnUniform(settings, checks, targetWithout(kind), casesAt)).values()].flat();
      const passed = decisions.filter((one) => one.kind === kind && one.verdict === 'pass' && !isFree(one.requirement));
      expect(passed.map(({ check, requirement, detail }) => `${check}: ${requirement}: ${detail}`)).toEqual([]);
    },
    300_000,
  );
});

describe('the table of uniform targets', () => {
  test('has every decision', async () => {
    // `npx vitest run suites/proof/uniform-targets -u` writes it.
    await expect(uniformTable(rows)).toMatchFileSnapshot('uniform-targets.txt');
  });
});
