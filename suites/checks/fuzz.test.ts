import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import { headerOf, type PlainRequest, readToken } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { findToken } from '../../fixtures/plain/tokens.ts';
import { serveSocket } from '../../harness/testing/local-server.ts';
import { blameOnPlain, runCheck, runOnPlain, tokens } from '../testing/one-check.ts';
import { fuzz } from './fuzz.ts';
import { grammar } from './grammar.ts';

const MOST_REQUESTS = 70;

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
/** The plain target with a server error, or with USER_TOKEN in place of what was sent, where this is so. */
const failingWhere = (where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: replaceCheck('path', (request, original) => (where(request) ? failing : original(request))),
});
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
    /answered with 500 .*\(seed -?\d+, path [\d:]+\)\ncurl .*-H "Authorization: /,
  ],
  [
    'fails on a JWT whose header is no JSON',
    failingWhere(({ token, record }) => token?.includes('.e30.') === true && record === undefined),
    'token.unknown',
    /answered with 500/,
  ],
  [
    'believes a JWT that says that it is not signed',
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
    'lets a Digest in',
    trustingWhere((sent) => sent.startsWith('Digest')),
    'authorization.malformed',
    /Digest username/,
  ],
  [
    'believes whoever says that a gateway knows them',
    trustingWhere((sent, request) => sent === '' && headerOf(request, 'x-forwarded-user') !== undefined),
    'authorization.required',
    /X-Forwarded-User.*\(seed/,
  ],
  [
    'fails on a very long X-Service-ActAs that it does not need',
    failingWhere((request) => request.record?.kind === 'USER' && (actsAs(request)?.length ?? 0) > 1000),
    'act-as.not-needed',
    /answered with 500/,
  ],
  [
    'looks for the acting user by a pattern',
    {
      checks: replaceCheck('act-as.unknown', (request, original) =>
        actsAs(request)?.includes('%') ? undefined : original(request),
      ),
    },
    'act-as.unknown',
    /accepted with 200 .*%/,
  ],
  [
    'looks for the authentication type in an object',
    failingWhere((request) => headerOf(request, 'x-service-auth-type') === '__proto__'),
    'auth-type.other',
    /answered with 500 .*__proto__/,
  ],
];

describe('a target that stumbles over a value is blamed for it', () => {
  test.for(broken)('%s', async ([, options, requirement, why]) => {
    const found = await blameOnPlain(fuzz, options);
    expect(found.blamed).toEqual([requirement]);
    expect(found.why).toMatch(why);
  });
});

describe('what only misses what it should be hides nothing', () => {
  const isBasic = (request: PlainRequest) => /^basic/i.test(headerOf(request, 'authorization') ?? '');

  test('a Basic that is forbidden does not hide a token that is let in', async () => {
    const found = await blameOnPlain(fuzz, {
      ...trustingWhere((sent) => sent.includes("' OR '1'='1")),
      checks: replaceCheck('authorization.malformed', (request, original) =>
        isBasic(request) ? { status: 403, message: 'No' } : original(request),
      ),
    });
    expect(found.blamed).toEqual(['authorization.malformed']);
    expect(found.why).toMatch(/accepted with 200 .*OR/);
  });

  test('a server error does not hide an acceptance, nor an acceptance a server error', async () => {
    const letIn = trustingWhere((sent) => sent.startsWith('Digest'));
    const failingAt = failingWhere(isBasic);
    expect((await blameOnPlain(fuzz, { ...letIn, ...failingAt })).blamed).toEqual(['authorization.malformed']);
    const alike = failingWhere((request) => isBasic(request) || headerOf(request, 'authorization') === "Bearer '");
    expect((await blameOnPlain(fuzz, alike)).blamed).toEqual([]);
  });
});

test('what the matrix blames, fuzzing leaves to it', async () => {
  const takesAnything = {
    findToken: (token: string, known: typeof tokens) =>
      findToken(token, known) ?? findToken(known.env.USER_TOKEN ?? '', known),
  };
  expect(await blameOnPlain(fuzz, takesAnything)).toEqual({ blamed: [], why: '' });
});

/** A target of its own making: what it answers to the bytes of a request. */
async function runOnSocket(answerTo: (request: string) => string) {
  const server = await serveSocket((socket: Socket) => {
    socket.setEncoding('latin1');
    socket.once('data', (text: unknown) => socket.end(answerTo(String(text))));
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

describe('a request outside the grammar', () => {
  test('is a failure of the target when it gets in without a token', async () => {
    const [decision, ...more] = await runOnSocket((text) => saying(text.includes('\r\n \n') ? '200' : '401', found));
    expect(more).toEqual([]);
    const folded = await runOnSocket((text) => saying(text.includes('\r\n nobody') ? '200 OK' : '401 No', found));
    expect(decision?.verdict).toBe('observed');
    expect(folded).toMatchObject([{ requirement: 'authorization.required', kind: 'none', verdict: 'fail' }]);
    expect(folded[0]?.detail).toBe('accepted without a token: a folded line');
    expect(folded[0]?.curl).toMatch(/^printf \$'POST .*Authorization: Bearer\\r\\n nobody\\r\\n/);
  });

  test('gets in elsewhere only with the documented body: a landing page is none', async () => {
    const toDoubledSlash = (body: string) => (text: string) => saying(text.includes(' //') ? '200 OK' : '401 No', body);
    expect(await runOnSocket(toDoubledSlash('<h1>Welcome</h1>'))).toMatchObject([{ verdict: 'observed' }]);
    expect(await runOnSocket(toDoubledSlash(found))).toMatchObject([
      { verdict: 'fail', detail: 'accepted without a token: a doubled slash' },
    ]);
  });

  test('may provoke a server error, which is recorded', async () => {
    const [decision] = await runOnSocket((text) => saying(text.includes('\0') ? '500 Oops' : '400 No'));
    expect(decision?.verdict).toBe('observed');
    expect(decision?.detail).toMatch(/^\d+ × 400, 2 × 500 \(a NUL in the method, a NUL in a value\)$/);
  });

  test('is blamed where others without a token are refused in the wrong way', async () => {
    const folded = await runOnSocket((text) => saying(text.includes('\r\n nobody') ? '200 OK' : '500 Oops', found));
    expect(folded).toMatchObject([{ verdict: 'fail', detail: 'accepted without a token: a folded line' }]);
  });

  test('says nothing where everybody gets in: that is the matrix to say', async () => {
    expect(await runOnSocket(() => saying('200 OK', found))).toEqual([]);
  });
});
