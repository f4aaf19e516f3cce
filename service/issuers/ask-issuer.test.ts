import { expect, test } from 'vitest';
import { issuerAddress } from './ask-issuer.ts';

test.each(['https://login.example/keys', 'http://127.0.0.1:8081/keys', 'http://localhost', 'http://[::1]:8081'])(
  '%s is accepted',
  (address) => {
    expect(issuerAddress(address)).toEqual(new URL(address));
  },
);

test.each([
  'http://login.example',
  'http://127.0.0.1.login.example',
  'http://localhost.example',
  'http://10.0.0.1',
  'ftp://127.0.0.1',
  'login.example',
  '',
  undefined,
  7,
])('%j is not accepted', (address) => {
  expect(issuerAddress(address)).toBeUndefined();
});
