import type { Check, CheckResult } from '../../harness/checks/check.ts';
import type { Variation } from '../variations/variation.ts';
import { oncePerFamily, queryOperations } from './shared/breadth.ts';
import { variationsFor } from './shared/known-variations.ts';
import { isOfIssued, refusalsOf } from './shared/refusals.ts';
import { oncePerRequirement, tryAlone, tryTogether } from './shared/rounds.ts';

/**
 * Nothing that the specification does not name makes the target accept what it must refuse, or show what it must hide
 * (outcomes 2).
 */
export const influences: Check = {
  id: 'influences',
  title: 'What must be refused is refused whatever else the request carries',
  requirements: [
    'token.expired',
    'scope.search',
    'scope.chat',
    'act-as.missing',
    'act-as.unknown',
    'auth-type.missing',
    'authorization.required',
    'token.unknown',
    'token.foreign',
    'user.isolation',
    'act-as.effective',
    'act-as.no-escalation',
    'search.success',
    'chat.success',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const operation of queryOperations(api.contract)) {
      const all = variationsFor(api, operation, KINDS).filter(isNoOtherToken);
      const [bundled, alone] = [all.filter(({ isAlone }) => !isAlone), all.filter(({ isAlone }) => isAlone)];
      const refusals = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
      const which = operation.isSlow ? 'first' : 'last';
      const ofFamilies = oncePerFamily({ contract: api.contract, breadth: 'telling' }, refusals, which);
      if (api.breadth === 'whole') {
        const [telling, others] = [
          bundled.filter(({ isTelling }) => isTelling),
          bundled.filter(({ isTelling }) => !isTelling),
        ];
        results.push(
          ...(await tryTogether(api, { operation, variations: telling, refusals })),
          ...(await tryTogether(api, { operation, variations: others, refusals: oncePerRequirement(api, operation) })),
        );
      } else {
        // The first values of rows are in the first bundles.
        const most = operation.isSlow ? 1 : MOST_TELLING;
        results.push(...(await tryTogether(api, { operation, variations: bundled, refusals: ofFamilies, most })));
        if (operation.isSlow) continue;
      }
      results.push(
        ...(await tryAlone(api, { operation, variations: alone, refusals: oncePerRequirement(api, operation) })),
      );
    }
    return results;
  },
};

const MOST_TELLING = 3;

/** The checks `side-doors` and `other-paths` try other methods and paths. */
const KINDS = [
  'header',
  'cookie',
  'parameter',
  'field',
  'content-type',
  'transport',
  'auth-type',
  'authorization',
  'query',
] as const;

/** Another Authorization line is another token, unless HTTP calls it equal. */
const isNoOtherToken = ({ kind, isEqual }: Variation): boolean => kind !== 'authorization' || isEqual;
