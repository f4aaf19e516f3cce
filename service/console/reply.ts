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
  /** The address of the service for browsers and clients. */
  readonly publicUrl: string;
  readonly signIn: SignInClient;
}

export function show(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(render(page));
}

/** Redirects with GET, so that reloading the page does not submit a form again (RFC 9110 15.4.4). */
export function redirect(reply: FastifyReply, path: string): FastifyReply {
  return reply.redirect(path, 303);
}

export interface Message {
  readonly title: string;
  readonly text: string;
  readonly status: number;
  readonly session?: Session | undefined;
  /** The link below the text. Default: back to the list of tokens. */
  readonly link?: Html;
}

export function showMessage(reply: FastifyReply, { title, text, status, session, link }: Message): FastifyReply {
  const next = link ?? html`<a href="/admin">Back to the tokens</a>`;
  const content = html`<h1>${title}</h1><p class="lead">${text}</p><p class="actions">${next}</p>`;
  return show(reply, { title, session, narrow: true, content }, status);
}
