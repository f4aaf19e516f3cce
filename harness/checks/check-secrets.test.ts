import { expect, test } from 'vitest';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { networkTransport } from '../send/transport.ts';
import { casesAt, settingsWith } from '../testing/small-world.ts';
import { createCheckApi } from './check-api.ts';

test('the reason of ADMINISTRATION_COMMAND is redacted before it is shortened', async () => {
  const settings = settingsWith({
    CONFORMANCE_CLAIMS: 'user global scopes',
    TARGET_BASE_URL: 'http://127.0.0.1:9',
    USER_EMAIL: 'mei@people.example',
  });
  const why = `${'far too many words '.repeat(10)}for mei@people.example`;
  const { world } = wireSending(planRun(settings, { casesAt }), {
    journal: noJournal,
    transport: (input) => ({ ...networkTransport(input), administer: async () => ({ kind: 'refused', why }) }),
  });
  const api = createCheckApi(world, 'check:own', 1);
  const answer = await api.administer?.({ action: 'create', actor: 'user', token: {} });
  await api.close();
  await world.transport.probe.close();
  expect(answer).toEqual({ kind: 'refused', why: expect.stringMatching(/for <USER_$/) });
});
