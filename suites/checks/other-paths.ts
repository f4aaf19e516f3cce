import type { Check } from '../../harness/checks/check.ts';
import { operationsToTry } from './shared/breadth.ts';
import { decideEach, OWN_RECIPES } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { oncePerRequirement, tryAlone } from './shared/rounds.ts';

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
  run: (api) =>
    decideEach(operationsToTry(api), (operation) => {
      const variations = variationsFor(api, operation, ['method', 'path']);
      // Few targets serve any of these, so each is tried with every requirement.
      const refusals = oncePerRequirement(api, operation, { breadth: 'whole' }).filter(({ kind }) => kind !== 'none');
      return tryAlone(api, { operation, variations, refusals });
    }),
};
