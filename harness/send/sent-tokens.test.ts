import { describe, expect, test } from 'vitest';
import type { Credential } from '../plan/credentials.ts';
import { createSentTokens } from './sent-tokens.ts';

const token = (text: string, more: Partial<Credential> = {}): Credential => ({
  ...{
    source: 'variable',
    variable: text.toUpperCase(),
    recipe: `$${text}`,
    shell: text,
    token: `${text}-of-the-test`,
  },
  ...more,
});
const tampering = { from: '$user', how: 'changed', shell: 'user' };

/** The variables of the tokens that are not those of a request, after these were sent. */
function beside(sent: readonly Credential[], own?: Credential): readonly string[] {
  const tokens = createSentTokens();
  for (const one of sent) tokens.note(one);
  return tokens.besides(own).map(({ variable }) => variable);
}

describe('the tokens of earlier requests', () => {
  const [user, global] = [token('user'), token('global')];

  test('are those that the request itself does not carry', () => {
    expect(beside([user, global], user)).toEqual(['GLOBAL']);
    expect(beside([user, global])).toEqual(['USER', 'GLOBAL']);
  });

  test('are not part of its own token, nor the other way round', () => {
    const longer = token('user', { token: `${user.token}-and-more` });
    expect([beside([user], longer), beside([longer], user)]).toEqual([[], []]);
  });

  test.each([
    ['that was changed', { tampering }],
    ['that nobody issued', { source: 'random' } as const],
    ['that may be an ordinary word', { token: 'secret' }],
  ])('do not count one %s', (_what, more) => {
    expect(beside([token('other', more)], user)).toEqual([]);
  });

  test('are the last eight', () => {
    const many = Array.from({ length: 12 }, (_, at) => token(`t${at}`));
    expect(beside([...many, many[5] ?? user], user)).toEqual(['T4', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11', 'T5']);
  });
});
