import { describe, expect, test } from 'vitest';
import { type Answer, identify, succeed } from '../../fixtures/plain/answers.ts';
import { plainChecks } from '../../fixtures/plain/checks.ts';
import { actAsEmail, findDocuments, userEmail } from '../../fixtures/plain/people.ts';
import { bodyField, chatPath, headerOf, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { sideDoors as variants } from '../../fixtures/variants/influences.ts';
import { answering, blameOnPlain, runOnPlain, saying, tellingOnPlain } from '../testing/one-check.ts';
import { lifting, ofPlain } from '../testing/plain-deviants.ts';
import { influences } from './influences.ts';

/** The plain target that also refuses the requests that `where` selects. */
const refusing = (where: (request: PlainRequest) => boolean): PlainOptions => {
  const refusal: Answer = { status: 400, message: 'No' };
  return { checks: [{ id: 'strict', check: (request) => (where(request) ? refusal : undefined) }, ...plainChecks] };
};
const has = (name: string, value?: string) => (request: PlainRequest) =>
  value === undefined ? headerOf(request, name) !== undefined : headerOf(request, name) === value;

test('passes on the plain target with every kind on both operations', async () => {
  const { decisions, requests } = await runOnPlain(influences);
  const seen = decisions.filter(({ verdict }) => verdict !== 'pass');
  expect(new Set(seen.map(({ requirement }) => requirement))).toEqual(new Set(['search.success', 'chat.success']));
  expect(seen.map(({ detail }) => detail).join()).toMatch(/is refused with .*a compressed body/);
  // Two operations and seven kinds: GLOBAL has four refusals, two of them for either person, USER two, the others three or four, and two are without a token. What is hidden is decided for each kind on the search.
  const telling = 2 * (2 + 6 + 3 + 4 * 4 + 2) + 1 + 6 * 2;
  expect(decisions.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(telling);
  expect(requests).toBeLessThan(3450);
});

test('what hides every first result, such as a later page, hides no other field that shows too much', async () => {
  const asked = (request: PlainRequest, field: string) => bodyField(request, field) !== undefined;
  const options: PlainOptions = {
    succeed(request, person) {
      const isWide = bodyField(request, 'explain') === true && request.record?.kind !== 'GLOBAL';
      const all = isWide ? [...new Set([person, actAsEmail, userEmail])] : [person];
      const query = String(bodyField(request, 'query'));
      const found = all.flatMap((one) => findDocuments(query, one));
      const answer = succeed(request, person);
      const results = asked(request, 'offset') ? found.slice(1) : found;
      return request.path === searchPath ? { ...answer, body: { ...Object(answer.body), results } } : answer;
    },
  };
  const { blamed, why } = await blameOnPlain(influences, options);
  expect(blamed).toEqual(['user.isolation']);
  expect(why).toMatch(/with the \w+ token and the body field explain, /);
});

test('blames nothing where GLOBAL tokens alone are accepted: they run as the person whom they name', async () => {
  const withoutOthers = refusing(({ record }) => record !== undefined && record.kind !== 'GLOBAL');
  const { decisions } = await runOnPlain(influences, withoutOthers);
  expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
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
      /a USER token with all-but:SEARCH is accepted with the parameter debug=1$/m,
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
      'a header that few servers know, for one kind of token',
      'auth-type.missing',
      lifting('auth-type', (request) => has('x-cluster-ip')(request) && request.record?.kind === 'AZURE'),
      /an AZURE token without X-Service-Auth-Type is accepted with the header X-Cluster-IP: 127\.0\.0\.1$/m,
    ],
    [
      'a combination',
      'act-as.unknown',
      lifting('act-as.unknown', (request) => has('x-forwarded-for')(request) && bodyField(request, 'admin') === true),
      /with the body field admin and the header X-Forwarded-For: 127\.0\.0\.1$/m,
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

describe('a header that leads to another method, which answers like a chat', () => {
  const overrides = has('x-http-method-override', 'OPTIONS');
  const [{ options }] = ofPlain(variants, /^plain\.options-like-chat\.override$/);
  const obeying = options();

  test('is observed, because nothing shows that the operation runs', async () => {
    const { decisions } = await runOnPlain(influences, obeying);
    const ofChat = decisions.filter(({ operation }) => operation === 'chat');
    expect(ofChat.map(({ detail }) => detail)).toContain(
      'the header X-HTTP-Method-Override: OPTIONS: nothing shows that the operation runs with it',
    );
    expect(decisions.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  test('hides no other influence', async () => {
    const lifts = lifting('token.expired', (it) => it.path === chatPath && bodyField(it, 'role') === 'admin');
    const { blamed, why } = await blameOnPlain(influences, { ...obeying, ...lifts });
    expect(blamed).toEqual(['token.expired']);
    expect(why).toMatch(/an expired USER token is accepted with the body field role$/m);
  });

  const short: PlainOptions = {
    succeed: (request, person) =>
      request.path === chatPath ? { status: 200, body: { ok: true } } : succeed(request, person),
  };

  test('is blamed if it lifts a refusal, and the chat needs its query', async () => {
    const lifts = lifting('token.expired', (it) => it.path === chatPath && overrides(it));
    const { blamed, why } = await blameOnPlain(influences, { ...short, ...lifts });
    expect(blamed).toEqual(['token.expired']);
    expect(why).toMatch(/is accepted with the header X-HTTP-Method-Override: OPTIONS$/m);
  });

  test('is not needed for blame: a header that leads nowhere else is blamed if the chat needs no query', async () => {
    const { checks = [] } = lifting('token.expired', (it) => it.path === chatPath && has('x-admin')(it));
    const unread = checks.filter(({ id }) => id !== 'body.fields');
    const { blamed, why } = await blameOnPlain(influences, { ...short, checks: unread });
    expect(blamed).toEqual(['token.expired']);
    expect(why).toMatch(/is accepted with the header X-Admin: true$/m);
  });
});

/** What fails without the whole breadth. */
const failures = async (options: PlainOptions) =>
  (await tellingOnPlain([influences], options)).flatMap(({ verdict, operation, detail }) =>
    verdict === 'fail' ? [`${operation}: ${detail}`] : [],
  );

test.each([
  ['the header X-On-Behalf-Of', (request: PlainRequest) => headerOf(request, 'x-on-behalf-of')],
  ['the body field owner', (request: PlainRequest) => bodyField(request, 'owner')],
])(
  'without the whole breadth, nobody runs as the person whom %s names, though few have heard of it',
  async (how, of) => {
    const found = await failures({ identify: (request) => String(of(request) ?? identify(request)) });
    expect(found).toEqual([expect.stringContaining(`search: with the USER token and ${how}`)]);
  },
);

describe('without the whole breadth, a documented header that the token of a chat does not need', () => {
  const ofUser = (name: string) => (request: PlainRequest) => request.record?.kind === 'USER' && has(name)(request);

  test.each(['X-Service-ActAs', 'X-Service-Auth-Type'])('lifts no refusal: %s', async (name) => {
    const sent = (request: PlainRequest) => request.path === chatPath && ofUser(name.toLowerCase())(request);
    expect(await failures(lifting('token.expired', sent))).toEqual([
      expect.stringMatching('chat: an expired USER token is accepted with the'),
    ]);
  });

  test('may be refused', async () => {
    expect(await failures(refusing(ofUser('x-service-actas')))).toEqual([]);
    const strict = (request: PlainRequest) => request.record?.kind !== 'GLOBAL' && has('x-service-actas')(request);
    expect(await failures(refusing(strict))).toEqual([]);
  });

  test('is sent with no other kind of token, once it was refused', async () => {
    const kinds: (string | undefined)[] = [];
    const refused = refusing((request) => {
      const isBundle = request.rawHeaders.length > 60 && request.path === chatPath;
      if (isBundle && has('x-service-actas')(request)) kinds.push(request.record?.kind);
      return ofUser('x-service-actas')(request);
    });
    expect(await failures(refused)).toEqual([]);
    expect(new Set(kinds)).toEqual(new Set(['USER', 'GLOBAL']));
  });
});
