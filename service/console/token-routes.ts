import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TokenProblem } from '../store/service-token-request.ts';
import { tokenStates } from '../store/token-list.ts';
import { events } from './audit-page.ts';
import { mayCreate, pageNumber, type Session } from './page.ts';
import { type ConsoleOptions, redirect, show, showMessage } from './reply.ts';
import { formOf, requireSession } from './session.ts';
import { asRequest, emptyForm, readForm, suggested, type TokenForm, tokenFormPage } from './token-form-page.ts';
import { tokenListPage } from './token-list-page.ts';
import { createdPage, revokePage, tokenPage } from './token-pages.ts';

/** The result of a form. It does not contain the secret, because the secret is shown only once. */
type Submitted =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly problems: readonly TokenProblem[] };

interface OneToken {
  Params: { id: string };
}

export function tokenRoutes(app: FastifyInstance, { store, now, publicUrl }: ConsoleOptions): void {
  const submissions = createFormSubmissions<Submitted>(now);
  const secrets = createOneTimeSecrets(now);

  app.get<{ Querystring: Record<string, string | undefined> }>('/', async (request, reply) => {
    const session = requireSession(request);
    const { words, state, page } = request.query;
    const filter = {
      words: String(words ?? '').trim(),
      state: tokenStates.find((known) => known === state),
      page: pageNumber(page),
    };
    const listed = await store.tokenList.read(session.person, filter);
    return show(reply, {
      title: 'Tokens',
      session,
      section: 'tokens',
      content: tokenListPage(listed, filter, now(), session),
    });
  });

  const showForm = async (
    reply: FastifyReply,
    session: Session,
    form: TokenForm,
    problems: readonly TokenProblem[] = [],
  ) => {
    const people = session.person.role === 'super-admin' ? await store.people.all() : [];
    const content = tokenFormPage({ form, problems, people, session, now: now(), apiUrl: publicUrl });
    const status = problems.length === 0 ? 200 : problems.some(({ field }) => field === 'actor') ? 403 : 422;
    const title = problems.length === 0 ? 'Create a token' : 'No token was created';
    return show(reply, { title, session, section: 'tokens', narrow: true, content }, status);
  };

  app.get('/tokens/new', async (request, reply) => {
    const session = requireSession(request);
    if (mayCreate(session.person)) return showForm(reply, session, emptyForm(session.person));
    const text = 'Ask an Admin for the role API Token Creator.';
    return showMessage(reply, { title: 'You may not create tokens', text, status: 403, session });
  });

  app.post('/tokens', async (request, reply) => {
    const session = requireSession(request);
    const fields = formOf(request);
    const form = readForm(fields);
    const withSet = mayCreate(session.person) ? suggested(form, fields) : undefined;
    if (withSet) return showForm(reply, session, withSet);
    const submitted = await submissions.once(`${session.id} ${fields.get('form')}`, async () => {
      const issued = await store.serviceTokens.issue(session.person, asRequest(form));
      if (!issued.ok) return issued;
      secrets.put(`${session.id} ${issued.token.id}`, issued.secret);
      return { ok: true, id: issued.token.id };
    });
    if (!submitted.ok) return showForm(reply, session, form, submitted.problems);
    return redirect(reply, `/admin/tokens/${submitted.id}`);
  });

  // No HEAD route: a HEAD request would take the secret without showing it.
  app.get<OneToken>('/tokens/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const session = requireSession(request);
    const token = await store.tokenList.find(session.person, request.params.id);
    if (!token) return noSuchToken(reply, session);
    const secret = secrets.take(`${session.id} ${token.id}`);
    if (secret !== undefined) {
      const content = createdPage({ token, secret, creator: session.person.email, apiUrl: publicUrl }, now());
      return show(reply, { title: 'Token created', session, section: 'tokens', narrow: true, content });
    }
    const trail = events(await store.auditTrail.read(session.person, 1, token.id));
    const content = tokenPage(token, now(), trail);
    return show(reply, { title: token.description, session, section: 'tokens', narrow: true, content });
  });

  app.get<OneToken>('/tokens/:id/revoke', async (request, reply) => {
    const session = requireSession(request);
    const token = await store.tokenList.find(session.person, request.params.id);
    if (!token) return noSuchToken(reply, session);
    if (token.revokedAt !== null) return redirect(reply, `/admin/tokens/${token.id}`);
    const content = revokePage(token, now(), session);
    return show(reply, { title: 'Revoke a token', session, section: 'tokens', narrow: true, content });
  });

  app.post<OneToken>('/tokens/:id/revoke', async (request, reply) => {
    const session = requireSession(request);
    const token = await store.tokenList.find(session.person, request.params.id);
    if (!token) return noSuchToken(reply, session);
    await store.serviceTokens.revoke(session.person, token.id);
    return redirect(reply, `/admin/tokens/${token.id}`);
  });
}

function noSuchToken(reply: FastifyReply, session: Session): FastifyReply {
  const text = 'The token does not exist, or you have no access to it.';
  return showMessage(reply, { title: 'Token not found', text, status: 404, session });
}

/** How long a submission is remembered, and a secret waits for its page, in milliseconds. */
const keptFor = 10 * 60 * 1000;

/** Keeps values for a while, in memory only. */
function createMemory<T>(now: () => number) {
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(key: string): T | undefined {
      const found = entries.get(key);
      return found && found.until > now() ? found.value : undefined;
    },
    set(key: string, value: T): void {
      for (const [other, { until }] of entries) if (until <= now()) entries.delete(other);
      entries.set(key, { value, until: now() + keptFor });
    },
    delete: (key: string) => entries.delete(key),
  };
}

/** Gives a form that is submitted twice, for example by a double click, one effect and one answer. */
export function createFormSubmissions<T>(now: () => number) {
  const results = createMemory<Promise<T>>(now);
  return {
    /** Does the work once for each key. A second submission with the same key gets the result of the first. */
    once(key: string, work: () => Promise<T>): Promise<T> {
      const known = results.get(key);
      if (known) return known;
      const result = work();
      results.set(key, result);
      // A failed submission can be repeated.
      result.catch(() => results.delete(key));
      return result;
    },
  };
}

/**
 * Keeps the secret of a new token for the page after the form. The page can take it once (spec 8). The answer to the form
 * redirects to that page, because reloading an answer to a form would submit the form again.
 */
export function createOneTimeSecrets(now: () => number) {
  const secrets = createMemory<string>(now);
  return {
    put: secrets.set,
    /** Returns the secret and deletes it. */
    take(key: string): string | undefined {
      const secret = secrets.get(key);
      secrets.delete(key);
      return secret;
    },
  };
}
