import { expect, test } from 'vitest';
import { citedSections } from './sections.ts';

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
