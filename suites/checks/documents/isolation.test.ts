import { describe, expect, test } from 'vitest';
import { identify, succeed } from '../../../fixtures/plain/answers.ts';
import { actAsEmail, userEmail } from '../../../fixtures/plain/people.ts';
import { bodyField, chatPath, headerOf, type PlainRequest, searchPath } from '../../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../../testing/one-check.ts';
import { isolation } from './isolation.ts';

/** The decisions on one kind and operation, as requirements with their verdicts. */
async function verdictsOf(where: { kind: string; operation: string }, options: PlainOptions, env = {}) {
  const { decisions } = await runOnPlain(isolation, options, env);
  return decisions
    .filter(({ kind, operation }) => kind === where.kind && operation === where.operation)
    .map(({ requirement, verdict }) => `${requirement}: ${verdict}`);
}

const onSearch = (kind: string) => (request: PlainRequest) =>
  request.record?.kind === kind && request.path === searchPath;
const actingAs = (email: string) => (request: PlainRequest) =>
  onSearch('GLOBAL')(request) && headerOf(request, 'x-service-actas') === email;

describe('isolation', () => {
  test('passes on the plain target with every kind on both operations', async () => {
    const { decisions } = await runOnPlain(isolation);
    expect(decisions.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test('is inconclusive after one server error, and a failure after two', async () => {
    const where = { kind: 'GLOBAL', operation: 'search' };
    expect(await verdictsOf(where, answering(actingAs(userEmail), saying(500), 1))).toEqual([
      'act-as.effective: pass',
      'act-as.effective: inconclusive',
    ]);
    expect(await verdictsOf(where, answering(actingAs(userEmail), saying(500), 9))).toEqual([
      'act-as.effective: pass',
      'global.accepted: fail',
    ]);
  });

  test('is inconclusive if the own document is missing once, and a failure if it is missing twice', async () => {
    const missing = (times: number): PlainOptions => {
      let left = times;
      return {
        succeed: (request, person) => {
          const isDue = onSearch('USER')(request) && bodyField(request, 'query') === tokens.env.USER_PRIVATE_QUERY;
          left -= Number(isDue);
          return succeed(request, isDue && left >= 0 ? '' : person);
        },
      };
    };
    const where = { kind: 'USER', operation: 'search' };
    expect(await verdictsOf(where, missing(1))).toContain('user.isolation: inconclusive');
    expect(await verdictsOf(where, missing(9))).toContain('user.isolation: fail');
  });

  test("is a failure at once if another person's document is shown", async () => {
    let left = 1;
    const leaking: PlainOptions = {
      identify: (request) => {
        if (!onSearch('USER')(request) || left === 0) return identify(request);
        left -= 1;
        return actAsEmail;
      },
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'search' }, leaking)).toContain('user.isolation: fail');
  });

  test('is inconclusive if the kind is refused or gets no answer', async () => {
    const undecided = ['user.isolation: inconclusive', 'act-as.no-escalation: inconclusive'];
    const where = { kind: 'USER', operation: 'search' };
    expect(await verdictsOf(where, answering(onSearch('USER'), saying(500), 99))).toEqual(undecided);
    const unanswered = answering(onSearch('USER'), saying(504));
    expect(await verdictsOf(where, unanswered)).toEqual(undecided);
  });

  test('is only observed if no chat shows a document, because its body is free', async () => {
    const silent: PlainOptions = {
      succeed: (request, person) => succeed(request, request.path === chatPath ? '' : person),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'chat' }, silent)).toEqual([
      'user.isolation: observed',
      'act-as.no-escalation: observed',
    ]);
  });

  test('is a failure if a chat shows no document, and another chat of the same person does', async () => {
    const forgetful: PlainOptions = {
      succeed: (request, person) =>
        succeed(request, request.path === chatPath && request.record?.kind === 'USER' ? '' : person),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'chat' }, forgetful)).toContain('user.isolation: fail');
  });

  test('is a failure if a person never finds their own document, and another one does', async () => {
    const strange: PlainOptions = {
      identify: (request) => (identify(request) === userEmail ? 'library@example.test' : identify(request)),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'search' }, strange)).toEqual([
      'user.isolation: fail',
      'act-as.no-escalation: inconclusive',
    ]);
    expect(await verdictsOf({ kind: 'GLOBAL', operation: 'chat' }, strange)).toContain('act-as.effective: fail');
  });

  test('hides nothing of a person who did not find it', async () => {
    const strange: PlainOptions = {
      identify: (request) => (identify(request) === actAsEmail ? 'library@example.test' : identify(request)),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'search' }, strange)).toContain('user.isolation: inconclusive');
  });

  test('is only observed if chats show a document at times', async () => {
    let count = 0;
    const unsteady: PlainOptions = {
      succeed: (request, person) => {
        count += request.path === chatPath ? 1 : 0;
        return succeed(request, request.path === chatPath && count % 3 > 0 ? '' : person);
      },
    };
    const { decisions } = await runOnPlain(isolation, unsteady);
    const chats = decisions.filter(({ operation }) => operation === 'chat').map(({ verdict }) => verdict);
    expect(chats.filter((verdict) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
  });

  test('is inconclusive if the own document is found with no token, because results may list anything', async () => {
    const blind: PlainOptions = { succeed: (request) => succeed(request, '') };
    expect(await verdictsOf({ kind: 'USER', operation: 'search' }, blind)).toEqual([
      'user.isolation: inconclusive',
      'act-as.no-escalation: inconclusive',
    ]);
  });

  test('passes if a needless X-Service-ActAs cuts the results', async () => {
    const cutting: PlainOptions = {
      succeed: (request, person) =>
        succeed(request, request.record?.kind === 'USER' && headerOf(request, 'x-service-actas') ? '' : person),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'search' }, cutting)).toEqual([
      'user.isolation: pass',
      'act-as.no-escalation: pass',
    ]);
  });
});

describe('a kind whose tokens belong to a third person', () => {
  const where = { kind: 'ONELOGIN', operation: 'search' };
  const third = { ONELOGIN_EMAIL: 'olaf@people.example' };
  /** The plain target that runs the searches of the kind as this person. */
  const runningAs = (person: (request: PlainRequest) => string): PlainOptions => ({
    identify: (request) => (onSearch('ONELOGIN')(request) ? person(request) : identify(request)),
  });

  test('passes without finding a private document', async () => {
    expect(
      await verdictsOf(
        where,
        runningAs(() => 'olaf@people.example'),
        third,
      ),
    ).toEqual(['user.isolation: pass', 'act-as.no-escalation: pass']);
  });

  test.each([userEmail, actAsEmail])('fails if it sees what only %s may see', async (email) => {
    expect(
      await verdictsOf(
        where,
        runningAs(() => email),
        third,
      ),
    ).toContain('user.isolation: fail');
  });

  test('fails if X-Service-ActAs shows a document that it does not see otherwise', async () => {
    const escalating = (request: PlainRequest) => headerOf(request, 'x-service-actas') ?? 'olaf@people.example';
    expect(await verdictsOf(where, runningAs(escalating), third)).toEqual([
      'user.isolation: pass',
      'act-as.no-escalation: fail',
    ]);
  });

  test('is inconclusive if no token finds a document', async () => {
    const blind: PlainOptions = { succeed: (request) => succeed(request, '') };
    expect(await verdictsOf(where, blind, third)).toEqual([
      'user.isolation: inconclusive',
      'act-as.no-escalation: inconclusive',
    ]);
  });
});
