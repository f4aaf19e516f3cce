import { expect, test } from 'vitest';
import { checkIssuers, type Issuer, ownIssuer } from './issuers.ts';

const own = ownIssuer('https://login.example', 'https://api.example');
const opaque: Issuer = {
  ...own,
  name: 'opaque',
  issuer: 'https://a.example',
  tokens: { form: 'opaque', tokeninfo: '' },
};

test('different issuers are accepted', () => {
  expect(() => checkIssuers([own, opaque])).not.toThrow();
});

test('two entries for one issuer are refused', () => {
  expect(() => checkIssuers([own, { ...own, name: 'twice' }])).toThrow(/"twice" and .* both have the issuer/);
});

test('two issuers of opaque tokens are refused', () => {
  expect(() => checkIssuers([opaque, { ...opaque, name: 'other', issuer: 'https://b.example' }])).toThrow(/keep one/);
});
