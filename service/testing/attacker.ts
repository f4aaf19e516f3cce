import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { type Page, posting } from '../embedded/browser.ts';
import type { RunningService } from '../start.ts';
import { type Reply, send } from './app.ts';
import { at, type Client, demoService, personNamed } from './client.ts';
import { stockClient } from './stock-client.ts';

// What an attacker has: sockets, requests, forms, and clients that they registered themselves.
export { send } from './app.ts';

/** Sends a form to an endpoint of the authorization server. */
export function postForm(
  { authorizationServerUrl }: RunningService,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Reply> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = String(new URLSearchParams(fields));
  return send(authorizationServerUrl + path, { method: 'POST', headers: { ...type, ...headers }, body });
}

/** Registers a client at the authorization server. */
export function register({ authorizationServerUrl }: RunningService, metadata: object): Promise<Reply> {
  const body = JSON.stringify({
    client_name: 'Notes',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    ...metadata,
  });
  return send(`${authorizationServerUrl}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

/** An authorization request with PKCE. `undefined` leaves a parameter out. */
export function authorizationRequest(
  { authorizationServerUrl }: RunningService,
  changes: Record<string, string | undefined>,
): { url: URL; verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL(`${authorizationServerUrl}/auth`);
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    scope: 'SEARCH',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier };
}

/** Follows redirects in this browser until a page, or until a redirect away from this origin. */
export async function toPage(browser: Client, start: string): Promise<Page> {
  let answer = await browser.once(start);
  for (let hops = 0; hops < 9; hops += 1) {
    const { location, url } = answer;
    if (location?.origin !== url.origin) return answer;
    answer = await browser.once(location.href);
  }
  throw new Error(`Too many redirects, the last one to ${answer.url.pathname}.`);
}

/** Sends the form of a page, and goes on to the next page or to the redirect that leaves this origin. */
export async function submit(browser: Client, page: Page, fields: Record<string, string>): Promise<Page> {
  const answer = await browser.once(page.url.href, posting(fields));
  return answer.location ? toPage(browser, answer.location.href) : answer;
}

/** Writes these bytes to the server and returns all that comes back until it closes the connection or falls silent. */
export function raw(url: string, bytes: string | Buffer, silence = 300): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(silence, end);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', end);
    socket.on('error', (error) => (chunks.length > 0 ? end() : reject(error)));
  });
}

/** The status codes of all answers in what came back. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

export const evilUri = 'https://evil.example/phish';

/** A service, a client of a person, and a client of the attacker. */
export async function attackedService() {
  const service = await demoService();
  const victim = await stockClient(service.apiUrl);
  const evil = String((await register(service, { redirect_uris: [evilUri] })).json['client_id']);
  return { service, victim, evil };
}

/** The secret of a token with which Priya searches. */
export async function secretOfPriya(service: RunningService): Promise<string> {
  const issued = await service.context.store.serviceTokens.issue(await personNamed(service, 'grace'), {
    description: 'attack',
    permission: 'USER',
    scopes: ['SEARCH'],
    userEmail: at('priya'),
  });
  if (!issued.ok) throw new Error('There is no token.');
  return issued.secret;
}
