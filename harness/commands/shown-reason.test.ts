import { expect, test } from 'vitest';
import { createRedactor } from '../record/redact.ts';
import { shownReason } from './shown-reason.ts';

test.each([
  ['no application has the scope CHAT_ADMINISTRATION', 'no application has the scope CHAT_ADMINISTRATION'],
  ['see https://idp.example/applications', 'see https://idp.example/applications'],
  ['made f3q8Zk1LmN0pR5sTuV7w instead', 'made <may be a token> instead'],
  ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1bWEifQ.c2lnbmF0dXJl', '<may be a token>'],
  ['it is "QmFzaWMgYXV0aDo0Mg=="', 'it is "<may be a token>"'],
])('the reason of a command %s is shown as %s', (reason, shown) => {
  expect(shownReason(createRedactor(), reason)).toBe(shown);
});
