import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { serveHttp } from '../harness/testing/local-server.ts';
import { read } from '../harness/testing/small-contract.ts';
import { blamedIn, judgeBy } from './proof/judge-by-contract.ts';

const contract = await loadContractFile(join('fixtures', 'contracts', 'notes.yaml'));
const judgeServer = judgeBy(contract);

const mint = () => randomBytes(24).toString('hex');
const TOKENS = {
  READER_TOKEN: mint(),
  READER_TOKEN_EXPIRED: mint(),
  EDITOR_TOKEN: mint(),
  EDITOR_TOKEN_EXPIRED: mint(),
};

/** What the server does with a request, by the name of its token. */
interface Asked {
  readonly method: string;
  readonly token: string | undefined;
  readonly path: string;
}
type Decide = (asked: Asked) => number;

/** The server of fixtures/contracts/notes.yaml: who has no session is sent to the sign-in page. */
const keeps: Decide = ({ method, token }) => {
  if (token === undefined || token.endsWith('EXPIRED')) return 302;
  return method === 'PUT' && token !== 'EDITOR_TOKEN' ? 403 : 200;
};

/** Judges the server with another decision. */
async function judge(decide: Decide, intrusive = true) {
  const server = await serveHttp((request, response) => {
    const { method = '' } = request;
    const path = request.url?.split('?')[0] ?? '';
    const isThere = path === '/notes/1' && ['GET', 'HEAD', 'PUT'].includes(method);
    const status = isThere ? decide({ method, path, token: nameOf(request) }) : path === '/notes/1' ? 405 : 404;
    const more = status === 302 ? { location: '/sign-in' } : status === 405 ? { allow: 'GET, HEAD, PUT' } : {};
    const body = JSON.stringify(status === 200 ? { id: 1, text: 'milk' } : { status });
    const length = Buffer.byteLength(body);
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...more });
      response.end(body);
    });
  });
  onTestFinished(server.close);
  return judgeServer({ env: { ...TOKENS, TARGET_BASE_URL: server.url } }, intrusive);
}

function nameOf({ headers }: IncomingMessage): string | undefined {
  const cookies = headers.cookie?.split(/; */) ?? [];
  const [value] = cookies.flatMap((one) => (one.startsWith('sid=') ? [one.slice('sid='.length)] : []));
  return Object.entries(TOKENS).find(([, token]) => token === value)?.[0];
}

test('a server that refuses with redirects, and lets readers ask what only editors may put, conforms', async () => {
  const judged = await judge(keeps);
  expect([blamedIn(judged, 'fail'), blamedIn(judged, 'warn')]).toEqual([[], []]);
  expect(judged.ending).toBe('conforms');
});

// The id of a run draws which refusals are repeated.
test.each([...'abcdef'])(
  'a refusal to a kind that never reaches an operation means something (run %s)',
  async (run) => {
    const operations =
      'operations: { list: { request: GET /list, needs: read }, all: { request: GET /all, by: ADMIN } }';
    const kinds = 'kinds: { KEY: { made: "Settings, Keys" }, ADMIN: { made: "Settings, Admins" } }';
    const barring = await read({ operations, kinds });
    const known = ['KEY_TOKEN', 'ADMIN_TOKEN'].map((name) => [name, mint()] as const);
    const server = await serveHttp(({ headers, url = '' }, response) => {
      const [name] = known.find(([, token]) => token === headers['x-api-key']) ?? [];
      response.writeHead(name === undefined ? 401 : url === '/all' && name === 'KEY_TOKEN' ? 403 : 200).end('{}');
    });
    onTestFinished(server.close);
    const env = { ...Object.fromEntries(known), TARGET_BASE_URL: server.url };
    const { decisions } = await judgeBy(barring)({ env }, true, run);
    expect(decisions.filter(({ check, verdict }) => check === 'repetition' && verdict === 'inconclusive')).toEqual([]);
  },
);

test.each<[string, readonly string[], Decide]>([
  [
    'HEAD needs no token, as GET does',
    ['authorization.required', 'token.expired', 'token.unknown'],
    (asked) => (asked.method === 'HEAD' ? 200 : keeps(asked)),
  ],
  [
    'HEAD takes an expired token, as GET does not',
    ['token.expired'],
    (asked) => (asked.method === 'HEAD' && asked.token !== undefined ? 200 : keeps(asked)),
  ],
  [
    'readers may put',
    ['reach.replace'],
    (asked) => (asked.method === 'PUT' ? keeps({ ...asked, method: 'GET' }) : keeps(asked)),
  ],
])('%s: one cause, %s', async (_what, requirements, decide) => {
  const { ending, findings } = await judge(decide);
  expect(findings.map((one) => [...one.requirements].sort())).toEqual([[...requirements].sort()]);
  expect(ending).toBe('deviates');
});

test('a target that gets the telling ways only is asked with HEAD too', async () => {
  const { findings } = await judge((asked) => (asked.method === 'HEAD' ? 200 : keeps(asked)), false);
  expect(findings.flatMap(({ requirements }) => requirements)).toContain('authorization.required');
});
