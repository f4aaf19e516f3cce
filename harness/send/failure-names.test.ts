import { expect, test } from 'vitest';
import { failureOf } from './failure-names.ts';

test.each([
  ['ENOTFOUND', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['ECONNRESET', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no-tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'no-tls'],
  ['EPROTO', 'no-tls'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['PROXY_ANSWERED_407', 'other'],
  ['ESOMETHING', 'other'],
])('the code %s is %s, and the text of the error is not shown', (code, failure) => {
  const named = failureOf(Object.assign(new Error('Bearer s3cret'), { code }));
  expect(named).toMatchObject({ kind: 'failure', failure });
  expect(named.detail).toContain(code);
  expect(named.detail).not.toContain('s3cret');
});

test("undici's parser error is told by its name, since it has a code for some only", () => {
  const error = Object.assign(new Error('Bearer s3cret'), { name: 'HTTPParserError', code: undefined });
  expect(failureOf(error)).toEqual({
    kind: 'failure',
    failure: 'protocol',
    detail: 'no usable answer (HTTPParserError)',
  });
});

test('what is no error at all is named as unknown', () => {
  expect(failureOf('s3cret')).toEqual({ kind: 'failure', failure: 'other', detail: 'no usable answer (UNKNOWN)' });
});
