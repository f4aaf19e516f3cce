import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const PAIR = Buffer.from('shop:a secret of the shop').toString('base64');

const contractWith = (credential: string, ...more: readonly string[]) =>
  [
    'name: shop',
    `credential: "${credential}"`,
    'operations: { me: { request: GET /me } }',
    'kinds: { SHOP: { made: in the console, never: { expired: a key has no date } } }',
    'identity: { none: nothing shows it }',
    ...more,
    '',
  ].join('\n');

/** Runs a contract against a server that answers GET and HEAD of one path with the status that `decide` gives. */
async function judged(contract: string, token: string, decide: (asked: IncomingMessage) => number) {
  const server = createServer((asked, response) => {
    const isKnown = asked.url?.split('?')[0] === '/me';
    const status = !isKnown ? 404 : ['GET', 'HEAD'].includes(asked.method ?? '') ? decide(asked) : 405;
    response.writeHead(status, {
      ...(asked.method !== 'HEAD' && { 'Content-Type': 'application/json' }),
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="shop"' }),
      ...(status === 405 && { Allow: 'GET, HEAD' }),
    });
    response.end(asked.method === 'HEAD' ? '' : JSON.stringify(status === 200 ? { name: 'shop' } : { error: status }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  writeFileSync(cli.file('shop.yaml'), contract);
  const { port } = server.address() as AddressInfo;
  const env = { TARGET_BASE_URL: `http://127.0.0.1:${port}`, CONFORMANCE_CONTRACT: 'shop.yaml', SHOP_TOKEN: token };
  return cli.command(['run', '--no-intrusive'], env);
}

/** A server that refuses what is no name and password as malformed, and others as unknown. */
const basic = ({ headers: { authorization = '' } }: IncomingMessage, isKnown = (pair: string) => pair === PAIR) => {
  const [, pair = ''] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  if (authorization === '' || isKnown(pair)) return authorization === '' ? 401 : 200;
  const bytes = Buffer.from(pair, 'base64');
  return bytes.includes(':') && bytes.toString('base64') === pair ? 401 : 400;
};
const BASIC = contractWith(
  'Authorization: Basic {token}',
  'rules: { authorization.malformed: { silenced: the shop answers with 400 or 401 } }',
);

test('a server may answer 400 to what is no name and password', async () => {
  const { output, code } = await judged(BASIC, PAIR, (asked) => basic(asked));
  expect(output).toMatch(/conforms to shop/);
  expect(code).toBe(0);
});

test('who takes a name that nobody has is found', async () => {
  const isFree = (pair: string) => pair === PAIR || /^(?!shop)[^:]+:/.test(Buffer.from(pair, 'base64').toString());
  const { output } = await judged(BASIC, PAIR, (asked) => basic(asked, isFree));
  expect(output).toMatch(/^F1 fail token\.unknown/m);
  expect(output).toContain('Basic $(printf %s:x $(openssl rand -hex 16) | base64)');
});

test('who asks HEAD for no token is found, though its answer says less than that of GET', async () => {
  const { output } = await judged(BASIC, PAIR, (asked) => (asked.method === 'HEAD' ? 200 : basic(asked)));
  expect(output).toMatch(/^F1 fail authorization\.required/m);
  expect(output).toContain('HEAD');
});

test('a server may take its token in another scheme as well, if the contract says so', async () => {
  const either = ({ headers: { authorization = '' } }: IncomingMessage) =>
    /^(?:token|bearer) +a-token-of-the-shop$/i.test(authorization) ? 200 : 401;
  const contract = contractWith('Authorization: token {token}', 'alternatives: [Authorization]');
  const { output, code } = await judged(contract, 'a-token-of-the-shop', either);
  expect(output).toMatch(/conforms to shop/);
  expect(code).toBe(0);
});
