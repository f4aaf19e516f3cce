import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { People, Person } from '../store/people.ts';
import { denied, grant, type Interaction, requestedAccess } from './consent.ts';
import { consentPage, errorPage, loginPage, pageHeaders } from './sign-in-pages.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface SignInParts {
  readonly people: People;
  readonly auditTrail: Pick<AuditTrail, 'signInFailed'>;
  readonly throttle: SignInThrottle;
  readonly log: Logger;
}

const maxFormBytes = 8 * 1024;

/**
 * Adds the sign-in page and the consent page to the authorization server. oidc-provider decides which page is next. It
 * recognises the browser by a signed cookie, which a form on another site does not send.
 */
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
  const client = await clientName(provider, interaction);
  const form = request.method === 'POST' ? await readForm(request) : undefined;

  switch (interaction.prompt.name) {
    case 'login': {
      if (!form) return show(response, 200, loginPage(client));
      const person = await signIn(parts, client, form, response);
      if (!person) return;
      return provider.interactionFinished(request, response, { login: { accountId: person.id } });
    }
    case 'consent': {
      const person = await parts.people.findById(interaction.session?.accountId ?? '');
      if (!form) {
        const redirectUri = String(interaction.params.redirect_uri);
        const page = consentPage({ client, person, access: requestedAccess(interaction), redirectUri });
        return show(response, 200, page);
      }
      const result = form.get('decision') === 'allow' ? await grant(provider, interaction) : denied;
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    }
    default:
      throw new Error(
        `oidc-provider asks for the page "${interaction.prompt.name}", but only login and consent exist.`,
      );
  }
}

/** Checks the email and password of the form. Without a match it sends the answer and returns undefined. */
async function signIn(
  { people, auditTrail, throttle, log }: SignInParts,
  client: string,
  form: URLSearchParams,
  response: ServerResponse,
): Promise<Person | undefined> {
  const email = form.get('email') ?? '';
  const wait = throttle.attempt(email);
  if (wait !== undefined) {
    const problem = `There were too many attempts with this email. Wait ${wait} seconds, then try again.`;
    response.setHeader('retry-after', wait);
    show(response, 429, loginPage(client, { email, problem }));
    return undefined;
  }
  const person = await people.signIn(email, form.get('password') ?? '');
  if (person) {
    throttle.succeeded(email);
    return person;
  }
  show(response, 401, loginPage(client, { email, problem: 'The email or the password is wrong. Please try again.' }));
  // The failure is recorded after the answer, so that the response time does not tell whether the email exists. The log does
  // not contain the email, because people type passwords into that field by mistake.
  log.warn('sign-in refused');
  const failed = await people.find(email);
  if (failed) await auditTrail.signInFailed(failed);
  return undefined;
}

async function clientName(provider: Provider, { params }: Interaction): Promise<string> {
  const id = String(params.client_id);
  return (await provider.Client.find(id))?.clientName ?? id;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxFormBytes) throw new Error(`The sign-in form has more than ${maxFormBytes} bytes.`);
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}
