import { onTestFinished } from 'vitest';
import { createBrowser, type Page, posting } from '../embedded/browser.ts';
import { type RunningService, startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import type { Person } from '../store/people.ts';

export const password = 'correct horse';
export const at = (name: string) => `${name}@alder-finch.example`;

/** Starts a service with the demo company. One person in each role can sign in: grace, tomas, mei and priya. */
export async function demoService(now: () => number = Date.now): Promise<RunningService> {
  const service = await startService({ now, passwordCost: cheapPasswordCost });
  const { store } = service.context;
  await store.seed(demoCompany);
  for (const name of ['grace', 'tomas', 'mei', 'priya']) await store.people.setPassword(at(name), password);
  return service;
}

export async function personNamed({ context }: RunningService, name: string): Promise<Person> {
  const person = await context.store.people.find(at(name));
  if (!person) throw new Error(`The demo company has no ${name}.`);
  return person;
}

type Fields = Record<string, string> | [string, string][];

/** A minimal browser: it keeps cookies and follows redirects. */
export interface Client {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Page>;
  /** Adds the CSRF token of the last page, unless the fields have one. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Page>;
  /** Sends one request and follows no redirect. */
  once(path: string, init?: RequestInit): Promise<Page>;
}

export function client({ apiUrl }: Pick<RunningService, 'apiUrl'>): Client {
  const { cookies, step, go } = createBrowser();
  let csrf = '';
  const remembering = async (answer: Promise<Page>): Promise<Page> => {
    const page = await answer;
    csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? csrf;
    return page;
  };
  const urlOf = (path: string) => new URL(path, apiUrl);
  return {
    cookies,
    once: (path, init) => remembering(step(urlOf(path), init)),
    get: (path) => remembering(go(urlOf(path))),
    post: (path, fields, headers = {}) => {
      const body = new URLSearchParams(fields);
      if (!body.has('csrf')) body.set('csrf', csrf);
      return remembering(go(urlOf(path), { ...posting(body), headers }));
    },
  };
}

/** Signs a person in. `page` is the page at `path` that the person wanted to see. */
export async function signedIn(
  service: Pick<RunningService, 'apiUrl'>,
  name: string,
  path = '/admin',
  secret = password,
): Promise<Client & { page: Page }> {
  const browser = client(service);
  const form = await browser.get(path);
  const page = await browser.post(form.url.href, { email: at(name), password: secret });
  return { ...browser, page };
}

/** Starts the demo service for one test and stops it afterwards. */
export async function demoServiceForTest(now?: () => number): Promise<RunningService> {
  const service = await demoService(now);
  onTestFinished(service.close);
  return service;
}
