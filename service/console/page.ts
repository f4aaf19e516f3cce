import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, style } from '../pages/html.ts';
import type { Role } from '../store/database/schema.ts';
import type { Person } from '../store/people.ts';

export interface Session {
  /** A hash of the session's secret, so it is safe to keep. */
  readonly id: string;
  readonly person: Person;
  /** The CSRF token of the forms in this session. */
  readonly csrf: string;
}

export interface Page {
  readonly title: string;
  readonly session?: Session | undefined;
  readonly section?: Section;
  /** For text and forms. Tables need the full width. */
  readonly narrow?: boolean;
  readonly content: Html;
}

const sections = ['tokens', 'applications', 'audit', 'people'] as const;
type Section = (typeof sections)[number];

export const roleNames: Readonly<Record<Role, string>> = {
  'super-admin': 'Super Admin',
  admin: 'Admin',
  'api-token-creator': 'API Token Creator',
  user: 'User',
};

export const mayCreate = ({ role }: Person) => role !== 'user';
export const maySeePeople = ({ role }: Person) => role === 'super-admin' || role === 'admin';

const tag = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 12);

const asset = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
const [script, icon] = [asset('console.js'), asset('icon.svg')];

/** The names contain a hash of the content, so browsers can cache the files forever. */
export const assets = [
  { path: `/assets/${tag(style)}.css`, type: 'text/css; charset=utf-8', body: style },
  { path: `/assets/${tag(script)}.js`, type: 'text/javascript; charset=utf-8', body: script },
  { path: `/assets/${tag(icon)}.svg`, type: 'image/svg+xml', body: icon },
] as const;

/** @param publicUrl the address of the service for browsers */
export function pageHeaders(publicUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    // Allows only resources of the console itself, and no framing (RFC 9700 4.16).
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // With `no-referrer`, browsers would send forms with the origin `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

export function render({ title, session, section, narrow = false, content }: Page): string {
  const [css, js, svg] = assets;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Client API console</title>
<link rel="stylesheet" href="/admin${css.path}">
<link rel="icon" href="/admin${svg.path}">
<script type="module" src="/admin${js.path}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><div>
<a class="brand" href="/admin">Client API console</a>
${session ? navigation(session, section) : null}
</div></header>
<main id="content" tabindex="-1"${narrow ? html` class="narrow"` : null}>
${content}
</main>
<footer><p>All dates and times are UTC.</p></footer>
<p id="status" class="visually-hidden" role="status"></p>
</body>
</html>
`;
  return markup;
}

function navigation({ person, csrf }: Session, here: Section | undefined): Html {
  const links = [
    ['tokens', '/admin', 'Tokens'],
    ['applications', '/admin/applications', 'Applications'],
    ['audit', '/admin/audit', 'Audit trail'],
    ...(maySeePeople(person) ? [['people', '/admin/people', 'People']] : []),
  ];
  const items = links.map(
    ([id = '', path = '', name = '']) =>
      html`<li><a href="${path}"${id === here ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  return html`<nav class="sections" aria-label="Sections"><ul>${items}</ul></nav>
<div class="account"><span><b>${person.name}</b> <span class="quiet">${roleNames[person.role]}</span></span>
<form method="post" action="/admin/sign-out">${csrfField(csrf)}<button class="link-button">Sign out</button></form></div>`;
}

/** The hidden field with the CSRF token. A form without it is refused. */
export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const dayOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** @param moment epoch milliseconds */
export function time(moment: number): Html {
  return html`<time datetime="${new Date(moment).toISOString()}">${full.format(moment)}</time>`;
}

/** @param date YYYY-MM-DD */
export function day(date: string): Html {
  return html`<time datetime="${date}">${dayOnly.format(Date.parse(date))}</time>`;
}

/** Reads a page number from a query. Anything invalid is page 1. */
export function pageNumber(text: unknown): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 && number < 1e6 ? number : 1;
}

/** Links to the newer and older pages; null when there is only one page. */
export function pager(path: string, page: number, hasMore: boolean, query: Record<string, string> = {}): Html | null {
  if (page === 1 && !hasMore) return null;
  const link = (to: number, name: string) =>
    html`<a href="${path}?${String(new URLSearchParams({ ...query, page: String(to) }))}">${name}</a>`;
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(page - 1, 'Newer') : null}
<span>Page ${page}</span>${hasMore ? link(page + 1, 'Older') : null}</nav>`;
}
