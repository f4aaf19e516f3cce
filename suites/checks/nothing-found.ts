import type { Check, CheckAnswer } from '../../harness/checks/check.ts';
import { readIn } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { confirm } from './shared/confirm.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { kindHeaders } from './shared/kind-headers.ts';

/** Many implementations build an empty result in a separate branch, which the searches of the matrix may never reach. */
export const nothingFound: Check = {
  id: 'nothing-found',
  title: 'A search without results has the documented response body',
  requirements: ['search.response'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'search');
    const [planned] = operation ? api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []) : [];
    if (!operation || !planned) return [];
    const { credential, values } = planned;
    const unit = { requirement: `${operation.id}.response`, operation: operation.id, kind: values.kind };
    const body = { ...operation.example, query: `qzxwvk${(api.seed >>> 0).toString(36)}` };
    const headers = kindHeaders(api, values.kind);
    const shows = `a ${operation.id} for a made-up word has the documented body`;
    const { kind, got } = await confirm(
      () => api.call({ operation, credential, headers, body, shows, wanted: 'accepted' }),
      (answer) => {
        if (misfitOf(operation, answer) === undefined) return 'right';
        return answer.accepted ? 'wrong' : 'unlike';
      },
    );
    const outcome = readIn(got, operation);
    const misfit = misfitOf(operation, got);
    const decide = async (): Promise<Decided> => {
      if (misfit !== undefined)
        return blame(kind === 'wrong' ? 'wrong' : 'fleeting', fail(got, `in a search without results, ${misfit}`));
      switch (outcome.kind) {
        case 'lost':
          return inconclusive(outcome.why);
        case 'refused':
          return inconclusive(`a search for a made-up word was refused with ${outcome.status}`);
        case 'accepted':
          return pass(await api.acceptance(got), 'a search for a made-up word has the documented body');
      }
    };
    return [decisionOn(api, unit, await decide())];
  },
};

/** How the body differs from the schema. The matrix judges answers with another status. */
function misfitOf({ success }: Operation, { observation }: CheckAnswer): string | undefined {
  return observation.kind === 'answer' && observation.status === success.status
    ? observation.schemaErrors?.[0]
    : undefined;
}
