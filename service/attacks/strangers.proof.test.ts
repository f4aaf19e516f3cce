import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { submit, toPage } from '../testing/attacker.ts';
import { at, client, demoServiceForTest, password } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

// What a stranger sends never ends what a person with a consent or a session does (ASVS 11.1.4).

const priya = { email: at('priya'), password };

/** Sends one request many times, over forty connections. */
async function flood(count: number, url: string): Promise<void> {
  const dispatcher = new Agent({ connections: 40 });
  onTestFinished(() => dispatcher.close());
  let left = count;
  const one = async () => {
    while (left-- > 0) await (await request(url, { dispatcher })).body.dump();
  };
  await Promise.all(Array.from({ length: 40 }, one));
}

test('10,600 sign-ins that a stranger begins leave nothing, and those that people had begun end well', async () => {
  const service = await demoServiceForTest();
  const { store } = service.context;
  const app = await stockClient(service.apiUrl);
  const begin = async () => {
    const begun = await app.begin('SEARCH');
    const browser = client({ apiUrl: service.authorizationServerUrl });
    return { begun, browser, page: await toPage(browser, begun.url.href) };
  };
  const [early, late] = [await begin(), await begin()];
  const consent = await submit(late.browser, late.page, priya);
  const before = await store.authorization.count();
  await flood(10_600, (await app.begin('SEARCH')).url.href);
  expect(await store.authorization.count()).toBe(before);

  for (const [{ begun, browser }, page] of [
    [late, consent],
    [early, await submit(early.browser, early.page, priya)],
  ] as const) {
    const back = await submit(browser, page, { decision: 'allow' });
    expect(await app.redeem(new URL(back.headers.get('location') ?? ''), begun)).toMatchObject({ scope: 'SEARCH' });
  }
}, 300_000);
