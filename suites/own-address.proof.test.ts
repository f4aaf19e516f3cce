import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { makeCertificates } from '../harness/testing/certificates.ts';

// What staging is for a vendor: https, a private CA, a gateway that asks for a client certificate, an address that is not
// loopback, and every default of the suite.
const address = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const folder = mkdtempSync(join(tmpdir(), 'own-address-'));
const target = await startPlainTarget();
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves the target over TLS at the address of this machine, to clients with a certificate. Passes every byte on. */
async function serveTls(at: string) {
  const { ca, certificate, key, client } = makeCertificates(at);
  const { port } = new URL(target.env['TARGET_BASE_URL'] ?? '');
  const wanted = { requestCert: true, rejectUnauthorized: true, ca };
  const server = createServer({ key, cert: certificate, ...wanted }, (socket) => {
    const plain = connect(Number(port), '127.0.0.1');
    socket.pipe(plain).pipe(socket);
    socket.on('error', () => plain.destroy()).on('close', () => plain.destroy());
    plain.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, at, resolve));
  const [caFile, cert, clientKey] = ['ca.pem', 'client.pem', 'client.key'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const [file, text] of [
    [caFile, ca],
    [cert, client.cert],
    [clientKey, client.key],
  ] as const)
    writeFileSync(file, text);
  const env = {
    TARGET_BASE_URL: `https://${at}:${(server.address() as AddressInfo).port}`,
    NODE_EXTRA_CA_CERTS: caFile,
    CONFORMANCE_CLIENT_CERT: cert,
    CONFORMANCE_CLIENT_KEY: clientKey,
  };
  return { env, close: () => server.close() };
}

/** Runs the suite in a process of its own, in which pauses take no time. */
async function run(env: Readonly<Record<string, string>>) {
  const child = fork('dist/suites/testing/fast-run.js', {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...env },
    execArgv: [],
  });
  return new Promise<FastRun>((resolve, reject) => {
    child.once('message', (result) => resolve(result as FastRun));
    child.once('exit', (code) => reject(new Error(`the run ended without a result (exit ${code})`)));
  });
}

interface FastRun {
  readonly problem?: unknown;
  readonly ending: string;
  readonly findings: readonly unknown[];
  readonly undecided: readonly unknown[];
  readonly chats: number;
  readonly chatLimit: { readonly max: number };
}

test.skipIf(address === undefined)(
  'a faithful implementation at the address of this machine, over https with a private CA and a client certificate, conforms with every default',
  async () => {
    const server = await serveTls(address ?? '');
    const { problem, ending, findings, undecided, chats, chatLimit } = await run({ ...target.env, ...server.env });
    server.close();
    expect(problem).toBeUndefined();
    expect([findings, undecided]).toEqual([[], []]);
    expect(ending).toBe('conforms');
    expect(chats).toBeLessThanOrEqual(chatLimit.max);
    expect(chatLimit.max).toBeLessThanOrEqual(100);
  },
  300_000,
);

test.skipIf(address === undefined)(
  'without the client certificate, the run ends at once and names the variables',
  async () => {
    const server = await serveTls(address ?? '');
    const { CONFORMANCE_CLIENT_CERT: _cert, CONFORMANCE_CLIENT_KEY: _key, ...env } = server.env;
    const { problem } = await run({ ...target.env, ...env });
    server.close();
    expect(problem).toMatchObject({ line: expect.stringContaining('set CONFORMANCE_CLIENT_CERT and') });
  },
);
