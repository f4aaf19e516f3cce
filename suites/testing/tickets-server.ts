import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server of fixtures/contracts/tickets.yaml knows of a token. */
interface Token {
  readonly owner: string;
  readonly kind: 'PERSONAL' | 'ADMIN';
  readonly scopes: readonly string[];
  readonly isExpired?: boolean;
}
/** A request as the steps read it. */
export interface Asked {
  readonly token: Token;
  /** Whom it wants to run as. Undefined if it names nobody. */
  readonly named: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The names of its headers as they were written. */
  readonly names: readonly string[];
  readonly needs: readonly string[];
  readonly path: string;
}
/** The decisions of the server, each of which a test can replace. A number refuses with this status. */
export const STEPS = {
  expired: ({ token }: Asked) => (token.isExpired ? 401 : undefined),
  switching: ({ token, named }: Asked) => (named !== undefined && token.kind !== 'ADMIN' ? 403 : undefined),
  unknown: ({ named }: Asked) => (named === undefined || isPerson(named) ? undefined : 412),
  loses: ({ named, path }: Asked) => (isPerson(named) && path === '/api/tickets/search' ? 403 : undefined),
  scopes: ({ token, needs }: Asked) => (needs.every((one) => token.scopes.includes(one)) ? undefined : 403),
} as const;
export type Steps = Readonly<Record<keyof typeof STEPS, (asked: Asked) => number | undefined>>;

const PEOPLE: readonly string[] = ['uma', 'alan', 'root'];
const isPerson = (name: string | undefined): name is string => name !== undefined && PEOPLE.includes(name);
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'GET /api/me': [],
  'GET /api/projects/demo/tickets': ['tickets:read'],
  'POST /api/tickets/search': ['tickets:read', 'tickets:search'],
};

/**
 * Starts the server with some of its steps replaced.
 * @param personOf whom a request runs as.
 * @param strange how a token that nobody issued is answered.
 */
export async function startTickets(
  replaced: Partial<Steps> = {},
  personOf: (asked: Asked) => string = ({ named, token }) => (isPerson(named) ? named : token.owner),
  strange = 401,
) {
  const steps: Steps = { ...STEPS, ...replaced };
  const known = new Map<string, Token>();
  const minted = (owner: string, kind: Token['kind'], scopes: readonly string[], isExpired = false) => {
    const secret = randomBytes(24).toString('hex');
    known.set(secret, { owner, kind, scopes, isExpired });
    return secret;
  };
  const [read, search] = ['tickets:read', 'tickets:search'];
  const tokensOf = (owner: string, kind: Token['kind']) => ({
    [`${kind}_TOKEN`]: minted(owner, kind, [read, search]),
    [`${kind}_TOKEN_READ`]: minted(owner, kind, [read]),
    [`${kind}_TOKEN_SEARCH`]: minted(owner, kind, [search]),
    [`${kind}_TOKEN_UNSCOPED`]: minted(owner, kind, []),
  });
  const env = {
    ...{ ...tokensOf('uma', 'PERSONAL'), ...tokensOf('root', 'ADMIN') },
    PERSONAL_TOKEN_EXPIRED: minted('uma', 'PERSONAL', [read, search], true),
    ...{ USER_LOGIN: 'uma', ACT_AS_LOGIN: 'alan', ADMIN_LOGIN: 'root' },
  };
  const answer = (request: IncomingMessage, body: string): readonly [status: number, json?: object] => {
    const path = request.url?.split('?')[0] ?? '';
    const needs = NEEDS[`${request.method} ${path}`];
    if (!needs) return [404];
    const lines = request.headersDistinct;
    const [authorization = '', ...others] = lines['authorization'] ?? [];
    const token = known.get(/^bearer (\S+)$/i.exec(authorization.trim())?.[1] ?? '');
    if (authorization !== '' && !token) return [strange];
    if (!token || others.length > 0) return [401];
    const [named, ...more] = lines['x-switch-user'] ?? [];
    if (more.length > 0) return [400];
    const { headers, rawHeaders: names } = request;
    const asked: Asked = { token, named: named === '' ? undefined : named, headers, names, needs, path };
    for (const step of Object.values(steps)) {
      const status = step(asked);
      if (status !== undefined) return [status];
    }
    const ticket = { id: 1, title: 'A ticket', assignee: null };
    switch (path) {
      case '/api/me':
        return [200, { login: personOf(asked), id: 7, theme: 'dark' }];
      case '/api/tickets/search':
        return isSearch(request, body) ? [200, { found: [ticket] }] : [400];
      default:
        return [200, { tickets: [ticket] }];
    }
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const [status, json = { error: status }] = answer(request, body);
      const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...challenge });
      response.end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { env: { TARGET_BASE_URL: `http://127.0.0.1:${port}`, ...env }, close };
}

function isSearch({ headers }: IncomingMessage, body: string): boolean {
  if (!headers['content-type']?.startsWith('application/json')) return false;
  try {
    const { text, limit } = JSON.parse(body);
    return typeof text === 'string' && (limit === undefined || typeof limit === 'number');
  } catch {
    return false;
  }
}
