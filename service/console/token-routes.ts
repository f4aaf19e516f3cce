import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TokenProblem } from '../store/service-token-request.ts';
import { tokenStates } from '../store/token-list.ts';
import { openHandover } from './handover.ts';
import { mayCreate, type Visitor } from './page.ts';
import { pageNumber } from './pager.ts';
import { events } from './record-pages.ts';
import { type ConsoleOptions, redirect, show, showMessage } from './reply.ts';
import { asRequest, emptyForm, readForm, suggested, type TokenForm } from './token-form.ts';
import { tokenFormPage } from './token-form-page.ts';
import { tokenListPage } from './token-list-page.ts';
import { createdPage, revokePage, tokenPage } from './token-pages.ts';
import { formOf, presentVisitor } from './visitor.ts';

/** What became of a form. Not the secret: that is handed over once. */
type Sent =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly problems: readonly TokenProblem[] };

interface OneToken {
  Params: { id: string };
}

export function tokenRoutes(app: FastifyInstance, { store, now, publicUrl }: ConsoleOptions): void {
  const handover = openHandover<Sent>(now);

  app.get<{ Querystring: Record<string, string | undefined> }>('/', async (request, reply) => {
    const visitor = presentVisitor(request);
    const { words, state, page } = request.query;
    const filter = {
      words: String(words ?? '').trim(),
      state: tokenStates.find((known) => known === state),
      page: pageNumber(page),
    };
    const listed = await store.tokenList.read(visitor.person, filter);
    return show(reply, {
      title: 'Tokens',
      visitor,
      section: 'tokens',
      content: tokenListPage(listed, filter, now(), visitor),
    });
  });

  const showForm = async (
    reply: FastifyReply,
    visitor: Visitor,
    form: TokenForm,
    problems: readonly TokenProblem[] = [],
  ) => {
    const people = visitor.person.role === 'super-admin' ? await store.people.all() : [];
    const content = tokenFormPage({ form, problems, people, visitor, now: now() });
    const status = problems.length === 0 ? 200 : problems.some(({ field }) => field === 'actor') ? 403 : 422;
    const title = problems.length === 0 ? 'Create a token' : 'No token was created';
    return show(reply, { title, visitor, section: 'tokens', narrow: true, content }, status);
  };

  app.get('/tokens/new', async (request, reply) => {
    const visitor = presentVisitor(request);
    if (mayCreate(visitor.person)) return showForm(reply, visitor, emptyForm(visitor.person));
    const text = 'Ask an Admin for the role API Token Creator.';
    return showMessage(reply, { title: 'You may not create tokens', text, status: 403, visitor });
  });

  app.post('/tokens', async (request, reply) => {
    const visitor = presentVisitor(request);
    const fields = formOf(request);
    const form = readForm(fields);
    const withSet = suggested(form, fields);
    if (withSet) return showForm(reply, visitor, withSet);
    const sent = await handover.once(`${visitor.session} ${fields.get('form')}`, async () => {
      const issued = await store.serviceTokens.issue(visitor.person, asRequest(form));
      if (!issued.ok) return issued;
      handover.leave(`${visitor.session} ${issued.token.id}`, issued.secret);
      return { ok: true, id: issued.token.id };
    });
    return sent.ok ? redirect(reply, `/admin/tokens/${sent.id}`) : showForm(reply, visitor, form, sent.problems);
  });

  // Without HEAD, which would take the secret and show it to nobody.
  app.get<OneToken>('/tokens/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const visitor = presentVisitor(request);
    const token = await store.tokenList.find(visitor.person, request.params.id);
    if (!token) return noSuchToken(reply, visitor);
    const secret = handover.take(`${visitor.session} ${token.id}`);
    if (secret !== undefined) {
      const content = createdPage(token, secret, now(), visitor, publicUrl);
      return show(reply, { title: 'Token created', visitor, section: 'tokens', narrow: true, content });
    }
    const trail = events(await store.auditTrail.read(visitor.person, 1, token.id));
    const content = tokenPage(token, now(), trail);
    return show(reply, { title: token.description, visitor, section: 'tokens', narrow: true, content });
  });

  app.get<OneToken>('/tokens/:id/revoke', async (request, reply) => {
    const visitor = presentVisitor(request);
    const token = await store.tokenList.find(visitor.person, request.params.id);
    if (!token) return noSuchToken(reply, visitor);
    if (token.revokedAt !== null) return redirect(reply, `/admin/tokens/${token.id}`);
    const content = revokePage(token, now(), visitor);
    return show(reply, { title: 'Revoke a token', visitor, section: 'tokens', narrow: true, content });
  });

  app.post<OneToken>('/tokens/:id/revoke', async (request, reply) => {
    const visitor = presentVisitor(request);
    const token = await store.tokenList.find(visitor.person, request.params.id);
    if (!token) return noSuchToken(reply, visitor);
    await store.serviceTokens.revoke(visitor.person, token.id);
    return redirect(reply, `/admin/tokens/${token.id}`);
  });
}

function noSuchToken(reply: FastifyReply, visitor: Visitor): FastifyReply {
  const text = 'Or it is not yours to see.';
  return showMessage(reply, { title: 'There is no such token', text, status: 404, visitor });
}
