import { onTestFinished } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import type { Person } from '../store/people.ts';

export const password = 'correct horse';
export const at = (name: string) => `${name}@alder-finch.example`;

/** A service with the demo company, of whom one in each role can sign in. */
export async function demoService(now: () => number = Date.now): Promise<RunningService> {
  const service = await startService({ now, passwordCost: cheapPasswordCost });
  const { store } = service.context;
  await store.seed(demoCompany);
  for (const name of ['grace', 'tomas', 'mei', 'priya']) await store.people.setPassword(at(name), password);
  return service;
}

export async function personNamed({ context }: RunningService, name: string): Promise<Person> {
  const person = await context.store.people.find(at(name));
  if (!person) throw new Error(`there is no ${name}`);
  return person;
}

export interface Answer {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
}
type Fields = Record<string, string> | [string, string][];

/** A browser without eyes: cookies by host, redirects followed by GET. */
export interface Client {
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Answer>;
  /** With the mark of the last page, unless `csrf` is among the fields. */
  post(path: string, fields: Fields, headers?: Record<string, string>): Promise<Answer>;
  /** One request, no redirect followed. */
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
    throw new Error(`led in circles, last to ${answer.url.pathname}`);
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

/** Signs in and stands before the page that was asked for. */
export async function signedIn(
  service: Pick<RunningService, 'apiUrl'>,
  name: string,
  path = '/admin',
  word = password,
): Promise<Client & { page: Answer }> {
  const browser = client(service);
  const form = await browser.get(path);
  const page = await browser.post(form.url.href, { email: at(name), password: word });
  return { ...browser, page };
}

/** The service for one test. */
export async function demoServiceForTest(now?: () => number): Promise<RunningService> {
  const service = await demoService(now);
  onTestFinished(service.close);
  return service;
}
