import { expect, test } from 'vitest';
import { replaceCheck } from '../fixtures/plain/checks.ts';
import type { PlainRequest } from '../fixtures/plain/request.ts';
import { startPlainTarget } from '../fixtures/plain/target.ts';
import { rehearsalClock } from '../harness/preview/rehearsal-clock.ts';
import { chatNeed } from '../harness/preview/rehearse.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';

/** The requests that a gateway refuses, whatever their token is. The specification says nothing about them. */
const refused: readonly (readonly [what: string, isRefused: (request: PlainRequest) => boolean])[] = [
  ['headers of proxies', ({ headers }) => Object.keys(headers).some((name) => /forwarded|^x-real-ip$/.test(name))],
  ['more than 20 headers', ({ headers }) => Object.keys(headers).length > 20],
  ['addresses of more than 256 characters', ({ query }) => query.length > 256],
];

test.each(refused)(
  'the chats of a plan suffice for a target on another machine that refuses %s',
  async (_what, isRefused) => {
    const tooMuch = { status: 400, message: 'The gateway refuses this request' };
    const target = await startPlainTarget({
      checks: replaceCheck(
        'path',
        (request, original) => original(request) ?? (isRefused(request) ? tooMuch : undefined),
      ),
    });
    const environment = { ...target.env, CONFORMANCE_CLAIMS: 'user global' };
    // Pauses take no time, and everything else is what a target on another machine gets.
    const settings = { ...readSettings(catalogueOf(contract), { environment, dotenv: {} }), loopback: false };
    const options = { checks, casesAt, intrusive: false };
    const chatLimit = (await chatNeed(settings, options))?.limit;
    const session = startSession(settings, { ...options, chatLimit, clock: rehearsalClock(), journal: noJournal });
    try {
      await session.preflight();
      await session.sendAll();
      const { ending, requirements } = session.judge();
      expect(requirements.flatMap(({ undecided }) => undecided)).toEqual([]);
      expect(ending).toBe('conforms');
    } finally {
      await session.close();
      await target.close();
    }
  },
  60_000,
);
