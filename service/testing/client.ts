import { onTestFinished } from 'vitest';
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

export interface Answer {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}
type Fields = Record<string, string> | [string, string][];

/** A minimal browser: it keeps cookies and follows redirects. */
export interface Client {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  /** Adds the CSRF token of the last page, unless the fields have one. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Answer>;
  /** Sends one request and follows no redirect. */
  once(path: string, init?: RequestInit): Promise<Answer>;
}

export function client({ apiUrl }: Pick<RunningService, 'apiUrl'>): Client {
  const cookies = new Map<string, string>();
  let csrf = '';
  const once = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const url = new URL(path, apiUrl);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, ...init.headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? csrf;
    return { status: response.status, url, text, headers: response.headers };
  };
  const follow = async (first: Answer): Promise<Answer> => {
    let answer = first;
    for (let hops = 0; hops < 9; hops += 1) {
      const location = answer.headers.get('location');
      if (location === null) return answer;
      answer = await once(new URL(location, answer.url).href);
    }
    throw new Error(`Too many redirects, the last one to ${answer.url.pathname}.`);
  };
  return {
    cookies,
    once,
    get: async (path) => follow(await once(path)),
    post: async (path, fields, headers = {}) => {
      const body = new URLSearchParams(fields);
      if (!body.has('csrf')) body.set('csrf', csrf);
      return follow(await once(path, { method: 'POST', body, headers }));
    },
  };
}

/** Signs a person in. `page` is the page at `path` that the person wanted to see. */
export async function signedIn(
  service: Pick<RunningService, 'apiUrl'>,
  name: string,
  path = '/admin',
  secret = password,
): Promise<Client & { page: Answer }> {
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
