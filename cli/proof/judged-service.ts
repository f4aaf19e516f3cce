import { randomBytes } from 'node:crypto';
import { mcpConfiguration } from '../../service/console/token-pages.ts';
import { browse } from '../../service/embedded/browser.ts';
import { register } from '../../service/embedded/oauth-client.ts';
import { listen } from '../../service/listen.ts';
import { startService } from '../../service/start.ts';
import { demoCompany } from '../../service/store/demo-company.ts';
import { cheapPasswordCost } from '../../service/store/password-hash.ts';
import { passOn } from './pass-on.ts';

/** The reference service as foreign judges get it. */
export interface JudgedService {
  readonly mcpUrl: string;
  /** The same server, for judges that cannot send a token: it adds one. */
  readonly openMcpUrl: string;
  readonly issuer: string;
  /** The line that the console gives for a client with a service-issued token. */
  readonly configuration: string;
  register(redirectUri: string): Promise<string>;
  /** Signs in and allows, as a person in a browser, and goes where the client waits. */
  allow(authorizationRequest: URL): Promise<void>;
  close(): Promise<void>;
}

const SUPER_ADMIN = 'grace@alder-finch.example';
const USER = 'priya@alder-finch.example';

export async function startJudgedService(): Promise<JudgedService> {
  const service = await startService({ passwordCost: cheapPasswordCost });
  const { store } = service.context;
  await store.seed(demoCompany);
  const password = randomBytes(12).toString('base64url');
  await store.people.setPassword(USER, password);
  const admin = await store.people.find(SUPER_ADMIN);
  if (!admin) throw new Error(`The demo company has no ${SUPER_ADMIN}.`);
  const scopes = ['MCP', 'SEARCH', 'CHAT'];
  const terms = { description: 'Foreign judges', permission: 'USER', scopes, userEmail: USER };
  const issued = await store.serviceTokens.issue(admin, terms);
  if (!issued.ok) throw new Error(issued.problems.map(({ message }) => message).join(' '));
  const proxy = await startTokenProxy(new URL(service.apiUrl), issued.secret);

  return {
    mcpUrl: service.audiences.mcp,
    openMcpUrl: proxy.url + new URL(service.audiences.mcp).pathname,
    issuer: service.authorizationServerUrl,
    configuration: mcpConfiguration(service.apiUrl, { Authorization: `Bearer ${issued.secret}` }),
    register: (redirectUri) => register(`${service.authorizationServerUrl}/reg`, redirectUri),
    async allow(authorizationRequest) {
      const waiting = authorizationRequest.searchParams.get('redirect_uri') ?? '';
      await fetch(await browse(authorizationRequest, { email: USER, password }, waiting));
    },
    close: async () => {
      await proxy.close();
      await service.close();
    },
  };
}

/** Passes every request on with this token. Host and Origin stay, because a judge looks at what they change. */
async function startTokenProxy(target: URL, token: string) {
  const { url, answerWith, close } = await listen({ limits: { grace: 0 } });
  answerWith((incoming, response) =>
    passOn(incoming, response, target, { ...incoming.headers, authorization: `Bearer ${token}` }),
  );
  return { url, close };
}
