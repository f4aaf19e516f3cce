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
import { ofPlain } from '../testing/plain-deviants.ts';

// What a variant answers is legal, and may be of a form that a check cannot read. Then the check must not pass. So each variant gets
// faults that are seen on the plain target.
const [search] = plainOperations;
const slash = { path: `${searchPath}/`, scope: 'SEARCH', required: ['query'] };

/** A request that must be refused, and that a target lets in. */
interface Fault {
  readonly check: PlainCheckId;
  readonly requirement: string;
  readonly token: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}
const faults: readonly Fault[] = [
  {
    ...{ check: 'token.expired', requirement: 'token.expired' },
    ...{ token: 'USER_TOKEN_EXPIRED', path: slash.path, headers: {} },
  },
  {
    ...{ check: 'scope', requirement: 'scope.search' },
    ...{ token: 'USER_TOKEN_UNSCOPED', path: searchPath, headers: { 'x-forwarded-for': '127.0.0.1' } },
  },
  {
    ...{ check: 'act-as.unknown', requirement: 'act-as.unknown' },
    ...{ token: 'GLOBAL_TOKEN', path: searchPath, headers: { 'x-service-actas': `${actAsEmail}.invalid` } },
  },
];

const isLetIn = (request: PlainRequest, { path, headers }: Fault): boolean =>
  request.path === path &&
  Object.entries(headers).every(([name, value]) => headerOf(request, name)?.toLowerCase() === value);

/** The target with the faults. */
function withFaults(options: PlainOptions): PlainOptions {
  const { checks = plainChecks, operations = plainOperations, succeed: answer = succeed } = options;
  return {
    ...options,
    operations: [...operations, slash],
    checks: checks.map(({ id, check }) => ({
      id,
      check: (request) =>
        faults.some((one) => one.check === id && isLetIn(request, one)) ? undefined : check(request),
    })),
    succeed: (request, person) =>
      answer(request.operation === slash ? { ...request, operation: search } : request, person),
  };
}

/** The requirements that a target breaks, as a client sees it that is not of this suite. */
async function brokenBy(options: PlainOptions): Promise<readonly string[]> {
  const target = await startPlainTarget({ tokens, ...options });
  const broken: string[] = [];
  for (const { requirement, token, path, headers: more } of faults) {
    const headers = { ...more, Authorization: `Bearer ${target.env[token]}`, 'Content-Type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify({ query: 'engine' }) };
    // An answer that this client cannot read shows nothing.
    const answer = await fetch(`${target.env['TARGET_BASE_URL']}${path}`, asked).catch(() => undefined);
    if (answer?.status === 200) broken.push(requirement);
  }
  await target.close();
  return broken;
}

/** The requirements that the checks give these verdicts. */
async function told(options: PlainOptions, ...verdicts: readonly string[]): Promise<ReadonlySet<string>> {
  const env = { CONFORMANCE_CLAIMS: 'user global' };
  const decisions = await tellingOnPlain([influences, otherPaths, spellings], options, env);
  return new Set(decisions.flatMap(({ verdict, requirement }) => (verdicts.includes(verdict) ? [requirement] : [])));
}

test.each(ofPlain(variants))('$id: its faults are seen, or a check says that it could not see', async ({ options }) => {
  const known = await told(withFaults(options()), 'fail', 'inconclusive');
  expect((await brokenBy(withFaults(options()))).filter((requirement) => !known.has(requirement))).toEqual([]);
});

test('the faults are seen on the plain target', async () => {
  const all = faults.map(({ requirement }) => requirement);
  expect(await brokenBy(withFaults({}))).toEqual(all);
  expect(await told(withFaults({}), 'fail')).toEqual(new Set(all));
  expect(await brokenBy({})).toEqual([]);
});
