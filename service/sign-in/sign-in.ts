import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import { errors } from '../store/oidc-provider.ts';
import type { People, Person } from '../store/people.ts';
import { isScope } from '../terms/operations.ts';
import { redirectTarget } from '../terms/redirect-uri.ts';
import { shownName } from './client-metadata.ts';
import { consentPage, errorPage, loginPage, pageHeaders, type ShownClient } from './sign-in-pages.ts';
import type { knownBrowsers, Throttle } from './sign-in-throttle.ts';

export interface SignInParts {
  readonly people: People;
  readonly auditTrail: Pick<AuditTrail, 'signedIn' | 'signInFailed' | 'grantCreated'>;
  /** Of wrong passwords on one page, from one browser or address, and for one email from everywhere. */
  readonly throttles: Readonly<Record<'page' | 'sender' | 'email', Throttle>>;
  readonly browsers: ReturnType<typeof knownBrowsers>;
  /** The client that records its own sign-ins. */
  readonly ownClientId: string;
  readonly log: Logger;
}

const maxFormBytes = 8 * 1024;

/** Adds sign-in and consent to the authorization server. The signed cookie of the browser is not sent by forms of other sites. */
export function signInListener(provider: Provider, parts: SignInParts): RequestListener {
  const { log } = parts;
  const protocol = provider.callback();
  return (request, response) => {
    if (!/^\/interaction\/[\w-]+$/.test(request.url ?? '')) {
      protocol(request, response);
      return;
    }
    interact(provider, parts, request, response).catch((error: unknown) => {
      const hasExpired = error instanceof Error && error.name === 'SessionNotFound';
      if (!hasExpired) log.error({ err: error }, 'sign-in failed');
      if (response.headersSent) response.end();
      else if (hasExpired)
        show(response, 400, errorPage('This sign-in has expired or was started in another browser.'));
      else if (error instanceof errors.TemporarilyUnavailable)
        show(response, 503, errorPage(error.error_description ?? error.message));
      else show(response, 500, errorPage('Something went wrong on the server.'));
    });
  };
}

async function interact(
  provider: Provider,
  parts: SignInParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  const client = await clientOf(provider, interaction, parts);
  // The browser sets this header (Fetch Metadata). Another port of this host is `same-site`, and its forms send the cookie.
  const site = request.headers['sec-fetch-site'];
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin')
    return show(response, 403, errorPage('This form comes from another site.'));
  const form = request.method === 'POST' ? await readForm(request) : undefined;
  if (form === 'too large') {
    // The rest of the form is not read, so the connection cannot be used again.
    response.setHeader('connection', 'close');
    return show(response, 413, errorPage(`The form has more than ${maxFormBytes} bytes.`));
  }

  switch (interaction.prompt.name) {
    case 'login': {
      if (!form) return show(response, 200, loginPage(client));
      const person = await signIn(parts, { client, form, uid: interaction.uid }, request, response);
      if (!person) return;
      await parts.browsers.remember(request, response, person.email);
      // The console records a sign-in itself, when it begins a session.
      if (!client.isOwn) await parts.auditTrail.signedIn(person, client.name);
      return provider.interactionFinished(request, response, { login: { accountId: person.id } });
    }
    case 'consent': {
      const person = await parts.people.findById(interaction.session?.accountId ?? '');
      if (!form) {
        const page = consentPage({ client, person, access: requestedAccess(interaction) });
        return show(response, 200, page);
      }
      const isAllowed = form.get('decision') === 'allow';
      const result = isAllowed ? await grant(provider, interaction) : denied;
      if (isAllowed && person) await parts.auditTrail.grantCreated(person, client.name);
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    }
    default:
      throw new Error(
        `oidc-provider asks for the page "${interaction.prompt.name}", but only login and consent exist.`,
      );
  }
}

interface Attempt {
  readonly client: ShownClient;
  readonly form: URLSearchParams;
  /** Of the interaction. */
  readonly uid: string;
}

/** Checks the email and password of the form. Without a match it sends the answer and returns undefined. */
async function signIn(
  { people, auditTrail, throttles, browsers, log }: SignInParts,
  { client, form, uid }: Attempt,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Person | undefined> {
  const email = form.get('email') ?? '';
  const sender = await browsers.senderOf(request, response, email);
  const subjects: readonly (readonly [keyof typeof throttles, string])[] = [
    ['page', uid],
    ['sender', sender.limited],
    // What strangers send does not lock out a browser that the person signed in with.
    ...(sender.isKnown ? [] : [['email', email] as const]),
  ];
  const takeBack = (counted = subjects) => {
    for (const [throttle, subject] of counted) throttles[throttle].takeBack(subject);
  };
  for (const [index, [throttle, subject]] of subjects.entries()) {
    const wait = throttles[throttle].attempt(subject);
    if (wait === undefined) continue;
    takeBack(subjects.slice(0, index));
    const where = throttle === 'page' ? 'on this page' : 'with this email';
    const problem = `There were too many attempts ${where}. Wait ${wait} seconds, then try again.`;
    response.setHeader('retry-after', wait);
    show(response, 429, loginPage(client, { email, problem }));
    return undefined;
  }
  const result = await people.signIn(email, form.get('password') ?? '', sender);
  switch (result.kind) {
    case 'signed in':
      takeBack();
      return result.person;
    case 'busy':
      takeBack();
      response.setHeader('retry-after', busySeconds);
      show(response, 503, loginPage(client, { email, problem: 'Too many people are signing in. Please try again.' }));
      return undefined;
    case 'wrong': {
      const problem = 'The email or the password is wrong. Please try again.';
      show(response, 401, loginPage(client, { email, problem }));
      // The failure is recorded after the answer, so that the response time does not tell whether the email exists. The log
      // does not contain the email, because people type passwords into that field by mistake.
      log.warn('sign-in refused');
      const failed = await people.find(email);
      if (failed) await auditTrail.signInFailed(failed);
      return undefined;
    }
  }
}

/** How soon a busy server can look at a password again, in seconds. */
const busySeconds = 5;

async function clientOf(
  provider: Provider,
  { params }: Interaction,
  { ownClientId }: SignInParts,
): Promise<ShownClient> {
  const id = String(params.client_id);
  const name = shownName((await provider.Client.find(id)) ?? { clientId: id });
  return { name, isOwn: id === ownClientId, target: redirectTarget(String(params.redirect_uri)) };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxFormBytes) return 'too large';
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Result = Parameters<Provider['interactionFinished']>[2];

export const denied: Result = { error: 'access_denied', error_description: 'The person did not consent.' };

/** Adds what the person allows now to the scopes that they allowed this client before. */
export async function grant(provider: Provider, { grantId, params, prompt, session }: Interaction): Promise<Result> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const granted = known ?? new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  const { missingOIDCScope, missingResourceScopes }: Missing = prompt.details;
  if (missingOIDCScope) granted.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    granted.addResourceScope(resource, scopes.join(' '));
  }
  return { consent: { grantId: await granted.save() } };
}

/**
 * All scopes that the request asks for at each resource. The page also lists what was granted before: a native client gets the
 * page each time, because another program may use its name (RFC 8252 8.6).
 */
export function requestedAccess({ params }: Interaction): { resource: string; scopes: readonly string[] }[] {
  const scopes = String(params.scope ?? '')
    .split(' ')
    .filter(isScope);
  if (scopes.length === 0) return [];
  return [params.resource ?? []].flat().map((resource) => ({ resource: String(resource), scopes }));
}

/** The scopes that are not granted yet. oidc-provider does not type these details. */
interface Missing {
  missingOIDCScope?: string[];
  missingResourceScopes?: Record<string, string[]>;
}
