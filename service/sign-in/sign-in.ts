import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { People, Person } from '../store/people.ts';
import { consentPage, errorPage, loginPage, pageHeaders } from './sign-in-pages.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

export interface SignInParts {
  readonly people: People;
  readonly auditTrail: Pick<AuditTrail, 'signInFailed'>;
  readonly budget: SignInThrottle;
  readonly log: Logger;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Result = Parameters<Provider['interactionFinished']>[2];

/** The largest form taken, in bytes. */
const formLimit = 8 * 1024;

/**
 * The authorization server with its two pages: signing in and consenting. Which of them is due, and that the browser
 * asking is the one that began, oidc-provider knows from its signed cookie, which other sites' forms do not carry.
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
      const gone = error instanceof Error && error.name === 'SessionNotFound';
      if (!gone) log.error({ err: error }, 'sign-in failed');
      if (response.headersSent) response.end();
      else if (gone) show(response, 400, errorPage('This sign-in is no longer open.'));
      else show(response, 500, errorPage('Something went wrong here.'));
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
        const page = consentPage({ client, person, access: accessAsked(interaction), redirectUri });
        return show(response, 200, page);
      }
      const result = form.get('decision') === 'allow' ? await grant(provider, interaction) : denied;
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    }
    default:
      throw new Error(
        `oidc-provider asks for "${interaction.prompt.name}"; there are pages for login and consent only.`,
      );
  }
}

/** Whoever the form names, or undefined when the answer is given already. */
async function signIn(
  { people, auditTrail, budget, log }: SignInParts,
  client: string,
  form: URLSearchParams,
  response: ServerResponse,
): Promise<Person | undefined> {
  const email = form.get('email') ?? '';
  const wait = budget.take(email);
  if (wait !== undefined) {
    const problem = `There were too many attempts with this email. Wait ${wait} seconds, then try again.`;
    response.setHeader('retry-after', wait);
    show(response, 429, loginPage(client, { email, problem }));
    return undefined;
  }
  const person = await people.signIn(email, form.get('password') ?? '');
  if (person) {
    budget.succeeded(email);
    return person;
  }
  show(response, 401, loginPage(client, { email, problem: 'Email or password is not right. Please try again.' }));
  // After the answer, which would else come later where the email names somebody. Whom it named is for the trail alone:
  // what was typed for an email may be a password.
  log.warn('sign-in refused');
  const named = await people.find(email);
  if (named) await auditTrail.signInFailed(named);
  return undefined;
}

const denied: Result = { error: 'access_denied', error_description: 'The person did not consent.' };

/** Writes down what the person allows, beside what they allowed this client before. */
async function grant(provider: Provider, { grantId, params, prompt, session }: Interaction): Promise<Result> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const granted = known ?? new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
  const { missingOIDCScope, missingResourceScopes } = missing(prompt.details);
  if (missingOIDCScope) granted.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    granted.addResourceScope(resource, scopes.join(' '));
  }
  return { consent: { grantId: await granted.save() } };
}

function accessAsked({ prompt }: Interaction): { resource: string; scopes: readonly string[] }[] {
  const { missingResourceScopes } = missing(prompt.details);
  return Object.entries(missingResourceScopes ?? {}).map(([resource, scopes]) => ({ resource, scopes }));
}

interface Missing {
  missingOIDCScope?: string[];
  missingResourceScopes?: Record<string, string[]>;
}

/** What oidc-provider finds not yet granted; its types leave this open. */
function missing(details: Missing): Missing {
  return details;
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
    if (size > formLimit) throw new Error(`The sign-in form has more than ${formLimit} bytes.`);
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, pageHeaders).end(page);
}
