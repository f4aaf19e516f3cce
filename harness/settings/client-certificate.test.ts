import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCertificates } from '../testing/certificates.ts';
import { settingsWith } from '../testing/small-world.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readClientCertificate } from './client-certificate.ts';

const folder = temporaryFolder(afterAll);
const written = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const { client, certificate, key } = makeCertificates('127.0.0.1');
const [cert, own] = [written('client.pem', client.cert), written('client.key', client.key)];
const other = written('server.key', key);
const text = written('text.pem', 'Not a secret, but it must not be shown');
const missing = join(folder, 'missing.pem');
const DAY = 86_400_000;

const problemsWith = (files: readonly [string | undefined, string | undefined], now?: number) => {
  const problems: string[] = [];
  readClientCertificate(files, problems, now);
  return problems;
};

test('a certificate and its key are read from their files', () => {
  const { clientCertificate } = settingsWith({ CONFORMANCE_CLIENT_CERT: cert, CONFORMANCE_CLIENT_KEY: own });
  expect(clientCertificate).toEqual(client);
  expect(settingsWith().clientCertificate).toBeUndefined();
  expect(problemsWith([cert, own], Date.now())).toEqual([]);
});

test.each<[string, [string | undefined, string | undefined], string]>([
  ['without its key', [cert, undefined], 'CONFORMANCE_CLIENT_KEY is missing; CONFORMANCE_CLIENT_CERT needs it'],
  ['that is missing beside its key', [undefined, own], 'CONFORMANCE_CLIENT_CERT is missing; CONFORMANCE_CLIENT_KEY'],
  [
    'in a file that cannot be read',
    [missing, own],
    `CONFORMANCE_CLIENT_CERT: cannot read ${missing} (no such file or folder, ENOENT)`,
  ],
  ['that is none', [text, own], `CONFORMANCE_CLIENT_CERT names ${text}, which is no certificate in PEM`],
  ['with a key that is none', [cert, text], `CONFORMANCE_CLIENT_KEY names ${text}, which is no private key in PEM`],
  ['with the key of another', [cert, other], 'CONFORMANCE_CLIENT_KEY is not the key of the certificate in'],
])('a client certificate %s is refused', (_what, files, problem) => {
  const problems = problemsWith(files);
  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(problems.join()).not.toContain('Not a secret');
});

test('a key in place of its path is not shown', () => {
  for (const held of [client.key, Buffer.from(client.key).toString('base64').slice(0, 200)])
    expect(problemsWith([cert, held])).toEqual([
      expect.stringMatching(
        /^CONFORMANCE_CLIENT_KEY: cannot read what it names \([\w ,]+\); set it to the path of a file/,
      ),
    ]);
});

test('a client certificate out of its time is refused, with the time', () => {
  expect(problemsWith([cert, own], Date.now() + 3 * DAY)).toEqual([expect.stringMatching(/_CERT expired at .+ GMT/)]);
  expect(problemsWith([cert, own], Date.now() - 3 * DAY)).toEqual([expect.stringMatching(/only valid from .+ GMT/)]);
});

test('the certificates of the tests are those of different keys', () => {
  expect(client.cert).not.toBe(certificate);
});
