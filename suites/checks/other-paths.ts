import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { operationsToTry } from './shared/breadth.ts';
import { OWN_RECIPES } from './shared/decision.ts';
import { elsewhere } from './shared/known-variations.ts';
import { strangerTo } from './shared/private-documents.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { acceptedWith, callerOf, staysHidden, staysRefused } from './shared/vary.ts';

/**
 * Some frameworks serve an operation on other spellings of its path, or with other methods, and some of their filters know only
 * the documented ones. The check `side-doors` tries all of them without a token.
 */
export const otherPaths: Check = {
  id: 'other-paths',
  title: 'What must be refused is refused on every spelling of the path and with every method that is served',
  interpreted: OWN_RECIPES,
  requirements: [
    'token.expired',
    'token.unknown',
    'token.foreign',
    'scope.search',
    'scope.chat',
    'act-as.missing',
    'act-as.unknown',
    'auth-type.missing',
    'user.isolation',
    'act-as.effective',
    'act-as.no-escalation',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const operation of operationsToTry(api)) {
      const [planned] = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
      const kind = planned?.values.kind ?? '';
      const caller = await callerOf(api, { operation, kind, stranger: strangerTo(api, operation, kind) });
      if (!caller?.like.accepted) continue;
      const tried = await acceptedWith(
        caller,
        elsewhere(api, operation).map((one) => [one]),
      );
      results.push(...(await staysHidden(caller, tried)));
      for (const refusal of refusalsToTry(api, operation))
        results.push(await staysRefused(caller, refusal, { groups: tried.groups, refused: [] }));
    }
    return results;
  },
};

/** One refusal of each requirement: what reads the path does not know the kind of a token. */
function refusalsToTry(api: CheckApi, operation: Operation): readonly Refusal[] {
  const issued = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
  const withoutToken = refusalsWithoutToken(api, operation, api.claims.kinds[0] ?? '');
  const all = [...issued, ...withoutToken.filter(({ kind }) => kind === 'unknown')];
  return all.filter(({ requirement }, at) => all.findIndex((one) => one.requirement === requirement) === at);
}
