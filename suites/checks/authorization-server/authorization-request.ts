import { createHash, randomBytes } from 'node:crypto';
import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type { Wanted } from '../../../harness/record/exchange.ts';
import { listed, type Metadata, reachable } from './discovery.ts';
import { REDIRECT_URI, type Registered } from './registration.ts';

/** Sends the well-formed authorization request of a client, with these parameters changed. */
export type Ask = (changes: Changes, shows: string, wanted?: Wanted) => Promise<Asked>;
type Changes = Readonly<Record<string, string | undefined>>;

export interface Asked {
  readonly shows: string;
  readonly answer: CheckAnswer;
  readonly leadsTo: Destination;
  /** Which page of the server it leads to. */
  readonly place: string;
  /** The state that it sent. */
  readonly state: string | null;
  /** The parameters of the response that a client would get. Undefined if the answer sends nobody to the client. */
  readonly response: URLSearchParams | undefined;
  /** Why no answer came. */
  readonly lost: string | undefined;
}

/** Undefined without a client, or if the metadata has no usable endpoint. */
export async function askerOf(api: CheckApi, server: Metadata, { clientId }: Registered): Promise<Ask | undefined> {
  const endpoint = clientId === undefined ? undefined : await reachable(api, server['authorization_endpoint']);
  if (!endpoint) return undefined;
  const [scope] = listed(server, 'scopes_supported');
  return async (changes, shows, wanted = 'either') => {
    const url = new URL(endpoint);
    const asked = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
      code_challenge_method: 'S256',
      scope,
      ...changes,
    };
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
    const answer = await api.visit({ url, shows, wanted });
    const outcome = outcomeOf(answer);
    const lost = outcome.kind === 'lost' ? outcome.why : undefined;
    const leadsTo = lost === undefined ? destinationOf(answer, url) : 'refused';
    const state = url.searchParams.get('state');
    return { shows, answer, lost, leadsTo, place: placeOf(answer, url), state, response: responseIn(answer) };
  };
}

/** The parameters of a query or a fragment (RFC 6749 4.1.2 and 4.2.2). */
function responseIn({ headers }: CheckAnswer): URLSearchParams | undefined {
  const [location = ''] = [headers['location'] ?? []].flat();
  const sent = location.slice(REDIRECT_URI.length);
  return location.startsWith(REDIRECT_URI) && /^[?#]/.test(sent)
    ? new URLSearchParams(sent.replace(/[?#]/g, '&'))
    : undefined;
}

/**
 * What an authorization request leads to: a sign-in, a page that asks for nothing, the client with an error, the client without
 * an error or the unregistered address, or a refusal.
 */
type Destination = 'sign-in' | 'page' | 'client error' | 'redirect' | 'refused';

function destinationOf(answer: CheckAnswer, asked: URL): Destination {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'lost' && outcome.status >= 400) return 'refused';
  const [line] = [answer.headers['location'] ?? []].flat();
  if (line === undefined || !URL.canParse(line, asked.href))
    return /<(form|input)\b/i.test(answer.text) ? 'sign-in' : 'page';
  const location = new URL(line, asked);
  const isAt = (uri: string) => location.href.split(/[?#]/)[0] === new URL(uri).href;
  const wanted = asked.searchParams.get('redirect_uri') ?? '';
  if (wanted !== REDIRECT_URI && isAt(wanted)) return 'redirect';
  const isError = location.searchParams.has('error');
  if (wanted === REDIRECT_URI && isAt(REDIRECT_URI)) return isError ? 'client error' : 'redirect';
  return isError ? 'refused' : 'sign-in';
}

/** The path of a page without the ids in it, and the fields that it asks for. */
export function placeOf({ headers, text }: Pick<CheckAnswer, 'headers' | 'text'>, asked: URL): string {
  const [line = ''] = [headers['location'] ?? []].flat();
  const { origin, pathname } = URL.canParse(line, asked.href) ? new URL(line, asked) : asked;
  const fields = [...text.matchAll(/<input\b[^>]*\bname="([^"]*)"/gi)].map(([, name]) => name);
  return [origin, pathname.replace(/[^/]*\d[^/]*|[^/]{16,}/g, ''), ...fields].join(' ');
}
