import { describe, expect, test } from 'vitest';
import { contract } from '../testing/contract.ts';
import { attributionOf, joined } from './attribution.ts';
import { citedSections } from './sections.ts';

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
    const reasons = ['First', 'Second.', 'First'];
    expect(joined(reasons.map((reason) => ({ basis: 'interpreted', reason })))).toEqual({
      basis: 'interpreted',
      reason: 'First. Second.',
    });
  });
});

const sections = [
  { id: '5', title: 'Authentication', text: '' },
  { id: '5.1', title: 'Headers', text: 'Three headers.' },
  { id: '5.3', title: 'OAuth tokens', text: '' },
  { id: '5.3.1', title: 'Who issues them', text: 'Two issuers.' },
  { id: '5.3.2', title: 'How they are sent', text: 'As Bearer.' },
];

test('a source cites sections of the specification with their texts, and of RFCs with their addresses', () => {
  expect(citedSections(sections, 'spec 5.1 5.3.2 and 9, RFC 9068 4 and RFC 9700 2.3')).toEqual([
    { source: 'spec 5.1', title: 'Headers', lines: ['Three headers.'] },
    { source: 'spec 5.3.2', title: 'How they are sent', lines: ['As Bearer.'] },
    { source: 'RFC 9068 4', link: 'https://www.rfc-editor.org/rfc/rfc9068#section-4' },
    { source: 'RFC 9700 2.3', link: 'https://www.rfc-editor.org/rfc/rfc9700#section-2.3' },
  ]);
});

test('a section without a text of its own has that of its subsections', () => {
  expect(citedSections(sections, 'spec 5.3')).toEqual([
    { source: 'spec 5.3', title: 'OAuth tokens', lines: ['Two issuers.', 'As Bearer.'] },
  ]);
});

test('a decision of the reference service cites no section', () => {
  expect(citedSections(sections, 'reference')).toEqual([]);
});
