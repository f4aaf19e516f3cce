import { describe, expect, test } from 'vitest';
import { identify, succeed } from '../../../fixtures/plain/answers.ts';
import { actAsEmail, findDocuments } from '../../../fixtures/plain/people.ts';
import { bodyField, headerOf, type PlainRequest, searchPath } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import { answering, blameOnPlain, runOnPlain, saying, tellingOnPlain, tokens } from '../../testing/one-check.ts';
import { ofPlain, optionsOfRow, plainDeviants } from '../../testing/plain-deviants.ts';
import { circumstances } from './circumstances.ts';
import { escalation } from './escalation.ts';
import { isolation } from './isolation.ts';
import { pages } from './pages.ts';
import { paging } from './paging.ts';

const deviants = plainDeviants(
  /^plain\.(act-as-impersonates\.(with|single)|act-as-ignored\.with|isolation-off\.(wildcard|empty-query|email|chat-alone)|session-cookie-)/,
);

const SERVICE = { CONFORMANCE_CLAIMS: 'user global oauth' };

async function decide(options: PlainOptions = {}, env: Readonly<Record<string, string>> = SERVICE) {
  const { decisions } = await runOnPlain(circumstances, options, env);
  return decisions.map(
    ({ requirement, kind, operation, verdict }) => `${operation} ${kind} ${requirement}: ${verdict}`,
  );
}

/** What the check blames where a search shows to the requests that `when` selects what anybody would find. */
async function blamedWhere(when: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const options = optionsOfRow({ shows: 'everybody', when });
  const { decisions } = await runOnPlain(circumstances, options, { CONFORMANCE_CLAIMS: 'user global' });
  return decisions.flatMap(({ verdict, requirement }) => (verdict === 'fail' ? [requirement] : []));
}

describe('tokens that differ in their scopes', () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['all but one', 'user.isolation', { kind: 'USER', scopes: '(?!.*CHAT)(\\w+ ){17}\\w+' }],
    ['one, as the second person', 'act-as.effective', { scopes: 'SEARCH', 'x-service-actas': '$USER_EMAIL' }],
  ])('show the documents of others with %s, and break %s', async (_what, requirement, when) => {
    expect(await blamedWhere(when)).toEqual([requirement]);
  });
});

describe('what accompanies a request', () => {
  test('passes a correct target with every kind of token on both operations', async () => {
    const { decisions } = await runOnPlain(circumstances);
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test.for(deviants)('catches $id, which no other check of documents does', async ({ options, breaks, also = {} }) => {
    expect((await blameOnPlain(circumstances, options())).blamed).toEqual([breaks, ...Object.keys(also)].sort());
    for (const other of [isolation, escalation, pages, paging])
      expect((await blameOnPlain(other, options())).blamed).toEqual([]);
  });

  test('names the circumstance, and never shows the value of a cookie', async () => {
    const [session] = ofPlain(deviants, /^plain\.session-cookie-instead-of-token$/);
    const { decisions } = await runOnPlain(circumstances, session.options(), SERVICE);
    const [failed] = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(failed?.detail).toBe(
      'with the USER token and the cookies of $ACT_AS_EMAIL, $ACT_AS_PRIVATE_MARKER was returned',
    );
  });

  test('is left to the check of isolation if the neutral request shows too much or is refused', async () => {
    const leaking: PlainOptions = { succeed: (request) => succeed(request, String(tokens.env.ACT_AS_EMAIL)) };
    expect((await decide(leaking)).filter((one) => one.includes(' USER '))).toEqual([]);
    expect(await decide(answering(({ path }) => path === searchPath, saying(403)))).not.toContainEqual(
      expect.stringContaining('search'),
    );
  });

  test('is also what a result of the other person says of itself, such as its id', async () => {
    const options: PlainOptions = {
      succeed(request, person) {
        const query = String(bodyField(request, 'query'));
        const found = query === 'doc-77' ? findDocuments('engine', actAsEmail) : findDocuments(query, person);
        const results = found.map((one) => ({ ...one, id: one.owner === actAsEmail ? 'doc-77' : 'doc-1' }));
        const answer = succeed(request, person);
        return request.path === searchPath ? { ...answer, body: { ...Object(answer.body), results } } : answer;
      },
    };
    const failed = (await tellingOnPlain([circumstances], options)).filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement }) => requirement)).toContain('user.isolation');
    expect(failed[0]?.detail).toContain(
      'and what a search of $ACT_AS_EMAIL named, $ACT_AS_PRIVATE_MARKER was returned',
    );
  });

  test('may be refused', async () => {
    const isOdd = (request: PlainRequest) =>
      bodyField(request, 'query') === '' ||
      bodyField(request, 'pageSize') !== undefined ||
      (request.record?.kind === 'USER' && headerOf(request, 'x-service-auth-type') !== undefined) ||
      (request.record?.kind !== 'GLOBAL' && headerOf(request, 'x-service-actas') !== undefined);
    expect((await decide(answering(isOdd, saying(400)))).filter((one) => !one.endsWith('pass'))).toEqual([]);
  });

  test('passes a third person, for whom it hides both known documents', async () => {
    const env = { CONFORMANCE_CLAIMS: 'user global oauth', OAUTH_EMAIL: 'olaf@people.example' };
    const hiding: PlainOptions = {
      identify: (request) => (request.record?.kind === 'OAUTH' ? 'olaf@people.example' : identify(request)),
    };
    const ofThird = async (options: PlainOptions) =>
      (await decide(options, env)).filter((one) => one.startsWith('search OAUTH'));
    expect(await ofThird(hiding)).toEqual([
      'search OAUTH user.isolation: pass',
      'search OAUTH act-as.no-escalation: pass',
    ]);
    // The token is not that of the third person, but of USER_EMAIL.
    expect(await ofThird({})).toContain('search OAUTH user.isolation: fail');
  });

  test('decides nothing if an answer gets lost', async () => {
    const lost = await decide(answering((request) => bodyField(request, 'query') === '*', saying(504)));
    expect(lost.filter((one) => one.startsWith('search') && !one.endsWith('inconclusive'))).toEqual([]);
  });

  test('is inconclusive if the own document is missing five times, and a failure if six', async () => {
    const missing = (times: number, isLeaking = false): PlainOptions => {
      let left = times;
      return {
        succeed: (request, person) => {
          const isDue =
            request.record?.kind === 'USER' &&
            request.path === searchPath &&
            headerOf(request, 'x-service-auth-type') !== undefined &&
            bodyField(request, 'query') === tokens.env.USER_PRIVATE_QUERY;
          left -= Number(isDue);
          if (isLeaking && request.record?.kind === 'USER' && bodyField(request, 'pageSize') === 10)
            return succeed(request, actAsEmail);
          return succeed(request, isDue && left >= 0 ? '' : person);
        },
      };
    };
    expect(await decide(missing(5))).toContain('search USER user.isolation: inconclusive');
    expect(await decide(missing(6))).toContain('search USER user.isolation: fail');
    // What did not come again does not hide what the next circumstance shows.
    expect(await decide(missing(1, true))).toContain('search USER user.isolation: fail');
  });

  test('is tried with the most telling circumstances on another machine', async () => {
    const [withHeader] = ofPlain(deviants, /^plain\.act-as-impersonates\.with-auth-type$/);
    const decisions = await tellingOnPlain([circumstances], withHeader.options(), SERVICE);
    expect(decisions.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)).toContain(
      'act-as.no-escalation',
    );
  });
});
