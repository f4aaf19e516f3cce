import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { send, succeed } from '../fixtures/plain/answers.ts';
import { plainChecks, replaceCheck } from '../fixtures/plain/checks.ts';
import { bodyField, headerOf, type PlainRequest, plainOperations, readToken } from '../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../fixtures/plain/target.ts';
import { findToken, type PlainTokens } from '../fixtures/plain/tokens.ts';
import type { CheckRun } from '../harness/checks/check.ts';
import { presentation } from './checks/presentation.ts';
import { repetition } from './checks/repetition.ts';
import { scopeOrder } from './checks/scope-order.ts';
import { alteration } from './checks/tampering.ts';
import { blameOnPlain, runCheck, runOnPlain, tokens } from './testing/one-check.ts';
import { lifting } from './testing/plain-deviants.ts';

/** These checks compare the answers to related requests. They need no rules to know what is wrong. */
const propertyChecks = [scopeOrder, repetition, presentation, alteration];
/** A repeated refusal needs an acceptance of its operation and kind, so the number depends on what a run draws. */
const MOST_REQUESTS = 340;

test(`the property checks pass on the plain target, with at most ${MOST_REQUESTS} requests for seven kinds`, async () => {
  let sent = 0;
  for (const check of propertyChecks) {
    const { decisions, requests } = await runOnPlain(check);
    sent += requests;
    // Without tokens with fewer scopes there is nothing to compare.
    expect(decisions.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
    expect(new Set(decisions.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
  }
  expect(sent).toBeLessThanOrEqual(MOST_REQUESTS);
});

/** The plain target that refuses the requests that `where` selects. */
const refusingWhere = (where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: replaceCheck('scope', (request, original) =>
    where(request) ? { status: 403, message: 'Refused by this test' } : original(request),
  ),
});
const isUser = ({ record }: PlainRequest) => record?.kind === 'USER';
const names = ({ rawHeaders }: PlainRequest) => rawHeaders.filter((_, index) => index % 2 === 0);

/** Whether a token was issued, or was made by the suite from one that was issued. */
const isMadeFromIssued = (token: string, { records }: PlainTokens) =>
  token.includes('.') || [...records.keys()].some((issued) => issued.slice(0, 8) === token.slice(0, 8));

interface Violation {
  readonly check: CheckRun;
  readonly what: string;
  readonly options: () => PlainOptions;
  readonly blamed: readonly string[];
  /** Matches the detail and the curl line. */
  readonly why: RegExp;
}
const violations: readonly Violation[] = [
  {
    check: scopeOrder,
    what: 'refuses a USER token with all scopes but one',
    options: () => refusingWhere((request) => isUser(request) && request.record?.scopes.size === 18),
    blamed: ['scope.sole'],
    why: /only:SEARCH is accepted, but one with all-but:CHAT, which includes it, gets 403\ncurl .*\$USER_TOKEN_ALL_BUT_CHAT/,
  },
  {
    check: scopeOrder,
    what: 'does not check the scope of a USER token with a single scope',
    options: () => lifting('scope', (request) => isUser(request) && request.record?.scopes.size === 1),
    blamed: ['scope.chat', 'scope.search'],
    why: /none is accepted, but one with all-but:SEARCH/,
  },
  {
    check: repetition,
    what: 'accepts a USER token only once',
    options: () =>
      refusingWhere((request) => {
        const wasUsed = request.server.has('used');
        if (isUser(request)) request.server.set('used', true);
        return isUser(request) && wasUsed;
      }),
    blamed: ['user.accepted'],
    why: / sent again in another order .*: wanted 200, got 403/,
  },
  {
    check: repetition,
    what: 'accepts a token that nobody issued after it had concurrent requests',
    options: () => {
      let concurrent = 0;
      let wasBusy = false;
      return {
        readToken: (request) => {
          concurrent += 1;
          wasBusy ||= concurrent > 1;
          return readToken(request);
        },
        findToken: (token, known) =>
          findToken(wasBusy && !isMadeFromIssued(token, known) ? (known.env.USER_TOKEN ?? '') : token, known),
        send: async (reply, response) => {
          await setTimeout(5);
          concurrent -= 1;
          send(reply, response);
        },
      };
    },
    blamed: ['token.unknown'],
    why: / sent beside \d+ others \(seed -?\d+\): wanted 401, got 200/,
  },
  {
    check: presentation,
    what: 'knows X-Service-ActAs in three spellings only',
    options: () => ({
      checks: replaceCheck('act-as.missing', (request, original) => {
        const known = ['X-Service-ActAs', 'x-service-actas', 'X-SERVICE-ACTAS'];
        const isUnknown = names(request).some((name) => /^x-service-actas$/i.test(name) && !known.includes(name));
        return original(isUnknown ? { ...request, headers: { ...request.headers, 'x-service-actas': [] } } : request);
      }),
    }),
    blamed: ['headers.case'],
    why: /is accepted, but gets 400 with header names in another case\ncurl .*-H "aUtHoRiZaTiOn: .*\$GLOBAL_TOKEN/,
  },
  {
    check: presentation,
    what: 'requires Authorization before Content-Type',
    options: () =>
      refusingWhere((request) => {
        const sent = names(request).map((name) => name.toLowerCase());
        return isUser(request) && sent.indexOf('authorization') > sent.indexOf('content-type');
      }),
    blamed: ['user.accepted'],
    why: /but gets 403 with header lines in another order/,
  },
  {
    check: presentation,
    what: 'refuses whitespace after the body',
    options: () => refusingWhere((request) => isUser(request) && /\s$/.test(request.body)),
    blamed: ['user.accepted'],
    why: /but gets 403 with extra whitespace in the body\ncurl .*--data-raw ".*\}"\$'(?:\\x0a)+'""$/m,
  },
  {
    check: presentation,
    what: 'refuses every connection but the first',
    options: () => {
      let first: Map<string, unknown> | undefined;
      return refusingWhere((request) => {
        first ??= request.connection;
        return isUser(request) && request.connection !== first;
      });
    },
    blamed: ['user.accepted'],
    why: /but gets 403 with a new connection/,
  },
  {
    check: alteration,
    what: 'compares only the first eight characters of a token',
    options: () => ({
      findToken: (token, known) =>
        findToken(token, known) ?? [...known.records].find(([issued]) => issued.slice(0, 8) === token.slice(0, 8))?.[1],
    }),
    blamed: ['token.tampered'],
    why: /with character \d+ of 43 changed: wanted 401.*, got 200\ncurl .*Bearer \$\{USER_TOKEN:0:\d+\}.\$\{USER_TOKEN:\d+\}/,
  },
  {
    check: alteration,
    what: 'compares the characters of a token in any order',
    options: () => ({
      findToken: (token, known) => {
        const sorted = (text: string) => [...text].sort().join('');
        return findToken(token, known) ?? [...known.records].find(([issued]) => sorted(issued) === sorted(token))?.[1];
      },
    }),
    blamed: ['token.tampered'],
    why: /with character \d+ of 43 swapped with the next: wanted 401.*, got 200/,
  },
];

describe('a property check blames a target that violates the property', () => {
  test.for(violations)('$check.name: $what', async ({ check, options, blamed, why }) => {
    const found = await blameOnPlain(check, options());
    expect(found.blamed).toEqual(blamed);
    expect(found.why).toMatch(why);
  });
});

describe('a property check does not blame what the matrix blames', () => {
  test.for(propertyChecks.map((check) => ({ check })))('$check.id', async ({ check }) => {
    const { blamed } = await blameOnPlain(check, refusingWhere(isUser));
    expect(blamed).toEqual([]);
  });
});

test('raw requests reach a target below a path and behind a gateway that needs an extra header', async () => {
  const target = await startPlainTarget({
    tokens,
    operations: plainOperations.map((operation) => ({ ...operation, path: `/api${operation.path}` })),
    checks: replaceCheck('path', (request, original) =>
      headerOf(request, 'x-gateway') === 'open' ? original(request) : { status: 403, message: 'Closed' },
    ),
    succeed: () => ({ status: 200, body: { results: [], trackingToken: 'a', requestId: 'b' } }),
  });
  const TARGET_BASE_URL = `${target.env.TARGET_BASE_URL}/api/`;
  const env = { ...target.env, TARGET_BASE_URL, CONFORMANCE_EXTRA_HEADERS: '{"X-Gateway":"open"}' };
  const { decisions } = await runCheck(presentation, { env });
  await target.close();
  expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
});

test('the property checks do not blame a target that checks the body before the token', async () => {
  const bodyFirst: PlainOptions = {
    checks: [...plainChecks].reverse(),
    succeed: (request, person) => succeed(request, bodyField(request, 'query') === '' ? '' : person),
  };
  for (const check of propertyChecks) expect((await blameOnPlain(check, bodyFirst)).blamed).toEqual([]);
});
