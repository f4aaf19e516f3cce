import { expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import { type PlainCheckId, plainChecks } from '../../fixtures/plain/checks.ts';
import { actAsEmail } from '../../fixtures/plain/people.ts';
import { headerOf, type PlainRequest, plainOperations, searchPath } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { influences, otherPaths } from '../checks/influences.ts';
import { spellings } from '../checks/spellings.ts';
import { tellingOnPlain, tokens } from '../testing/one-check.ts';

// What a variant answers is legal, and may be of a form that a check cannot read. Then the check must not pass. So each variant gets
// faults that are seen on the plain target.
const [search] = plainOperations;
const slash = { path: `${searchPath}/`, scope: 'SEARCH', required: ['query'] };

interface Fault {
  readonly check: PlainCheckId;
  readonly requirement: string;
  readonly lets: (request: PlainRequest) => boolean;
}
const faults: readonly Fault[] = [
  { check: 'token.expired', requirement: 'token.expired', lets: ({ path }) => path === slash.path },
  {
    check: 'scope',
    requirement: 'scope.search',
    lets: (request) => request.path === searchPath && headerOf(request, 'x-forwarded-for') === '127.0.0.1',
  },
  {
    check: 'act-as.unknown',
    requirement: 'act-as.unknown',
    lets: (request) => headerOf(request, 'x-service-actas')?.toLowerCase().endsWith('.test.invalid') === true,
  },
];

/** The target with the faults. */
function withFaults(options: PlainOptions): PlainOptions {
  const { checks = plainChecks, operations = plainOperations, succeed: answer = succeed } = options;
  return {
    ...options,
    operations: [...operations, slash],
    checks: checks.map(({ id, check }) => ({
      id,
      check: (request) => (faults.some((one) => one.check === id && one.lets(request)) ? undefined : check(request)),
    })),
    succeed: (request, person) =>
      answer(request.operation === slash ? { ...request, operation: search } : request, person),
  };
}

/** The requirements that a target breaks, as a client sees it that is not of this suite. */
async function brokenBy(options: PlainOptions): Promise<readonly string[]> {
  const target = await startPlainTarget({ tokens, ...options });
  const { USER_TOKEN_EXPIRED: expired, USER_TOKEN_UNSCOPED: unscoped, GLOBAL_TOKEN: global } = target.env;
  const ask = async (path: string, token: string | undefined, more: Readonly<Record<string, string>> = {}) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more };
    const asked = { method: 'POST', headers, body: JSON.stringify({ query: 'engine' }) };
    return fetch(`${target.env['TARGET_BASE_URL']}${path}`, asked).then(
      ({ status }) => status === 200,
      () => false,
    );
  };
  const broken = [
    (await ask(slash.path, expired)) ? ['token.expired'] : [],
    (await ask(searchPath, unscoped, { 'X-Forwarded-For': '127.0.0.1' })) ? ['scope.search'] : [],
    (await ask(searchPath, global, { 'X-Service-ActAs': `${actAsEmail}.invalid` })) ? ['act-as.unknown'] : [],
  ];
  await target.close();
  return broken.flat();
}

const plain = variants.flatMap((variant) => (variant.base === 'plain' ? [variant] : []));

/** The requirements that the checks give these verdicts. */
async function told(options: PlainOptions, ...verdicts: readonly string[]): Promise<ReadonlySet<string>> {
  const env = { CONFORMANCE_CLAIMS: 'user global' };
  const decisions = await tellingOnPlain([influences, otherPaths, spellings], options, env);
  return new Set(decisions.flatMap(({ verdict, requirement }) => (verdicts.includes(verdict) ? [requirement] : [])));
}

test.each(plain)('$id: its faults are seen, or a check says that it could not see', async ({ replace }) => {
  const options = () => withFaults(replace(() => undefined, tokens.env));
  const known = await told(options(), 'fail', 'inconclusive');
  expect((await brokenBy(options())).filter((requirement) => !known.has(requirement))).toEqual([]);
});

test('the faults are seen on the plain target', async () => {
  const all = faults.map(({ requirement }) => requirement);
  expect(await brokenBy(withFaults({}))).toEqual(all);
  expect(await told(withFaults({}), 'fail')).toEqual(new Set(all));
  expect(await brokenBy({})).toEqual([]);
});
