import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { type Html, html } from '../pages/html.ts';
import type { Store } from '../store/store.ts';
import { type Page, render, type Session } from './page.ts';
import type { SignInClient } from './sign-in-client.ts';

export interface ConsoleOptions {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Where browsers and clients reach the service. */
  readonly publicUrl: string;
  readonly signIn: SignInClient;
}

export function show(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(render(page));
}

/** After a form, to a page that can be loaded again without sending the form again. */
export function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(path, 303);
}

export interface Message {
  readonly title: string;
  readonly text: string;
  readonly status: number;
  readonly session?: Session | undefined;
  /** Where to go from here; without it, back to the list. */
  readonly onward?: Html;
}

/** A page that says one thing. */
export function showMessage(reply: FastifyReply, { title, text, status, session, onward }: Message): FastifyReply {
  const link = onward ?? html`<a href="/admin">Back to the tokens</a>`;
  const content = html`<h1>${title}</h1><p class="lead">${text}</p><p class="actions">${link}</p>`;
  return show(reply, { title, session, narrow: true, content }, status);
}
