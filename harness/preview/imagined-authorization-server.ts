import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';

/** The description of a resource and its authorization server, for a rehearsal: what the RFCs advise, and nothing more. */
export interface ImaginedAuthorizationServer {
  /** What a challenge says of it (RFC 9728 5.1). */
  readonly challenge: string;
  visit(request: WireRequest): RawAnswer;
}

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';

export function imaginedAuthorizationServer({
  baseUrl,
  variables,
}: Pick<Settings, 'baseUrl' | 'variables'>): ImaginedAuthorizationServer {
  const { origin } = new URL(baseUrl);
  const issuer = variables.get('AUTHORIZATION_SERVER_ISSUER')?.value ?? origin;
  let registered: unknown;
  const answer = (status: number, json: object): RawAnswer => ({
    status,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(json),
    truncated: false,
  });
  return {
    challenge: `Bearer resource_metadata="${origin}${RESOURCE_PATH}"`,
    visit({ method, path, body = '' }) {
      const { pathname, searchParams } = new URL(path, origin);
      if (pathname === RESOURCE_PATH) return answer(200, { resource: origin, authorization_servers: [issuer] });
      if (pathname.startsWith(SERVER_PATH))
        return answer(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          code_challenge_methods_supported: ['S256'],
        });
      if (method === 'POST') {
        const { redirect_uris: uris } = Object(JSON.parse(body));
        [registered] = uris;
        return answer(201, { client_id: 'imagined', redirect_uris: uris });
      }
      const fine = searchParams.has('code_challenge') && searchParams.get('redirect_uri') === registered;
      return answer(fine ? 200 : 400, {});
    },
  };
}
