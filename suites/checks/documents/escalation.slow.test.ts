import { describe, expect, test } from 'vitest';
import { identify, succeed } from '../../../fixtures/plain/answers.ts';
import { plainChecks } from '../../../fixtures/plain/checks.ts';
import { actAsEmail, userEmail } from '../../../fixtures/plain/people.ts';
import { headerOf, type PlainRequest, searchPath } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import { answering, blameOnPlain, runCheck, runOnPlain, saying, tokens } from '../../testing/one-check.ts';
import { optionsOfRow, plainDeviants } from '../../testing/plain-deviants.ts';
import { escalation } from './escalation.ts';
import { isolation } from './isolation.ts';

const deviants = plainDeviants(
  /^plain\.(act-as-impersonates\.(second-line|chat\.|lower-case|upper-case|list|blank)|act-as-both)/,
);

describe('the escalation check', () => {
  test('passes a correct target with every kind of token on both operations', async () => {
    const { decisions } = await runOnPlain(escalation);
    expect(decisions.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 14 }, () => 'pass'));
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test('sends nothing if the private markers are not set', async () => {
    const { USER_PRIVATE_QUERY: _query, USER_PRIVATE_MARKER: _marker, ...env } = tokens.env;
    const { decisions, requests } = await runCheck(escalation, {
      env: { TARGET_BASE_URL: 'http://127.0.0.1:9', ...env },
    });
    expect({ decisions, requests }).toEqual({ decisions: [], requests: 0 });
  });

  test.for(deviants)('catches $id, which the isolation check does not', async ({ options, breaks }) => {
    expect((await blameOnPlain(escalation, options())).blamed).toEqual([breaks]);
    expect((await blameOnPlain(isolation, options())).blamed).toEqual([]);
  });
});

test.each([
  ['no GLOBAL token', 'act-as.no-escalation', { kind: 'USER', 'x-service-actas': actAsEmail.toUpperCase() }],
  ['a GLOBAL token', 'act-as.effective', { kind: 'GLOBAL', 'x-service-actas': userEmail.toUpperCase() }],
])('an email in capitals that leads to another person with %s breaks %s', async (_what, requirement, when) => {
  const row = { pass: 'act-as.unknown', 'runs-as': actAsEmail, when } as const;
  const { decisions } = await runOnPlain(escalation, optionsOfRow(row), { CONFORMANCE_CLAIMS: 'user global' });
  const failed = decisions.filter(({ verdict }) => verdict === 'fail').map((one) => one.requirement);
  expect([...new Set(failed)]).toEqual([requirement]);
});

describe('a GLOBAL token that names nobody and sees a private document', () => {
  test.for<readonly [written: string, requirement: string]>([
    ['', 'act-as.missing'],
    ['*', 'act-as.unknown'],
  ])('with the header value %j breaks %s', async ([written, requirement]) => {
    const isMatching = (request: PlainRequest) =>
      request.record?.kind === 'GLOBAL' && request.headers['x-service-actas']?.join().trim() === written;
    const { decisions } = await runOnPlain(escalation, {
      checks: plainChecks.map(({ id, check }) => ({
        id,
        check: (request) => (isMatching(request) ? undefined : check(request)),
      })),
      identify: (request) => (isMatching(request) ? userEmail : identify(request)),
    });
    const failed = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failed.map((decision) => decision.requirement))).toEqual(new Set([requirement]));
    const effective = decisions.filter((decision) => decision.requirement === 'act-as.effective');
    expect(effective.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });
});

/** The plain target with this status for the searches of one kind that `where` selects. */
const answeringSearches = (status: number, kind: string, where: (request: PlainRequest) => boolean = () => true) =>
  answering(
    (request) => request.record?.kind === kind && request.path === searchPath && where(request),
    saying(status),
  );
const isNamed = (request: PlainRequest) => headerOf(request, 'x-service-actas') !== undefined;

describe('the escalation check is inconclusive', () => {
  test.for<readonly [what: string, kind: string, options: PlainOptions, detail: string]>([
    ['a gateway answers for the GLOBAL token', 'GLOBAL', answeringSearches(504, 'GLOBAL'), 'status 504'],
    [
      'the GLOBAL token is refused',
      'GLOBAL',
      answeringSearches(401, 'GLOBAL'),
      'with the GLOBAL token and X-Service-ActAs: $USER_EMAIL, the request was refused, so nothing was seen',
    ],
    [
      'the GLOBAL token can act as only one of the two people',
      'GLOBAL',
      answeringSearches(401, 'GLOBAL', (request) => headerOf(request, 'x-service-actas') === tokens.env.ACT_AS_EMAIL),
      'with the GLOBAL token and X-Service-ActAs: $ACT_AS_EMAIL, the request was refused, so nothing was seen',
    ],
    ['a gateway answers for the USER token', 'USER', answeringSearches(503, 'USER'), 'status 503'],
    [
      'a gateway answers where the USER token names a person',
      'USER',
      answeringSearches(502, 'USER', isNamed),
      'status 502',
    ],
    [
      'no search finds anything',
      'USER',
      { succeed: (request, person) => succeed(request, request.path === searchPath ? '' : person) },
      'with the USER token, $USER_PRIVATE_QUERY did not find $USER_PRIVATE_MARKER',
    ],
  ])('if %s', async ([, kind, options, detail]) => {
    const { decisions } = await runOnPlain(escalation, options);
    const found = decisions.filter((decision) => decision.kind === kind && decision.operation === 'search');
    expect(found).toMatchObject([{ verdict: 'inconclusive', detail }]);
  });
});

test('the escalation check only observes a chat that shows no document', async () => {
  const { decisions } = await runOnPlain(escalation, { succeed: (request) => succeed(request, '') });
  const found = decisions.filter(({ operation }) => operation === 'chat');
  expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['observed']));
});
