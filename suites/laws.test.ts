import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { send, succeed } from '../fixtures/plain/answers.ts';
import { plainChecks, replaceCheck } from '../fixtures/plain/checks.ts';
import { bodyField, headerOf, type PlainRequest, plainOperations, readToken } from '../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../fixtures/plain/target.ts';
import { findToken, type PlainTokens } from '../fixtures/plain/tokens.ts';
import type { Check } from '../harness/checks/check.ts';
import { alteration } from './checks/alteration.ts';
import { presentation } from './checks/presentation.ts';
import { repetition } from './checks/repetition.ts';
import { scopeOrder } from './checks/scope-order.ts';
import { blameOnPlain, runCheck, runOnPlain, tokens } from './testing/one-check.ts';

const laws = [scopeOrder, repetition, presentation, alteration];
const MOST_REQUESTS = 300;

test(`the laws pass on the plain target, with at most ${MOST_REQUESTS} requests for seven kinds`, async () => {
  let sent = 0;
  for (const law of laws) {
    const { decisions, requests } = await runOnPlain(law);
    sent += requests;
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(new Set(decisions.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(7);
  }
  expect(sent).toBeLessThanOrEqual(MOST_REQUESTS);
});

/** The plain target, where this is so, refuses what it would let pass. */
const refusingWhere = (where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: replaceCheck('scope', (request, original) =>
    where(request) ? { status: 403, message: 'Not like this' } : original(request),
  ),
});
/** The plain target, where this is so, does not look at scopes. */
const unscopedWhere = (where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: replaceCheck('scope', (request, original) => (where(request) ? undefined : original(request))),
});
const isUser = ({ record }: PlainRequest) => record?.kind === 'USER';
const names = ({ rawHeaders }: PlainRequest) => rawHeaders.filter((_, index) => index % 2 === 0);

/** Whether a token is one that was issued, or was made from one by a change behind its beginning. */
const isMadeFromOne = (token: string, { records }: PlainTokens) =>
  token.includes('.') || [...records.keys()].some((issued) => issued.slice(0, 8) === token.slice(0, 8));

interface Broken {
  readonly law: Check;
  readonly what: string;
  readonly options: () => PlainOptions;
  readonly blamed: readonly string[];
  /** What the finding says, the curl line included. */
  readonly why: RegExp;
}
const broken: readonly Broken[] = [
  {
    law: scopeOrder,
    what: 'forbids a USER token that holds all scopes but one',
    options: () => refusingWhere((request) => isUser(request) && request.record?.scopes.size === 18),
    blamed: ['scope.sole'],
    why: /only:SEARCH is accepted, one with all-but:CHAT, which includes it, gets 403\ncurl .*\$USER_TOKEN_ALL_BUT_CHAT/,
  },
  {
    law: scopeOrder,
    what: 'asks no scope of a USER token that holds but one',
    options: () => unscopedWhere((request) => isUser(request) && request.record?.scopes.size === 1),
    blamed: ['scope.chat', 'scope.search'],
    why: /none is accepted, one with all-but:SEARCH/,
  },
  {
    law: repetition,
    what: 'takes a USER token only once',
    options: () =>
      refusingWhere((request) => {
        const isAgain = request.server.has('used');
        if (isUser(request)) request.server.set('used', true);
        return isUser(request) && isAgain;
      }),
    blamed: ['user.accepted'],
    why: /gets 200 alone, but 403 .* when sent again in another order/,
  },
  {
    law: repetition,
    what: 'lets a token in that nobody issued once it was busy',
    options: () => {
      let underWay = 0;
      let wasBusy = false;
      return {
        readToken: (request) => {
          underWay += 1;
          wasBusy ||= underWay > 1;
          return readToken(request);
        },
        findToken: (token, known) =>
          findToken(wasBusy && !isMadeFromOne(token, known) ? (known.env.USER_TOKEN ?? '') : token, known),
        send: async (reply, response) => {
          await setTimeout(5);
          underWay -= 1;
          send(reply, response);
        },
      };
    },
    blamed: ['token.unknown'],
    why: /gets \d+ alone, but 200 .*when sent beside \d+ others \(seed -?\d+\)/,
  },
  {
    law: presentation,
    what: 'knows the header of the acting user in three spellings',
    options: () => ({
      checks: replaceCheck('act-as.missing', (request, original) => {
        const known = ['X-Service-ActAs', 'x-service-actas', 'X-SERVICE-ACTAS'];
        const isUnknown = names(request).some((name) => /^x-service-actas$/i.test(name) && !known.includes(name));
        return original(isUnknown ? { ...request, headers: { ...request.headers, 'x-service-actas': [] } } : request);
      }),
    }),
    blamed: ['headers.case'],
    why: /gets 200, but 400 with header names in another case \(seed -?\d+, path [\d:]+\)\ncurl .*-H "Authorization: .*\$GLOBAL_TOKEN/i,
  },
  {
    law: presentation,
    what: 'stumbles over headers that it does not know',
    options: () => refusingWhere((request) => isUser(request) && names(request).some((name) => /^x-conf/i.test(name))),
    blamed: ['user.accepted'],
    why: /gets 200, but 403 with the header x-conformance-\w: .*\ncurl .*-H "x-conformance-/,
  },
  {
    law: presentation,
    what: 'lets a token do everything beside a header that debugs',
    options: () => unscopedWhere((request) => headerOf(request, 'x-conformance-debug') !== undefined),
    blamed: ['scope.search'],
    why: /gets 403, but 200 with the header x-conformance-debug/,
  },
  {
    law: presentation,
    what: 'wants the token before the content type',
    options: () =>
      refusingWhere((request) => {
        const sent = names(request).map((name) => name.toLowerCase());
        return isUser(request) && sent.indexOf('authorization') > sent.indexOf('content-type');
      }),
    blamed: ['user.accepted'],
    why: /but 403 with header lines in another order/,
  },
  {
    law: presentation,
    what: 'wants no blank behind the body',
    options: () => refusingWhere((request) => isUser(request) && /\s$/.test(request.body)),
    blamed: ['user.accepted'],
    why: /but 403 with blanks in and around the body .*\ncurl .*--data-raw \$'\{.*\}(\s|\\\w)'/,
  },
  {
    law: presentation,
    what: 'refuses the first request on a connection where others went before it elsewhere',
    options: () => {
      let first: Map<string, unknown> | undefined;
      return refusingWhere((request) => {
        first ??= request.connection;
        return isUser(request) && request.connection !== first;
      });
    },
    blamed: ['user.accepted'],
    why: /but 403 with a connection of its own/,
  },
  {
    law: alteration,
    what: 'compares the first eight characters of a token',
    options: () => ({
      findToken: (token, known) =>
        findToken(token, known) ?? [...known.records].find(([issued]) => issued.slice(0, 8) === token.slice(0, 8))?.[1],
    }),
    blamed: ['token.tampered'],
    why: /accepted with character \d+ of 43 changed \(seed -?\d+, path [\d:]+\)\ncurl .*Bearer \$\{USER_TOKEN:0:\d+\}.\$\{USER_TOKEN:\d+\}/,
  },
  {
    law: alteration,
    what: 'compares the characters of a token in any order',
    options: () => ({
      findToken: (token, known) => {
        const sorted = (text: string) => [...text].sort().join('');
        return findToken(token, known) ?? [...known.records].find(([issued]) => sorted(issued) === sorted(token))?.[1];
      },
    }),
    blamed: ['token.tampered'],
    why: /accepted with character \d+ of 43 swapped with the next/,
  },
];

describe('a target that breaks a law is blamed for it', () => {
  test.for(broken)('$law.id: $what', async ({ law, options, blamed, why }) => {
    const found = await blameOnPlain(law, options());
    expect(found.blamed).toEqual(blamed);
    expect(found.why).toMatch(why);
  });
});

describe('what the matrix blames alone, the laws leave to it', () => {
  test.for(laws.map((law) => ({ law })))('$law.id', async ({ law }) => {
    const { blamed } = await blameOnPlain(law, refusingWhere(isUser));
    expect(blamed).toEqual([]);
  });
});

test('requests written by hand reach a target under a path, behind a gateway that wants a header', async () => {
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

test('a freedom is no difference: a body that is checked before the token changes no law', async () => {
  const bodyFirst: PlainOptions = {
    checks: [...plainChecks].reverse(),
    succeed: (request, person) => succeed(request, bodyField(request, 'query') === '' ? '' : person),
  };
  for (const law of laws) expect((await blameOnPlain(law, bodyFirst)).blamed).toEqual([]);
});
