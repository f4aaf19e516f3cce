import { expect, test } from 'vitest';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { serveHttp } from '../testing/local-server.ts';
import { casesAt, contract, settingsWith } from '../testing/small-world.ts';
import type { CheckApi } from './check.ts';
import { createCheckApi } from './check-api.ts';

/** A JWT that expired a second ago: the suite still takes it, because clocks differ. */
const claims = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) - 1 })).toString('base64url');
const token = `eyJhbGciOiJub25lIn0.${claims}.c2ln`;
const [operation] = contract.operations;
const aim = { operation, shows: 'it is accepted', wanted: 'accepted' } as const;

test.each<[string, (api: CheckApi) => Promise<unknown>]>([
  ['a request', (api) => api.call({ ...aim, credential: api.full('USER') })],
  [
    'a raw request',
    (api) =>
      api.raw({
        ...aim,
        text: `POST {base}/ HTTP/1.1\r\n{common}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        curl: () => '',
      }),
  ],
])('%s of a check whose token has expired decides nothing by its refusal', async (_what, send) => {
  const server = await serveHttp(
    (request, response) => void request.resume().on('end', () => response.writeHead(401).end()),
  );
  const settings = settingsWith({ TARGET_BASE_URL: server.url, USER_TOKEN: token });
  const { world, sender } = wireSending(planRun(settings, { casesAt }), { journal: noJournal });
  const api = createCheckApi(world, 'check:own', 1);
  await send(api);
  expect(sender.exchanges.map(({ observation }) => observation)).toMatchObject([{ kind: 'failure', failure: 'ended' }]);
  await api.close();
  await world.transport.probe.close();
  await server.close();
});
