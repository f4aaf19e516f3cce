import { expect, test } from 'vitest';
import type { CheckRun } from '../../harness/checks/check.ts';
import { tellingOnPlain } from '../testing/one-check.ts';
import { plainDeviants } from '../testing/plain-deviants.ts';
import { caches } from './caches.ts';
import { escalation } from './documents/escalation.ts';
import { influences, sideDoors } from './influences.ts';
import { optionalFields } from './optional-fields.ts';
import { everyTime } from './sequences.ts';
import { spellings } from './spellings.ts';
import { tokenPlaces } from './token-places.ts';

// A target on another machine gets only the most telling ways. They must be enough for every deviant of these checks, except
// those of chats alone where a check leaves chats to the whole breadth, because they are slow.
const groups = [
  { ids: /^plain\.influence\./, checks: [influences, escalation] },
  { ids: /^plain\.field-lifts\./, checks: [influences, optionalFields] },
  { ids: /^plain\.spelling\./, checks: [spellings, tokenPlaces] },
  { ids: /^plain\.side-door\./, checks: [sideDoors] },
  // The matrix finds a cache of refusals.
  { ids: /^plain\.cache-(?!of-refusals$)/, checks: [caches] },
  {
    ids: /^plain\.(expiry-(every-tenth|of-a-known-connection|after-404)$|refusal-sticks|refused-after)/,
    checks: [everyTime],
  },
];
const rows = groups.flatMap(({ ids, checks }) => plainDeviants(ids).map((deviant) => ({ ...deviant, checks })));

test.each(rows)('$what: found without the whole breadth', async ({ breaks, also = {}, options, checks }) => {
  const failed = (await tellingOnPlain(checks, options())).filter(({ verdict }) => verdict === 'fail');
  const blamed = [...new Set(failed.map(({ requirement }) => requirement))];
  expect(blamed).toContain(breaks);
  expect([breaks, ...Object.keys(also)]).toEqual(expect.arrayContaining(blamed));
});

test.each<[string, CheckRun, readonly string[]]>([
  ['spellings', spellings, ['search/USER', 'search/GLOBAL', 'search/OAUTH', 'search/GOOGLE']],
  ['side-doors', sideDoors, ['search/none', 'chat/none']],
  ['every-time', everyTime, ['search/USER', 'search/GLOBAL', 'search/OAUTH', 'search/GOOGLE']],
  ['optional-fields', optionalFields, ['chat/GLOBAL', 'chat/OAUTH', 'chat/ONELOGIN']],
])('%s decides only the operations and kinds that it tries', async (_name, check, units) => {
  const decisions = await tellingOnPlain([check]);
  expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  expect(new Set(decisions.map(({ operation, kind }) => `${operation}/${kind}`))).toEqual(new Set(units));
});

test('influences tries every fault once in each family, and each that no case of the matrix shows alone', async () => {
  const decisions = await tellingOnPlain([influences], {}, { CONFORMANCE_CLAIMS: 'user global' });
  const passed = decisions.flatMap(({ verdict, requirement, operation, kind }) =>
    verdict === 'pass' ? [`${requirement} ${operation} ${kind}`] : [],
  );
  expect([...new Set(passed)].sort()).toEqual([
    'act-as.effective search GLOBAL',
    'act-as.missing chat GLOBAL',
    'act-as.missing search GLOBAL',
    'act-as.no-escalation search USER',
    'act-as.unknown chat GLOBAL',
    'act-as.unknown search GLOBAL',
    'authorization.required chat none',
    'authorization.required search none',
    'scope.chat chat USER',
    'scope.search search GLOBAL',
    'token.expired chat USER',
    'token.expired search GLOBAL',
    'token.expired search USER',
    'token.unknown chat unknown',
    'token.unknown search unknown',
    'user.isolation search USER',
  ]);
});
