import { describe, expect, test } from 'vitest';
import type { Answer } from '../../fixtures/plain/answers.ts';
import { type PlainCheckId, plainChecks } from '../../fixtures/plain/checks.ts';
import { bodyField, chatPath, headerOf, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, blameOnPlain, runOnPlain, saying } from '../testing/one-check.ts';
import { influences } from './influences.ts';

/** The plain target whose check lets the requests pass that `where` selects. */
const lifting = (id: PlainCheckId, where: (request: PlainRequest) => boolean): PlainOptions => ({
  checks: plainChecks.map((known) =>
    known.id === id ? { id, check: (request) => (where(request) ? undefined : known.check(request)) } : known,
  ),
});
/** The plain target that also refuses the requests that `where` selects. */
const refusing = (where: (request: PlainRequest) => boolean): PlainOptions => {
  const refusal: Answer = { status: 400, message: 'No' };
  return { checks: [{ id: 'strict', check: (request) => (where(request) ? refusal : undefined) }, ...plainChecks] };
};
const has = (name: string, value?: string) => (request: PlainRequest) =>
  value === undefined ? headerOf(request, name) !== undefined : headerOf(request, name) === value;

test('passes on the plain target with every kind on both operations', async () => {
  const { decisions, requests } = await runOnPlain(influences);
  const [seen, ...others] = decisions.filter(({ verdict }) => verdict !== 'pass');
  expect(others).toEqual([]);
  expect(seen?.detail).toMatch(/is refused with the content type text\/plain/);
  // Two operations and seven kinds: GLOBAL has four bases, USER and the others two or three, and two are without a token.
  expect(decisions.filter(({ verdict }) => verdict === 'pass')).toHaveLength(2 * (2 + 4 + 2 + 4 * 3 + 2));
  expect(requests).toBeLessThan(200);
});

describe('what lifts a refusal is found and named', () => {
  test.each<[what: string, requirement: string, options: PlainOptions, named: RegExp]>([
    [
      'an address of this machine',
      'token.expired',
      lifting('token.expired', has('x-forwarded-for', '127.0.0.1')),
      /^an expired USER token is accepted with the header X-Forwarded-For: 127\.0\.0\.1$/m,
    ],
    [
      'a header with a second value',
      'act-as.unknown',
      lifting('act-as.unknown', (request) => /Googlebot/.test(headerOf(request, 'user-agent') ?? '')),
      /with the header User-Agent of \d+ characters$/m,
    ],
    [
      'a parameter',
      'scope.search',
      lifting('scope', ({ query, path }) => path === searchPath && /\bdebug=1\b/.test(query)),
      /a USER token without the scope is accepted with the parameter debug=1$/m,
    ],
    [
      'a body field on a chat',
      'scope.chat',
      lifting('scope', (request) => request.path === chatPath && bodyField(request, 'role') === 'admin'),
      /with the body field role$/m,
    ],
    [
      'a body in chunks',
      'auth-type.missing',
      lifting('auth-type', has('transfer-encoding')),
      /a GOOGLE token without X-Service-Auth-Type is accepted with a body in chunks$/m,
    ],
    [
      'a combination',
      'act-as.unknown',
      lifting('act-as.unknown', (request) => has('x-admin')(request) && bodyField(request, 'admin') === true),
      /with the header X-Admin: true and the body field admin$/m,
    ],
  ])('%s', async (_what, requirement, options, named) => {
    const { blamed, why } = await blameOnPlain(influences, options);
    expect(blamed).toEqual([requirement]);
    expect(why).toMatch(named);
  });
});

describe('a strict target', () => {
  test('passes, and what it refuses is observed', async () => {
    const strict = refusing((request) => has('x-debug')(request) || request.query.includes('test=1'));
    const { decisions } = await runOnPlain(influences, strict);
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
    const [seen] = decisions.filter(({ verdict }) => verdict === 'observed');
    expect(seen).toMatchObject({ requirement: 'search.success', kind: 'USER' });
    expect(seen?.detail).toMatch(/X-Debug: true/);
    expect(seen?.detail).toMatch(/parameter test=1/);
  });

  test('that accepts no influence passes nothing and is blamed for nothing', async () => {
    const { decisions } = await runOnPlain(
      influences,
      refusing(
        (request) =>
          request.query !== '' ||
          Object.keys(request.headers).some((name) => /^(x-(?!service)|cookie|forwarded|via|cf-|true|orig)/.test(name)),
      ),
    );
    expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  });

  test('is blamed for nothing if it answers an influence with a page', async () => {
    const paged = answering(has('x-original-url'), () => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{"status":"ok"}',
    }));
    const { blamed } = await blameOnPlain(influences, paged);
    expect(blamed).toEqual([]);
  });
});

test('is inconclusive if no answer comes', async () => {
  const { decisions } = await runOnPlain(influences, answering(has('x-debug'), saying(504)));
  expect(decisions.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});
