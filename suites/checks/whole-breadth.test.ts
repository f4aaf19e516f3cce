import { expect, test } from 'vitest';
import { passing } from '../../fixtures/deviants/build.ts';
import { send, succeed } from '../../fixtures/plain/answers.ts';
import { peopleEnv } from '../../fixtures/plain/people.ts';
import {
  bodyField,
  chatPath,
  headerOf,
  type PlainRequest,
  parseJson,
  readToken,
} from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import type { CheckRun } from '../../harness/checks/check.ts';
import { blameOnPlain, runOnPlain } from '../testing/one-check.ts';
import { influences } from './influences.ts';
import { sequences } from './sequences.ts';
import { spellings } from './spellings.ts';

type Parts = Parameters<typeof passing>;
/** The plain target that accepts what it should refuse, for the requests that `where` selects. */
const lifting = (...[check, where]: Parts): PlainOptions => passing(check, where)(() => {});
const named = (request: PlainRequest) => headerOf(request, 'x-service-actas') ?? '';

/** An answer names everybody's document to who accepts a stream of events and looks for it. */
const streaming: PlainOptions = {
  succeed: (request, person) => {
    const answer = succeed(request, person);
    const isAsked = request.path === chatPath && bodyField(request, 'query') === peopleEnv.ACT_AS_PRIVATE_QUERY;
    const isTold = isAsked && request.record?.kind === 'USER' && headerOf(request, 'accept') === 'text/event-stream';
    return isTold ? { ...answer, body: { answer: peopleEnv.ACT_AS_PRIVATE_MARKER } } : answer;
  },
};

/** Requests that `where` selects get the list of what is found alone, and a check lets them pass. */
const listing = (check: Parts[0], where: (request: PlainRequest) => boolean): PlainOptions => ({
  ...lifting(check, where),
  send: (reply, response, request) => {
    const { results } = Object(parseJson(String(reply.body)));
    const list = { 'Content-Type': 'text/csv' };
    return send(
      where(request) && results ? { ...reply, headers: list, body: JSON.stringify(results) } : reply,
      response,
    );
  },
});

const afterOptions: PlainOptions = {
  ...lifting('token.expired', ({ connection }) => connection.get('last') === 'OPTIONS'),
  send: (reply, response, request) => {
    request.connection.set('last', request.method);
    return send(reply, response);
  },
};

test.each<[what: string, check: CheckRun, requirements: readonly string[], options: PlainOptions]>([
  [
    'tokens in an object of JavaScript',
    spellings,
    ['token.unknown'],
    lifting('token.unknown', ({ token }) => token === 'constructor'),
  ],
  [
    'people in an object of JavaScript',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === 'toString'),
  ],
  [
    'names that are cut after 64 characters',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => /^\S+@\S+ {60,}x$/.test(named(one))),
  ],
  [
    'tokens that end at a tilde',
    spellings,
    ['token.tampered'],
    { readToken: (request) => readToken(request)?.split('~')[0] },
  ],
  [
    'a proxy that obeys Connection',
    influences,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => /actas/i.test(headerOf(one, 'connection') ?? '')),
  ],
  [
    'bodies of more than 100 kB',
    influences,
    ['token.expired'],
    lifting('token.expired', ({ body }) => body.length > 100_000),
  ],
  ['chats for who accepts a stream of events', influences, ['user.isolation'], streaming],
  ['what OPTIONS leaves behind', sequences, ['token.expired'], afterOptions],
  [
    'former people in capitals',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === peopleEnv.FORMER_EMAIL.toUpperCase()),
  ],
  [
    'former people in angle brackets',
    spellings,
    ['act-as.unknown'],
    lifting('act-as.unknown', (one) => named(one) === `<${peopleEnv.FORMER_EMAIL}>`),
  ],
  [
    'results as a table',
    influences,
    ['token.expired'],
    listing('token.expired', (one) => headerOf(one, 'accept') === 'text/csv'),
  ],
])('the whole breadth shows a fault of %s', async (_what, check, requirements, options) => {
  expect((await blameOnPlain(check, options)).blamed).toEqual(requirements);
});

test('the whole breadth shows what is accepted because a token names the person of another kind of token', async () => {
  const OKTA_EMAIL = 'library@example.test';
  const options = lifting('token.expired', (one) => one.record?.kind === 'USER' && named(one) === OKTA_EMAIL);
  const blamedWith = async (env: Readonly<Record<string, string>>) =>
    (await runOnPlain(influences, options, { CONFORMANCE_CLAIMS: 'user okta', ...env })).decisions.flatMap(
      ({ verdict, requirement }) => (verdict === 'fail' ? [requirement] : []),
    );
  expect(new Set(await blamedWith({ OKTA_EMAIL }))).toEqual(new Set(['token.expired']));
  expect(await blamedWith({})).toEqual([]);
});
