import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { Call, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { type Variation, variationsOf } from '../variations/variation.ts';
import { type ConversationId, continueOneOf, conversationIds } from './shared/conversation-id.ts';
import { baseOf, refusalsOfKinds } from './shared/refusals.ts';
import { type Caller, staysRefused } from './shared/vary.ts';

/**
 * A documented optional field of the body lifts no refusal: not the pageSize of a search (spec 2.3), and not the conversation
 * that a chat continues (spec 2.4). A refusal counts beside the acceptance of the same body with a right token.
 */
export async function optionalFields(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  // Without the whole breadth, the check `influences` sends the field of a search.
  for (const operation of api.contract.operations.filter(({ isSlow }) => isSlow || api.breadth === 'whole')) {
    const owners = api.claims.kinds.filter((kind) => api.full(kind));
    const all = refusalsOfKinds(api, operation, owners, 'last');
    for (const kind of owners) {
      // A conversation belongs to one person. Another one may be refused for that.
      const refusals = all.filter(({ controlKind, acting }) => controlKind === kind && acting !== 'user');
      const find = FIELDS[operation.id];
      if (refusals.length === 0 || !find) continue;
      const owner = { api: api.fork(), operation, kind };
      const { field, answer } = await find(owner);
      const isRefused = outcomeOf(answer).kind === 'refused';
      const like = isRefused ? await owner.api.call(callOf(owner, {}, 'is accepted without the field')) : answer;
      const caller = { ...owner, base: baseOf(api, kind), like, control: await api.acceptance(like) };
      const groups = isRefused ? [] : [{ items: field, evidence: answer }];
      for (const one of refusals) results.push(await staysRefused(caller, { ...one, kind }, { groups, refused: [] }));
    }
  }
  return results;
}

type Owner = Pick<Caller, 'api' | 'operation' | 'kind'>;

/** A value of an optional field, and what the target makes of it with a right token. */
interface Field {
  readonly field: readonly Variation[];
  readonly answer: CheckAnswer;
}

/** A value of the optional field of an operation that is accepted, if there is one. */
const FIELDS: Readonly<Record<string, (owner: Owner) => Promise<Field>>> = {
  search: (owner) => firstAccepted(owner, 'pageSize', [10, 5, 50]),
  async chat(owner) {
    const begun = await owner.api.callOnce(callOf(owner, {}, 'begins a conversation'), 'any body');
    if (outcomeOf(begun).kind !== 'accepted') return { field: [], answer: begun };
    // A target may also take an id that the client chose.
    const chosen = `${(owner.api.seed >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const made: ConversationId = { id: chosen, names: 'unsaid' };
    const [likeliest, ...others] = conversationIds(begun.text);
    const ids = likeliest ? ([likeliest, ...others, made] as const) : ([made] as const);
    const { named, answer } = await continueOneOf(owner.api, ids, ({ id }) => send(owner, 'conversationId', id));
    return { field: fieldOf('conversationId', named.id), answer };
  },
};

async function firstAccepted(owner: Owner, name: string, values: readonly unknown[]): Promise<Field> {
  const [value, ...others] = values;
  const answer = await send(owner, name, value);
  return outcomeOf(answer).kind === 'refused' && others.length > 0
    ? firstAccepted(owner, name, others)
    : { field: fieldOf(name, value), answer };
}

const fieldOf = (name: string, value: unknown): readonly Variation[] =>
  variationsOf({ kind: 'field', name, values: [value], about: 'documented', source: 'spec', telling: 1 }, {});

const send = (owner: Owner, name: string, value: unknown): Promise<CheckAnswer> =>
  owner.api.call(callOf(owner, { [name]: value }, `with ${name} is accepted`));

function callOf({ api, kind, operation }: Owner, fields: object, expected: string): Call {
  return {
    operation,
    ...baseOf(api, kind),
    body: { ...operation.example, ...fields },
    shows: `a ${operation.id} with the ${kind} token ${expected}`,
    wanted: Object.keys(fields).length === 0 ? 'accepted' : 'either',
  };
}
