import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { Settings } from '../settings/settings.ts';

/** An authorization server for a rehearsal: its metadata and the answers that the RFCs recommend. */
export interface ImaginedAuthorizationServer {
  /** The `WWW-Authenticate` value that points to the metadata of the resource (RFC 9728 5.1). */
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
          scopes_supported: ['SEARCH'],
          authorization_response_iss_parameter_supported: true,
        });
      if (method === 'POST') {
        const { redirect_uris: uris } = Object(JSON.parse(body));
        // Off this machine, a redirect URI needs https (RFC 9700 2.6).
        if (/^http:\/\/(?!127\.0\.0\.1)/.test(`${uris}`)) return answer(400, {});
        [registered] = uris;
        return answer(201, { client_id: 'imagined', redirect_uris: uris });
      }
      const valid = searchParams.has('code_challenge') && searchParams.get('redirect_uri') === registered;
      if (!valid || searchParams.get('prompt') !== 'none') return answer(valid ? 200 : 400, {});
      const location = `${registered}?${new URLSearchParams({ error: 'login_required', iss: issuer })}`;
      return { ...answer(303, {}), headers: { location } };
    },
  };
}
