import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Mistakes, type Protect, startMessages } from '../fixtures/applications/messages-application.ts';
import { auth0, mcpSdk } from '../fixtures/applications/protections.ts';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { blamedIn, judgeBy } from './proof/judge-by-contract.ts';

describe.each<[string, Protect, warnings: readonly string[]]>([
  ['express-oauth2-jwt-bearer', auth0, ['rfc.query-token']],
  ['mcp-sdk', mcpSdk, []],
])('an application behind %s', async (name, protect, warnings) => {
  const contract = await loadContractFile(join('fixtures', 'contracts', `${name}.yaml`));
  const judgeServer = judgeBy(contract);
  const judge = async (mistakes?: Mistakes, intrusive = false) => {
    const target = await startMessages(protect, mistakes);
    onTestFinished(target.close);
    return judgeServer(target, intrusive);
  };

  test('keeps its contract, with the intrusive checks too, and most variations apply to it', async () => {
    const judged = await judge({}, true);
    expect(judged.ending).toBe('conforms');
    expect(blamedIn(judged, 'warn').flat()).toEqual(warnings);
    // These kinds of variation were tried to the last row.
    const isWhole = ({ law, known, tried }: (typeof judged.varied)[number]) => law === 'refusal' && tried === known;
    const kinds = judged.varied.filter(isWhole).map(({ variation }) => variation);
    const rows = contract.variations.rows.filter(({ kind }) => kinds.includes(kind));
    expect(rows.length).toBeGreaterThanOrEqual(60);
  });

  test.each<[string, string, Mistakes]>([
    ['accepts expired tokens for a day', 'token.expired', { tolerance: 86_400 }],
    ['posts without the scope to write', 'scope.post', { posting: ['read:messages'] }],
    ['trusts X-Forwarded-For when it lists', 'scope.list', { trustedHeader: 'X-Forwarded-For' }],
  ])('that %s has one cause, %s', async (_what, requirement, mistakes) => {
    const judged = await judge(mistakes);
    expect(blamedIn(judged, 'fail')).toEqual([[requirement]]);
    expect(judged.ending).toBe('deviates');
  });
});
