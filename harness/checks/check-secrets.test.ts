import { expect, test } from 'vitest';
import { createRedactor } from '../record/redact.ts';
import { secretsFor } from './check-secrets.ts';

const TOKEN = 'f3q8Zk1LmN0pR5sTuV7wXyB2Cd';
const SIGNATURE = 'c2lnbmF0dXJlLW9mLWFub3RoZXIta2V5';

test('of a derived token, no part is shown that could be secret', () => {
  const redactor = createRedactor();
  redactor.add('USER_TOKEN', TOKEN);
  const { derive, made } = secretsFor(redactor);
  const derived = derive(made(TOKEN, 'USER_TOKEN'), `${TOKEN}.${SIGNATURE}`, 'with another signature');
  expect(redactor.text(`refused: ${derived.token}`)).toBe('refused: <USER_TOKEN><USER_TOKEN, with another signature>');
});
