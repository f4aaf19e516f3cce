import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { plainChecks } from '../../fixtures/plain/checks.ts';
import { startPlainTarget } from '../../fixtures/plain/target.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { networkTransport } from '../../harness/send/transport.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { makeCertificates } from '../../harness/testing/certificates.ts';
import { casesAt, catalogue } from '../../harness/testing/contract.ts';
import { checkOf } from '../testing/checks.ts';
import { tokens } from '../testing/one-check.ts';
import { influences } from './influences.ts';

const right = await startPlainTarget({ tokens });
/** It lets expired tokens in. */
const wrong = await startPlainTarget({ tokens, checks: plainChecks.filter(({ id }) => id !== 'token.expired') });
const servers: Pick<Server, 'close'>[] = [];
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all([right.close(), wrong.close()]);
});
const portOf = (url = '') => Number(new URL(url).port);

interface Reached {
  readonly baseUrl: string;
  readonly addresses?: readonly string[];
  readonly ca?: string;
}

/** What the check blames a target for, and the steps by another way than the usual one. */
async function blame({ baseUrl, addresses = ['127.0.0.1'], ca }: Reached) {
  const env = { ...right.env, TARGET_BASE_URL: baseUrl, CONFORMANCE_CLAIMS: 'user' };
  const settings = embeddedSettings(catalogue, env, { environment: {}, dotenv: {}, flags: {} });
  const trusting = { ...settings, ...(ca !== undefined && { clientCertificate: { ca, cert: '', key: '' } }) };
  const resolver: LookupFunction = (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  const session = startSession(trusting, {
    ...{ journal: noJournal, casesAt, breadth: 'telling' },
    transport: (input) => networkTransport(input, undefined, resolver),
  });
  try {
    const decisions = await session.runCheck(checkOf(influences));
    const shown = session.sender.exchanges.map(({ step }) => step?.shows ?? '');
    return {
      blamed: decisions.flatMap(({ requirement, verdict, detail, curl }) =>
        verdict === 'fail' ? [`${requirement}: ${detail}`, `${curl}`] : [],
      ),
      tried: shown.filter((text) => /with (?:the address|HTTP\/2)/.test(text)),
    };
  } finally {
    await session.close();
  }
}

const leadTo = (url: string | undefined) => (socket: Socket) => {
  const upstream = connect(portOf(url), '127.0.0.1');
  for (const one of [socket, upstream]) one.on('error', () => one.destroy());
  socket.pipe(upstream).pipe(socket);
};

/** A server at both addresses: the first leads to the target that is right, the second to another one. */
async function behindTwoAddresses(second: string | undefined): Promise<string> {
  const listen = (address: string, port: number, to: string | undefined) =>
    new Promise<number>((resolve) => {
      const server = createServer(leadTo(to)).listen(port, address, () =>
        resolve((server.address() as AddressInfo).port),
      );
      servers.push(server);
    });
  const port = await listen('127.0.0.1', 0, right.env['TARGET_BASE_URL']);
  if (second !== undefined) await listen('127.0.0.2', port, second);
  return `http://localhost:${port}`;
}

const BOTH = ['127.0.0.1', '127.0.0.2'];

describe('a target whose name has two addresses', () => {
  test('is blamed for what the server at one of them lets in, with the address', async () => {
    const { blamed } = await blame({
      baseUrl: await behindTwoAddresses(wrong.env['TARGET_BASE_URL']),
      addresses: BOTH,
    });
    expect(blamed).toEqual([
      'token.expired: an expired USER token is accepted with the address 127.0.0.2',
      expect.stringContaining('curl -sS -i --connect-to "::$ADDRESS:" -X POST "$TARGET_BASE_URL'),
    ]);
  });

  test('is asked at both, and blamed for nothing if both are right', async () => {
    const baseUrl = await behindTwoAddresses(right.env['TARGET_BASE_URL']);
    const { blamed, tried } = await blame({ baseUrl, addresses: BOTH });
    expect(blamed).toEqual([]);
    for (const address of BOTH) expect(tried).toContain(`an expired USER token is refused with the address ${address}`);
  });

  test('is asked by no other way if nothing listens at the second one', async () => {
    const { blamed, tried } = await blame({ baseUrl: await behindTwoAddresses(undefined), addresses: BOTH });
    expect({ blamed, tried }).toEqual({ blamed: [], tried: [] });
  });
});

const certificates = makeCertificates('127.0.0.1');
const serving = { cert: certificates.certificate, key: certificates.key };

/** A TLS server that leads to one target by HTTP/1.1 and to another one by HTTP/2, if it speaks that. */
async function overTls(byHttp2: string | undefined): Promise<Reached> {
  const server =
    byHttp2 === undefined
      ? createTlsServer(serving, leadTo(right.env['TARGET_BASE_URL']))
      : createSecureServer({ ...serving, allowHTTP1: true }, (incoming, response) => {
          const to = incoming.httpVersion === '2.0' ? byHttp2 : right.env['TARGET_BASE_URL'];
          const headers = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'));
          const { method, url: path } = incoming;
          const options = { port: portOf(to), method, path, headers: Object.fromEntries(headers) };
          const sent = request(options, (answer) => {
            response.writeHead(answer.statusCode ?? 0, { 'Content-Type': answer.headers['content-type'] ?? '' });
            answer.pipe(response);
          });
          incoming.pipe(sent);
        });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `https://127.0.0.1:${port}`, ca: certificates.ca };
}

describe('a target over TLS', () => {
  test('is blamed for what it lets in by HTTP/2 alone', async () => {
    const { blamed } = await blame(await overTls(wrong.env['TARGET_BASE_URL']));
    expect(blamed).toEqual([
      'token.expired: an expired USER token is accepted with HTTP/2',
      expect.stringContaining('curl -sS -i --http2 -X POST "$TARGET_BASE_URL'),
    ]);
  });

  test('is blamed for nothing if it answers alike by both versions', async () => {
    const { blamed, tried } = await blame(await overTls(right.env['TARGET_BASE_URL']));
    expect(blamed).toEqual([]);
    expect(tried).toContain('an expired USER token is refused with HTTP/2');
  });

  test('is asked by HTTP/1.1 alone if it speaks nothing else', async () => {
    const { blamed, tried } = await blame(await overTls(undefined));
    expect({ blamed, tried }).toEqual({ blamed: [], tried: [] });
  });
});
