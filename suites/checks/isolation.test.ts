import { describe, expect, test } from 'vitest';
import { identify, succeed } from '../../fixtures/plain/answers.ts';
import { actAsEmail, userEmail } from '../../fixtures/plain/people.ts';
import { bodyField, chatPath, headerOf, type PlainRequest, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { isolation } from './isolation.ts';

/** What is decided of one kind on one operation: its requirements with their verdicts. */
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

describe('whose documents a token shows', () => {
  test('is right on the plain target for every kind on both operations', async () => {
    const { decisions } = await runOnPlain(isolation);
    const right = ({ operation }: { operation: string }) => (operation === 'search' ? 'pass' : 'observed');
    expect(decisions.filter((decision) => decision.verdict !== right(decision))).toEqual([]);
    expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`)).size).toBe(14);
  });

  test('is not blamed for a server error that came and went', async () => {
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

  test('is not blamed for a document that was missing once', async () => {
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

  test('is blamed at once for what another person may see', async () => {
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

  test('stays undecided where the kind is refused or not answered at all', async () => {
    const undecided = ['user.isolation: inconclusive', 'act-as.no-escalation: inconclusive'];
    const where = { kind: 'USER', operation: 'search' };
    expect(await verdictsOf(where, answering(onSearch('USER'), saying(500), 99))).toEqual(undecided);
    const unanswered = answering(onSearch('USER'), saying(504));
    expect(await verdictsOf(where, unanswered)).toEqual(undecided);
  });

  test('proves nothing by what a chat leaves out: its body is free', async () => {
    const forgetful: PlainOptions = {
      succeed: (request, person) => {
        const named = headerOf(request, 'x-service-actas') !== undefined;
        return succeed(request, request.path === chatPath && named ? '' : person);
      },
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'chat' }, forgetful)).toEqual([
      'user.isolation: observed',
      'act-as.no-escalation: observed',
    ]);
    const silent: PlainOptions = {
      succeed: (request, person) => succeed(request, request.path === chatPath ? '' : person),
    };
    expect(await verdictsOf({ kind: 'USER', operation: 'chat' }, silent)).toEqual([
      'user.isolation: observed',
      'act-as.no-escalation: observed',
    ]);
  });
});

describe("a kind whose tokens are somebody else's than USER_EMAIL", () => {
  const where = { kind: 'ONELOGIN', operation: 'search' };
  const third = { ONELOGIN_EMAIL: 'olaf@people.example' };
  /** Runs as whoever this is, the second request of the check too where it names somebody. */
  const runningAs = (person: (request: PlainRequest) => string): PlainOptions => ({
    identify: (request) => (onSearch('ONELOGIN')(request) ? person(request) : identify(request)),
  });

  test('is not asked to find what only that person may see', async () => {
    expect(
      await verdictsOf(
        where,
        runningAs(() => 'olaf@people.example'),
        third,
      ),
    ).toEqual(['user.isolation: pass', 'act-as.no-escalation: pass']);
  });

  test.each([userEmail, actAsEmail])('is blamed for seeing what only %s may see', async (email) => {
    expect(
      await verdictsOf(
        where,
        runningAs(() => email),
        third,
      ),
    ).toContain('user.isolation: fail');
  });

  test('is blamed for what X-Service-ActAs adds', async () => {
    const escalating = (request: PlainRequest) => headerOf(request, 'x-service-actas') ?? 'olaf@people.example';
    expect(await verdictsOf(where, runningAs(escalating), third)).toEqual([
      'user.isolation: pass',
      'act-as.no-escalation: fail',
    ]);
  });

  test('shows nothing by what it does not see where nobody sees anything', async () => {
    const blind: PlainOptions = { succeed: (request) => succeed(request, '') };
    expect(await verdictsOf(where, blind, third)).toEqual([
      'user.isolation: inconclusive',
      'act-as.no-escalation: inconclusive',
    ]);
  });
});
