import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../start.ts';

const password = 'correct horse';
const ann = 'ann@example.com';
/** A fifth of the real one, so that a busy machine can run this test. Forty connections still fill every place. */
const passwordCost = { ln: 14, r: 8, p: 1 };

/** A browser at an address of this machine. */
function browserAt(localAddress: string, start: string) {
  const dispatcher = new Agent({ localAddress });
  onTestFinished(() => dispatcher.destroy());
  const cookies = new Map<string, string>();
  const once = async (url: string, form?: Record<string, string>) => {
    const answer = await request(url, {
      dispatcher,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: String(new URLSearchParams(form)) }),
    });
    await answer.body.dump();
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: answer.statusCode, location: String(answer.headers.location ?? '') };
  };
  return {
    async openPage(): Promise<string> {
      let url = start;
      for (;;) {
        const { location } = await once(url);
        if (location === '') return url;
        url = new URL(location, url).href;
      }
    },
    post: async (page: string, email: string, secret: string) => (await once(page, { email, password: secret })).status,
  };
}

/** Forty connections post wrong passwords, with an email that this function makes, until the work is done. */
async function underAttack<T>(start: string, email: () => string, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const one = async () => {
    const attacker = browserAt('127.0.0.1', start);
    for (let page = await attacker.openPage(), count = 1; !isOver; count += 1) {
      await attacker.post(page, email(), 'wrong');
      if (count % 10 === 0) page = await attacker.openPage();
    }
  };
  const attack = Promise.all(Array.from({ length: 40 }, one));
  // The attack has filled every place.
  await new Promise((filled) => setTimeout(filled, 1000));
  try {
    return await work();
  } finally {
    isOver = true;
    await attack;
  }
}

/** How many of ten sign-ins end well within five seconds, each with as many attempts as a person makes: one a second. */
async function signedInOf(tries: number, { openPage, post }: ReturnType<typeof browserAt>): Promise<number> {
  let signedIn = 0;
  for (let count = 0; count < tries; count += 1) {
    const page = await openPage();
    for (const begun = Date.now(); Date.now() - begun < 5000; ) {
      const status = await post(page, ann, password);
      if (status === 303 && Date.now() - begun < 5000) signedIn += 1;
      if (status === 303) break;
      await new Promise((pause) => setTimeout(pause, 1000));
    }
  }
  return signedIn;
}

test.each<[string, () => string]>([
  ['of anybody', () => `${Math.random()}@example.com`],
  ['of the person', () => ann],
])(
  'wrong passwords %s on forty connections keep nobody out at another address, or in a browser that signed in before',
  async (_whose, email) => {
    const service = await startService({ passwordCost });
    onTestFinished(service.close);
    await service.context.store.people.add({ email: ann, name: 'Ann', role: 'user', password });
    const start = `${service.apiUrl}/admin`;
    const known = browserAt('127.0.0.1', start);
    expect(await known.post(await known.openPage(), ann, password)).toBe(303);
    const [there, before] = await underAttack(start, email, () =>
      Promise.all([signedInOf(10, browserAt('127.0.0.2', start)), signedInOf(10, known)]),
    );
    expect(there).toBeGreaterThanOrEqual(9);
    expect(before).toBeGreaterThanOrEqual(9);
  },
  300_000,
);
