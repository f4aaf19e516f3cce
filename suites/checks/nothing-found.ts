import type { Check, CheckAnswer } from '../../harness/checks/check.ts';
import { readIn } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { confirmed } from './parts/ask-again.ts';
import { blamed, type Decided, pass, unclear } from './parts/decision.ts';
import { kindHeaders } from './parts/kind-headers.ts';

/** The matrix asks for what may well be found; an empty result is another branch of many an implementation. */
export const nothingFound: Check = {
  id: 'nothing-found',
  title: 'A search that finds nothing has the documented body as well',
  requirements: ['search.response'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'search');
    const [planned] = operation ? api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []) : [];
    if (!operation || !planned) return [];
    const { credential, values } = planned;
    const unit = { requirement: `${operation.id}.response`, operation: operation.id, kind: values.kind };
    const body = { ...operation.example, query: `qzxwvk${(api.seed >>> 0).toString(36)}` };
    const found = await confirmed(
      () => api.call({ operation, credential, headers: kindHeaders(api, values.kind), body }),
      (answer) => (misfitOf(operation, answer) ? 'wrong' : 'right'),
    );
    const outcome = readIn(found.got, operation);
    const misfit = misfitOf(operation, found.got);
    const decide = (): Decided => {
      switch (outcome.kind) {
        case 'lost':
          return unclear(outcome.why);
        case 'refused':
          return unclear(`a search for a made-up word was refused with ${outcome.status}`);
        case 'accepted':
          return misfit === undefined
            ? pass('a made-up word finds nothing, as documented')
            : blamed(found.kind === 'wrong' ? 'wrong' : 'fleeting', `with nothing found, ${misfit}`);
      }
    };
    return [{ ...unit, ...decide() }];
  },
};

/** How the body differs from the documented one; another status than the documented is the matrix's to judge. */
function misfitOf({ success }: Operation, { observation }: CheckAnswer): string | undefined {
  return observation.kind === 'answer' && observation.status === success.status
    ? observation.schemaErrors?.[0]
    : undefined;
}
