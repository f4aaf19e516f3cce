import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Reply, send, succeed } from '../../fixtures/plain/answers.ts';
import { plainChecks } from '../../fixtures/plain/checks.ts';
import { actAsEmail } from '../../fixtures/plain/people.ts';
import { chatPath, type PlainRequest, plainOperations, searchPath } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { answering, blameOnPlain, runOnPlain, saying, tellingOnPlain } from '../testing/one-check.ts';
import { lifting, plainDeviants } from '../testing/plain-deviants.ts';
import { otherPaths, sideDoors } from './influences.ts';

const deviants = plainDeviants(/^plain\.other-path\./);

/** The plain target that also serves searches on a path that ends with a slash. */
const operation = { path: `${searchPath}/`, scope: 'SEARCH', required: ['query'] };
const withSlash: PlainOptions = {
  operations: [...plainOperations, operation],
  succeed: (request, person) =>
    succeed(request.operation === operation ? { ...request, operation: plainOperations[0] } : request, person),
};

test('passes on the plain target, which serves an empty query string and nothing else', async () => {
  const { decisions, requests } = await runOnPlain(otherPaths);
  const others = ['act-as.missing', 'act-as.unknown', 'token.foreign', 'auth-type.missing', 'token.unknown'];
  const of = (id: string) => ['token.expired', `scope.${id}`, ...others].map((one) => `${id} ${one}: pass`);
  // Each kind of token has a refusal of its own. The first of each requirement are first.
  const lines = decisions.map(({ operation: id, requirement, verdict }) => `${id} ${requirement}: ${verdict}`);
  expect([...new Set(lines)]).toEqual(['search user.isolation: pass', ...of('search'), ...of('chat')]);
  expect(decisions[1]?.detail).toBe('3 variations: with none of them, an expired USER token is accepted');
  expect(requests).toBeLessThan(534);
});

test('passes a target that serves another spelling of the path and refuses there as it must', async () => {
  expect((await blameOnPlain(otherPaths, withSlash)).blamed).toEqual([]);
});

test.each(deviants)(
  '$what: found and named, and the check without a token does not see it',
  async ({ breaks, options }) => {
    const { blamed, why } = await blameOnPlain(otherPaths, options());
    expect(blamed).toEqual([breaks]);
    expect(why).toMatch(
      /is accepted with (a slash at the end|two slashes in|\.json at the end|the path in upper case)/,
    );
    expect((await blameOnPlain(sideDoors, options())).blamed).toEqual([]);
  },
);

test('finds a path that lifts a refusal of one kind of token alone', async () => {
  const { blamed, why } = await blameOnPlain(otherPaths, {
    ...withSlash,
    ...lifting('token.expired', ({ path, record }) => path === operation.path && record?.kind === 'GLOBAL'),
  });
  expect(blamed).toEqual(['token.expired']);
  expect(why).toContain('an expired GLOBAL token is accepted with a slash at the end of the path');
});

test.each<[what: string, change: (reply: Reply) => Reply]>([
  ['long', (reply) => ({ ...reply, body: `${reply.body}${' '.repeat(200_000)}` })],
  [
    'compressed',
    ({ body, headers, ...reply }) => ({
      ...{ ...reply, body: gzipSync(body) },
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    }),
  ],
  [
    'in UTF-16',
    ({ body, headers, ...reply }) => ({
      ...{ ...reply, body: Buffer.from(String(body), 'utf16le') },
      headers: { ...headers, 'Content-Type': 'application/json; charset=utf-16le' },
    }),
  ],
])('reads answers of another path that are %s', async (_what, change) => {
  const { blamed } = await blameOnPlain(otherPaths, {
    ...{ ...withSlash, ...lifting('token.expired', ({ path }) => path === operation.path) },
    send: (reply, response) => send(reply.status === 200 ? change(reply) : reply, response),
  });
  expect(blamed).toEqual(['token.expired']);
});

test('blames what the documented path accepts too, where no matrix was sent', async () => {
  const { decisions } = await runOnPlain(otherPaths, { ...withSlash, ...lifting('token.expired') });
  const found = decisions.filter((one) => one.requirement === 'token.expired' && one.operation === 'search');
  expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['fail']));
  expect(found[0]?.detail).toBe('an expired USER token is accepted without any variation');
});

test('only observes where no other spelling is served', async () => {
  const decisions = await tellingOnPlain([otherPaths]);
  expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['observed']));
});

test('blames no other path that answers everybody alike, where the body is free', async () => {
  const chat = { path: `${chatPath}/`, scope: 'CHAT' };
  const constant: PlainOptions = {
    operations: [...plainOperations, chat],
    checks: plainChecks.map(({ id, check }) => ({
      id,
      check: (request) => (request.path === chat.path ? undefined : check(request)),
    })),
    succeed: (request, person) =>
      [chat.path, chatPath].includes(request.path) ? { status: 200, body: { ok: true } } : succeed(request, person),
  };
  const { decisions } = await runOnPlain(otherPaths, constant);
  const found = decisions.filter((one) => one.requirement === 'token.expired' && one.operation === 'chat');
  expect(new Set(found.map(({ verdict, detail }) => `${verdict}: ${detail}`))).toEqual(
    new Set(['observed: a slash at the end of the path: nothing shows that the operation runs with it']),
  );
});

test('decides nothing if a served path no longer answers', async () => {
  const isExpired = ({ path, record, now }: PlainRequest) =>
    path === operation.path && (record?.expiresAt ?? Number.POSITIVE_INFINITY) <= now;
  const { decisions } = await runOnPlain(otherPaths, { ...withSlash, ...answering(isExpired, saying(503)) });
  const found = decisions.filter((one) => one.requirement === 'token.expired' && one.operation === 'search');
  expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
});

test('blames a path that shows the document of another person, and that nobody can decode', async () => {
  const path = searchPath.replace('/search', '/public/%u002e%u002e/search');
  const { blamed, why } = await blameOnPlain(otherPaths, {
    operations: [...plainOperations, { path, scope: 'SEARCH', required: ['query'] }],
    succeed: (request, person) =>
      request.path === path
        ? succeed({ ...request, operation: plainOperations[0] }, actAsEmail)
        : succeed(request, person),
  });
  expect(blamed).toEqual(['user.isolation']);
  expect(why).toContain(
    'with the USER token and dots in another encoding in the path, $ACT_AS_PRIVATE_MARKER was returned',
  );
});
