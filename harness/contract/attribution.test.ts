import { describe, expect, test } from 'vitest';
import { contract } from '../testing/contract.ts';
import { attributionOf, joined } from './attribution.ts';

const isolationOf = (kind: string) => attributionOf(contract, 'user.isolation', { operation: 'search', kind }).basis;

describe('the attribution of a requirement', () => {
  test('is that of the rule that cites it', () => {
    expect(attributionOf(contract, 'token.expired')).toEqual({ basis: 'stated' });
    expect(attributionOf(contract, 'scope.search')).toEqual({ basis: 'stated' });
    expect(attributionOf(contract, 'authorization.required').reason).toMatch(/credentials are missing/);
  });

  test('is that of the ledger if only a check decides it', () => {
    expect(attributionOf(contract, 'act-as.effective')).toEqual({ basis: 'stated' });
    expect(attributionOf(contract, 'administration.creators').basis).toBe('interpreted');
  });

  test('depends on the kind of token where the specification speaks of one family only', () => {
    expect(isolationOf('USER')).toBe('stated');
    expect(['OAUTH', 'GOOGLE'].map(isolationOf)).toEqual(['interpreted', 'interpreted']);
  });

  test('is interpreted, with the reason, for everything that the specification does not state in so many words', () => {
    const ids = ['headers.case', 'scope.sole', 'auth-type.missing', 'search.response', 'message.auth-type'];
    expect(ids.map((id) => attributionOf(contract, id).basis)).toEqual(ids.map(() => 'interpreted'));
  });

  test('is known for every requirement that the suite tests', () => {
    const tested = contract.requirements.filter(({ excluded }) => excluded === undefined);
    const unknown = tested.filter(({ id }) => attributionOf(contract, id).reason === joined([]).reason);
    expect(unknown.map(({ id }) => id)).toEqual([]);
  });
});

describe('several attributions', () => {
  test('are stated if one is, because then something stated is broken', () => {
    const read = { basis: 'interpreted', reason: 'We read it so.' } as const;
    expect(joined([read, { basis: 'stated' }])).toEqual({ basis: 'stated' });
  });

  test('are interpreted with each reason once if none is stated', () => {
    const reasons = ['First.', 'Second.', 'First.'];
    expect(joined(reasons.map((reason) => ({ basis: 'interpreted', reason })))).toEqual({
      basis: 'interpreted',
      reason: 'First. Second.',
    });
  });
});
