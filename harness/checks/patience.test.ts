import { expect, test } from 'vitest';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { serveHttp } from '../testing/local-server.ts';
import { casesAt, contract, settingsWith } from '../testing/small-world.ts';
import { createCheckApi } from './check-api.ts';

const [operation] = contract.operations;
const odd = { operation, shows: 'it is answered', wanted: 'either', method: 'PUT', patienceMs: 100 } as const;
/** The client looks at its clock about every half second. */
const ANSWERS_MS = 2_000;

test.each([
  ['as long as it says', '10000', 'timeout'],
  ['as much longer as the timeout is longer than usual', '1000000', undefined],
])('an odd request waits %s', async (_what, timeout, failure) => {
  const server = await serveHttp((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.writeHead(405).end(), ANSWERS_MS));
  });
  const settings = settingsWith({ TARGET_BASE_URL: server.url, CONFORMANCE_TIMEOUT_MS: timeout });
  const { world } = wireSending(planRun(settings, { casesAt }), { journal: noJournal });
  const api = createCheckApi(world, 'check:own', 1);
  const { observation } = await api.call(odd);
  expect(observation.kind === 'failure' ? observation.failure : undefined).toBe(failure);
  await api.close();
  await world.transport.probe.close();
  await server.close();
});
