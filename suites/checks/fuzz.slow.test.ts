import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import { headerOf, type PlainRequest, readToken } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { findToken } from '../../fixtures/plain/tokens.ts';
import { serveSocket } from '../../harness/testing/local-server.ts';
import { blameOnPlain, runCheck, runOnPlain, tokens } from '../testing/one-check.ts';
import { lifting } from '../testing/plain-deviants.ts';
import { fuzz } from './fuzz.ts';
import { grammar } from './grammar.ts';
import { tampering } from './tampering.ts';

const MOST_REQUESTS = 75;

test(`fuzzing passes on the plain target, with at most ${MOST_REQUESTS} requests`, async () => {
  let sent = 0;
  for (const check of [fuzz, grammar]) {
    const { decisions, requests } = await runOnPlain(check);
    sent += requests;
    expect(decisions.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
    expect(decisions).not.toEqual([]);
  }
  expect(sent).toBeLessThanOrEqual(MOST_REQUESTS);
});

const failing = { status: 500, message: 'Something went wrong' };
/** The plain target with a server error for the requests that `where` selects. */
const failingWhere = (where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: replaceCheck('path', (request, original) => (where(request) ? failing : original(request))),
});
/** The plain target that takes the requests that `where` selects for requests with USER_TOKEN. */
const trustingWhere = (where: (sent: string, request: Parameters<typeof readToken>[0]) => boolean): PlainOptions => ({
  readToken: (request) =>
    where(headerOf(request, 'authorization') ?? '', request) ? tokens.env.USER_TOKEN : readToken(request),
});
const actsAs = (request: PlainRequest) => headerOf(request, 'x-service-actas');

const broken: readonly (readonly [what: string, options: PlainOptions, blamed: string, why: RegExp])[] = [
  [
    'fails on a quote in Authorization',
    failingWhere((request) => headerOf(request, 'authorization')?.includes("'") === true),
    'authorization.malformed',
    /answered with 500: .*\(seed -?\d+, path [\d:]+\)\ncurl .*-H "Authorization: /,
  ],
  [
    'fails on a JWT whose header is no JSON',
    failingWhere(({ token, record }) => token?.includes('.e30.') === true && record === undefined),
    'token.unknown',
    /answered with 500/,
  ],
  [
    'accepts a JWT with alg none',
    {
      findToken: (token, known) => {
        const isUnsigned = /"none"/.test(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
        return findToken(isUnsigned ? (known.env.USER_TOKEN ?? '') : token, known);
      },
    },
    'token.unknown',
    /accepted with 200/,
  ],
  [
    'accepts Digest credentials',
    trustingWhere((sent) => sent.startsWith('Digest')),
    'authorization.malformed',
    /Digest username/,
  ],
  [
    'trusts X-Forwarded-User',
    trustingWhere((sent, request) => sent === '' && headerOf(request, 'x-forwarded-user') !== undefined),
    'authorization.required',
    /X-Forwarded-User.*\(seed/,
  ],
  [
    'fails on a very long X-Service-ActAs beside a USER token',
    failingWhere((request) => request.record?.kind === 'USER' && (actsAs(request)?.length ?? 0) > 1000),
    'act-as.not-needed',
    /answered with 500/,
  ],
  [
    'searches the acting user with a LIKE pattern',
    lifting('act-as.unknown', (request) => actsAs(request)?.includes('%') === true),
    'act-as.unknown',
    /accepted with 200: .*%/,
  ],
  [
    'looks up the authentication type as a property of an object',
    failingWhere((request) => headerOf(request, 'x-service-auth-type') === '__proto__'),
    'auth-type.other',
    /answered with 500: .*__proto__/,
  ],
];

describe('fuzzing blames a target that', () => {
  test.for(broken)('%s', async ([, options, requirement, why]) => {
    const found = await blameOnPlain(fuzz, options);
    expect(found.blamed).toEqual([requirement]);
    expect(found.why).toMatch(why);
  });
});

test('fuzzing decides nothing if no request is accepted after a value that got no answer', async () => {
  let isGone = false;
  const gone: PlainOptions = {
    checks: replaceCheck('path', (request, original) => {
      isGone ||= request.token?.includes('.e30.') === true && request.record === undefined;
      // Retries wait for a gateway. Without the header they take half a minute.
      return isGone ? { status: 503, headers: { 'Retry-After': '0' }, message: 'Nobody there' } : original(request);
    }),
  };
  const { decisions } = await runOnPlain(fuzz, gone);
  const lost = decisions.filter(({ detail }) => detail.startsWith('a value got no answer'));
  expect(lost).not.toEqual([]);
  expect(new Set(lost.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  expect(lost[0]?.detail).toMatch(/; nothing after it is accepted$/);
});

describe('a fault that the matrix blames', () => {
  const isBasic = (request: PlainRequest) => /^basic/i.test(headerOf(request, 'authorization') ?? '');

  test('does not hide an acceptance if it is only another refusal', async () => {
    const found = await blameOnPlain(fuzz, {
      ...trustingWhere((sent) => sent.includes("' OR '1'='1")),
      checks: replaceCheck('authorization.malformed', (request, original) =>
        isBasic(request) ? { status: 403, message: 'No' } : original(request),
      ),
    });
    expect(found.blamed).toEqual(['authorization.malformed']);
    expect(found.why).toMatch(/accepted with 200: .*OR/);
  });

  test('does not hide an acceptance if it is a server error', async () => {
    const acceptingDigest = trustingWhere((sent) => sent.startsWith('Digest'));
    const failingOnBasic = failingWhere(isBasic);
    expect((await blameOnPlain(fuzz, { ...acceptingDigest, ...failingOnBasic })).blamed).toEqual([
      'authorization.malformed',
    ]);
  });

  test('hides the same fault', async () => {
    const sameFault = failingWhere((request) => isBasic(request) || headerOf(request, 'authorization') === "Bearer '");
    expect((await blameOnPlain(fuzz, sameFault)).blamed).toEqual([]);
    const acceptsAnything = {
      findToken: (token: string, known: typeof tokens) =>
        findToken(token, known) ?? findToken(known.env.USER_TOKEN ?? '', known),
    };
    expect(await blameOnPlain(fuzz, acceptsAnything)).toEqual({ blamed: [], why: '' });
  });
});

/** Runs the grammar check against a socket server that answers the bytes of each request. */
async function runOnSocket(answerTo: (request: string) => string) {
  const server = await serveSocket((socket: Socket) => {
    socket.setEncoding('latin1');
    // The documented request with a token is accepted, so that a refusal means something.
    const reply = (text: string) =>
      text.includes(tokens.env.USER_TOKEN ?? '') ? saying('200 OK', found) : answerTo(text);
    socket.once('data', (text: unknown) => socket.end(reply(String(text))));
  });
  try {
    return (await runCheck(grammar, { env: { ...tokens.env, TARGET_BASE_URL: server.url } })).decisions;
  } finally {
    await server.close();
  }
}
const saying = (status: string, body = '') =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const found = JSON.stringify({ results: [], trackingToken: 'a', requestId: 'b' });

describe('a malformed HTTP request without a token', () => {
  test('is a failure if it is accepted', async () => {
    const [decision, ...more] = await runOnSocket((text) => saying(text.includes('\r\n \n') ? '200' : '401', found));
    expect(more).toEqual([]);
    const folded = await runOnSocket((text) => saying(text.includes('\r\n nobody') ? '200 OK' : '401 No', found));
    expect(decision?.verdict).toBe('observed');
    expect(folded).toMatchObject([{ requirement: 'authorization.required', kind: 'none', verdict: 'fail' }]);
    expect(folded[0]?.detail).toBe('a request without a token was accepted: a folded header line');
    expect(folded[0]?.curl).toMatch(/^printf \$'POST .*Authorization: Bearer\\r\\n nobody\\r\\n/);
  });

  test('is a failure on another path only if it gets the documented body', async () => {
    const toDots = (body: string) => (text: string) => saying(text.includes(' /x/..') ? '200 OK' : '401 No', body);
    expect(await runOnSocket(toDots('<h1>Welcome</h1>'))).toMatchObject([{ verdict: 'observed' }]);
    expect(await runOnSocket(toDots(found))).toMatchObject([
      { verdict: 'fail', detail: 'a request without a token was accepted: a dot segment in the path' },
    ]);
  });

  test('may cause a server error, which is recorded', async () => {
    const [decision] = await runOnSocket((text) => saying(text.includes('\0') ? '500 Oops' : '400 No'));
    expect(decision?.verdict).toBe('observed');
    expect(decision?.detail).toMatch(/^\d+ × 400, 2 × 500 \(a NUL in the method, a NUL in a header value\)$/);
  });

  test('is a failure if well-formed requests without a token are refused wrongly', async () => {
    const folded = await runOnSocket((text) => saying(text.includes('\r\n nobody') ? '200 OK' : '500 Oops', found));
    expect(folded).toMatchObject([
      { verdict: 'fail', detail: 'a request without a token was accepted: a folded header line' },
    ]);
  });

  test('is left to the matrix if well-formed requests without a token are accepted too', async () => {
    expect(await runOnSocket(() => saying('200 OK', found))).toEqual([]);
  });
});

test('a JWS whose payload is no JSON is tampered with in every other way, and shown nowhere', async () => {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  // A JWS may have any payload (RFC 7515 3).
  const jws = [
    part('{"alg":"HS256"}'),
    part('SECRET-payload-of-a-service'),
    part('a-signature-of-32-characters----'),
  ].join('.');
  const { decisions } = await runOnPlain(
    tampering,
    { findToken: (token, known) => findToken(token === jws ? (known.env['USER_TOKEN'] ?? '') : token, known) },
    { USER_TOKEN: jws },
  );
  const ofUser = decisions.filter(({ kind }) => kind === 'USER');
  expect(ofUser.length).toBeGreaterThan(5);
  expect(new Set(ofUser.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  expect(JSON.stringify(decisions)).not.toContain('SECRET');
});
