import { expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import { planRun } from '../run/plan-run.ts';
import { wireSending } from '../run/wire-sending.ts';
import { networkTransport } from '../send/transport.ts';
import {
  answer,
  casesAt,
  contract,
  exchangeOf,
  plannedCase,
  planWith,
  SEARCH_BODY,
  settingsWith,
} from '../testing/small-world.ts';
import { createCheckApi } from './check-api.ts';
import { createAnswersSoFar } from './check-world.ts';

const plan = planWith();
const [search, chat] = contract.operations;
const full = plannedCase(plan, 'search', 'USER');
const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const json = answer(200, SEARCH_BODY);
const page = answer(200, '<h1>Sign in</h1>', { 'content-type': 'text/html' });

/** What is known, and a list of exchanges that grows. */
function run() {
  const exchanges: Exchange[] = [];
  const soFar = createAnswersSoFar({ contract, plan, sender: { exchanges } });
  return { soFar, exchanges };
}

test('an operation was refused as soon as one request to it was, and no other operation was', () => {
  const { soFar, exchanges } = run();
  exchanges.push(exchangeOf(full, json, 1));
  expect(search && soFar.wasRefused(search)).toBe(false);
  exchanges.push(exchangeOf(expired, answer(401), 2));
  expect(search && soFar.wasRefused(search)).toBe(true);
  expect(chat && soFar.wasRefused(chat)).toBe(false);
});

test('an acceptance looks like most answers to requests that must be accepted', () => {
  const { soFar, exchanges } = run();
  expect(soFar.isAcceptance(page, search)).toBe(true);
  exchanges.push(exchangeOf(full, json, 1), exchangeOf(full, json, 2));
  expect(soFar.isAcceptance(page, search)).toBe(false);
  expect(soFar.isAcceptance(json, search)).toBe(true);
});

test('a page that answers requests that must be refused does not become an acceptance', () => {
  const { soFar, exchanges } = run();
  const pages = [3, 4, 5, 6].map((seq) => exchangeOf(expired, page, seq));
  exchanges.push(exchangeOf(full, json, 1), exchangeOf(full, json, 2), ...pages);
  expect(soFar.isAcceptance(page, search)).toBe(false);
});

test('any 2xx is an acceptance of a request to no operation', () => {
  const { soFar } = run();
  expect(soFar.isAcceptance(page, undefined)).toBe(true);
  expect(soFar.isAcceptance(answer(401), undefined)).toBe(false);
});

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
