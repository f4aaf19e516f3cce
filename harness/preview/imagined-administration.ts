import { type Administer, SELF, type TokenRecord, type TokenTerms } from '../commands/administration.ts';
import { ACT_AS, actsAs, type Contract } from '../contract/contract.ts';
import { parsedJson } from '../contract/json-value.ts';
import type { Operation } from '../contract/openapi.ts';
import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { TransportInput } from '../send/transport.ts';
import { mcpTokens, type TokenUse } from '../settings/catalogue.ts';
import type { Settings } from '../settings/settings.ts';
import { markerFound, type OwnedUse, ownerOf, plain } from './read-request.ts';

interface ImaginedAdministration {
  readonly administer: Administer;
  /** What the token with this secret can be used for; undefined if there is no such token, or it is revoked. */
  use(secret: string): OwnedUse | undefined;
}

/** An administration in memory that conforms to spec 2.1, for a rehearsal. It runs no command. */
export function imaginedAdministration({ matrix }: Contract): ImaginedAdministration {
  const records = new Map<string, TokenRecord>();
  const secrets = new Map<string, string>();
  const auditLog: string[] = [];
  const now = () => new Date().toISOString();

  const objection = (actor: string, terms: TokenTerms): string | undefined => {
    const { description = '', permission = '', scopes = [], userEmail = '', expires } = terms;
    const own = permission === 'USER' && userEmail === SELF;
    const mayCreate = actor === 'super-admin' || (actor !== 'user' && own);
    if (!mayCreate) return 'the role may not create this token';
    if (description.trim() === '') return 'the description is missing';
    if (!['USER', 'GLOBAL'].includes(permission)) return 'the permission is unknown';
    if (scopes.length === 0 || scopes.some((scope) => !matrix.scopes.includes(scope))) return 'a scope is unknown';
    if (permission === 'USER' && userEmail === '') return 'the user is missing';
    return expires !== undefined && expires < now().slice(0, 10) ? 'the expiry is in the past' : undefined;
  };

  return {
    async administer({ action, actor, token: { id = '', ...terms } }) {
      const token = records.get(id) ?? {};
      const done = { kind: 'done', secret: undefined, token, tokens: [...records.values()] } as const;
      switch (action) {
        case 'create': {
          const why = objection(actor, terms);
          if (why !== undefined) {
            auditLog.push(`${actor} ${terms.userEmail}`);
            return { kind: 'refused', why };
          }
          const number = `${records.size + 1}`;
          const secret = `imagined-secret-of-token-${number}`;
          const userEmail = terms.userEmail === SELF ? `${actor}@staff.example` : terms.userEmail;
          const created = { id: number, ...terms, userEmail, created: now() };
          records.set(number, created);
          secrets.set(secret, number);
          return { ...done, secret, token: created, shown: '' };
        }
        case 'change':
          return { kind: 'refused', why: 'a token cannot be changed' };
        case 'revoke':
          records.set(id, { ...token, revoked: true });
          return { ...done, shown: '' };
        case 'read':
        case 'list':
          return { ...done, shown: JSON.stringify([...records.values()]) };
        case 'audit':
          return { ...done, shown: auditLog.join() };
      }
    },
    use(secret) {
      const id = secrets.get(secret) ?? '';
      const token = records.get(id);
      if (!token || token.revoked) return undefined;
      records.set(id, { ...token, lastUsed: token.lastUsed ?? now() });
      const { permission: kind = '', scopes = [], userEmail: person } = token;
      const [missing, ...more] = matrix.scopes.filter((scope) => !scopes.includes(scope));
      const most = missing === undefined || more.length > 0 ? 'all' : `all-but:${missing}`;
      return { kind, validity: 'valid', holding: scopes.length === 1 ? `only:${scopes[0]}` : most, person };
    },
  };
}

/** An authorization server for a rehearsal: its metadata and the answers that the RFCs recommend. */
interface ImaginedAuthorizationServer {
  /** The `WWW-Authenticate` value that points to the metadata of the resource (RFC 9728 5.1). */
  readonly challenge: string;
  visit(to: string, request: WireRequest): RawAnswer;
}

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const challengeOf = (origin: string, path = '') =>
  `Bearer resource_metadata="${origin}${RESOURCE_PATH}${path.replace(/\/$/, '')}"`;
const SERVER_PATH = '/.well-known/oauth-authorization-server';

export function imaginedAuthorizationServer({
  baseUrl,
  variables,
}: Pick<Settings, 'baseUrl' | 'variables'>): ImaginedAuthorizationServer {
  const { origin } = new URL(baseUrl);
  const issuer = variables.get('AUTHORIZATION_SERVER_ISSUER')?.value ?? origin;
  let registered: unknown;
  const answer = (status: number, json: object): RawAnswer =>
    plain(status, { 'content-type': 'application/json' }, JSON.stringify(json));
  return {
    challenge: challengeOf(origin),
    visit(to, { method, path, body = '' }) {
      const { pathname, searchParams } = new URL(path, origin);
      if (pathname.startsWith(RESOURCE_PATH))
        return answer(200, { resource: pathname.replace(RESOURCE_PATH, to), authorization_servers: [issuer] });
      if (pathname.startsWith(SERVER_PATH))
        return answer(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          code_challenge_methods_supported: ['S256'],
          scopes_supported: ['SEARCH'],
          authorization_response_iss_parameter_supported: true,
        });
      if (method === 'POST' && !pathname.endsWith('/register')) return answer(400, { error: 'invalid_request' });
      if (method === 'POST') {
        const { redirect_uris: uris } = Object(JSON.parse(body));
        // Off this machine, a redirect URI needs https (RFC 9700 2.6).
        if (!uris.every((uri: string) => /^(?:https:|http:\/\/127\.0\.0\.1\/)/.test(uri))) return answer(400, {});
        [registered] = uris;
        return answer(201, { client_id: 'imagined', redirect_uris: uris });
      }
      const isBound = (searchParams.get('code_challenge') ?? '') !== '';
      const valid = isBound && searchParams.get('redirect_uri') === registered;
      if (!valid || searchParams.get('prompt') !== 'none') return answer(valid ? 200 : 400, {});
      const state = searchParams.get('state') ?? '';
      const location = `${registered}?${new URLSearchParams({ error: 'login_required', state, iss: issuer })}`;
      return { ...answer(303, {}), headers: { location } };
    },
  };
}

interface Use {
  readonly kind: string;
  readonly state: 'valid' | 'expired' | 'without MCP' | 'only MCP' | 'other audience';
}

/** A conforming remote MCP server for a rehearsal. Undefined for a request that is for none of its messages. */
export function imaginedMcp({
  settings: { baseUrl, variables },
  plan,
  parts: { contract },
}: TransportInput): (
  request: WireRequest,
) => { readonly operation: Operation; readonly answer: RawAnswer } | undefined {
  const uses = new Map<string, Use>();
  for (const { use, credential } of plan.credentials)
    uses.set(credential.token, { kind: use.kind, state: stateOf(use) });
  for (const { name, kind, state } of mcpTokens(contract)) {
    const token = variables.get(name)?.value;
    if (token !== undefined) uses.set(token, { kind, state });
  }
  const { origin, pathname } = new URL(variables.get('MCP_URL')?.value ?? `${baseUrl}/`);
  const [actAs, authType] = [ACT_AS, 'auth-type'].map((name) => contract.matrix.headers[name]?.name);
  const tools = contract.operations.map(({ id, field }) => {
    const properties = field && { [field.name]: { type: 'string' } };
    return { name: id, inputSchema: { type: 'object', properties, required: field && [field.name] } };
  });
  const answerTo = ({ headers, body }: WireRequest, method: unknown): RawAnswer => {
    const line = (name = '') => headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
    const token = /^Bearer +(\S+)$/i.exec(line(contract.matrix.headers.authorization.name) ?? '')?.[1];
    const use = token === undefined ? undefined : uses.get(token);
    const unauthorized = plain(401, { 'www-authenticate': challengeOf(origin, pathname) });
    if (!use || use.state === 'expired' || use.state === 'other audience') return unauthorized;
    const email = line(actAs);
    const person = actsAs(contract, use.kind) ? email : ownerOf(variables, contract, use.kind);
    if (actsAs(contract, use.kind) && email !== variables.get('ACT_AS_EMAIL')?.value) return plain(400);
    if (contract.matrix.kinds[use.kind]?.family === 'external' && !line(authType)) return unauthorized;
    const insufficient = {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${contract.mcp[0]?.scopes}"`,
    };
    if (use.state === 'without MCP') return plain(403, insufficient);
    // What is told gets no result.
    if (typeof method === 'string' && method.startsWith('notifications/')) return plain(202);
    const found = markerFound(variables, person, body);
    const result = { tools, structuredContent: { found } };
    return plain(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  };
  return (request) => {
    const method = methodIn(request.body);
    const operation = contract.mcp.find(({ example }) => example?.['method'] === method);
    return operation && method !== undefined ? { operation, answer: answerTo(request, method) } : undefined;
  };

  function stateOf({ kind, validity, holding }: TokenUse): Use['state'] {
    if (contract.matrix.kinds[kind]?.family !== 'service') return 'other audience';
    if (validity !== 'valid' && validity !== 'future-expiry') return 'expired';
    if (holding === 'all') return 'valid';
    return holding === `only:${contract.mcp[0]?.scopes}` ? 'only MCP' : 'without MCP';
  }
}

/** The method of a message of JSON-RPC. A body that is no JSON, such as a variation sends it, is no message. */
function methodIn(body = ''): unknown {
  return body.includes('"jsonrpc"') ? Object(parsedJson(body)).method : undefined;
}
