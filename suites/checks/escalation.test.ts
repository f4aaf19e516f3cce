import { describe, expect, test } from 'vitest';
import { escalation as deviants } from '../../fixtures/deviants/escalation.ts';
import { identify, succeed } from '../../fixtures/plain/answers.ts';
import { plainChecks } from '../../fixtures/plain/checks.ts';
import { userEmail } from '../../fixtures/plain/people.ts';
import { headerOf, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runCheck, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { escalation } from './escalation.ts';
import { isolation } from './isolation.ts';

describe('however the acting user is written', () => {
  test('a right target shows no more than one person may see, to every kind of token on both operations', async () => {
    const { decisions } = await runOnPlain(escalation);
    expect(decisions.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 14 }, () => 'pass'));
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test('nothing is sent where no private document is known', async () => {
    const { USER_PRIVATE_QUERY: _query, USER_PRIVATE_MARKER: _marker, ...env } = tokens.env;
    const { decisions, requests } = await runCheck(escalation, {
      env: { TARGET_BASE_URL: 'http://127.0.0.1:9', ...env },
    });
    expect({ decisions, requests }).toEqual({ decisions: [], requests: 0 });
  });

  test.for(deviants.flatMap((deviant) => (deviant.base === 'plain' ? [deviant] : [])))(
    '$id is seen in what it answers, and was not before',
    async ({ replace, breaks }) => {
      const options = () => replace(() => {}, tokens.env);
      const blamed = async (check: typeof escalation) =>
        (await runOnPlain(check, options())).decisions.flatMap(({ verdict, requirement }) =>
          verdict === 'fail' ? [requirement] : [],
        );
      expect(new Set(await blamed(escalation))).toEqual(new Set([breaks]));
      expect(await blamed(isolation)).toEqual([]);
    },
  );
});

describe('a GLOBAL token that names nobody, and is shown what somebody may see, is blamed as the matrix blames it', () => {
  test.for<readonly [written: string, requirement: string]>([
    ['', 'act-as.missing'],
    ['*', 'act-as.unknown'],
  ])('with %j for %s', async ([written, requirement]) => {
    const isMeant = (request: PlainRequest) =>
      request.record?.kind === 'GLOBAL' && request.headers['x-service-actas']?.join().trim() === written;
    const { decisions } = await runOnPlain(escalation, {
      checks: plainChecks.map(({ id, check }) => ({
        id,
        check: (request) => (isMeant(request) ? undefined : check(request)),
      })),
      identify: (request) => (isMeant(request) ? userEmail : identify(request)),
    });
    const failed = decisions.filter(({ verdict }) => verdict === 'fail');
    expect(new Set(failed.map((decision) => decision.requirement))).toEqual(new Set([requirement]));
    const effective = decisions.filter((decision) => decision.requirement === 'act-as.effective');
    expect(effective.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });
});

/** The plain target with other answers to searches of one kind, where this is so. */
const answeringSearches = (status: number, kind: string, where: (request: PlainRequest) => boolean = () => true) =>
  answering(
    (request) => request.record?.kind === kind && request.path === searchPath && where(request),
    saying(status),
  );
const isNamed = (request: PlainRequest) => headerOf(request, 'x-service-actas') !== undefined;

describe('what is not seen proves nothing', () => {
  test.for<readonly [what: string, kind: string, options: PlainOptions, detail: string]>([
    ['a gateway answers for a GLOBAL token', 'GLOBAL', answeringSearches(504, 'GLOBAL'), 'status 504'],
    [
      'a GLOBAL token is refused',
      'GLOBAL',
      answeringSearches(401, 'GLOBAL'),
      'acting as USER_EMAIL was refused, so nothing was seen',
    ],
    [
      'only one of two people can be acted as',
      'GLOBAL',
      answeringSearches(401, 'GLOBAL', (request) => headerOf(request, 'x-service-actas') === tokens.env.ACT_AS_EMAIL),
      'acting as ACT_AS_EMAIL was refused, so nothing was seen',
    ],
    ['a gateway answers for a USER token', 'USER', answeringSearches(503, 'USER'), 'status 503'],
    ['a gateway answers once somebody is named', 'USER', answeringSearches(502, 'USER', isNamed), 'status 502'],
    [
      'nobody finds anything',
      'USER',
      { succeed: (request, person) => succeed(request, request.path === searchPath ? '' : person) },
      'USER did not find the private marker of USER',
    ],
  ])('where %s', async ([, kind, options, detail]) => {
    const { decisions } = await runOnPlain(escalation, options);
    const found = decisions.filter((decision) => decision.kind === kind && decision.operation === 'search');
    expect(found).toMatchObject([{ verdict: 'inconclusive', detail }]);
  });

  test('where a chat shows no document of anybody', async () => {
    const { decisions } = await runOnPlain(escalation, { succeed: (request) => succeed(request, '') });
    const found = decisions.filter(({ operation }) => operation === 'chat');
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['observed']));
  });
});
