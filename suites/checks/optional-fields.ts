import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { Aim, Call, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { type ConversationId, continueOneOf, conversationIds } from './shared/conversation-id.ts';
import { type Decided, decisionOn, fail, inconclusive, observedRefusal, pass } from './shared/decision.ts';
import { kindHeaders, type Refusal, refusalsOfKinds } from './shared/refusals.ts';

/**
 * A documented optional field of the body lifts no refusal: not the pageSize of a search (spec 2.3), and not the conversation
 * that a chat continues (spec 2.4). A refusal counts beside the acceptance of the same body with a right token.
 */
export async function optionalFields(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const operation of operationsWithField(api)) {
    const owners = api.claims.kinds.filter((kind) => api.full(kind));
    const all = refusalsOfKinds(api, operation, owners, 'last');
    for (const kind of owners) {
      // A conversation belongs to one person. Another one may be refused for that.
      const denials = all.filter((denial) => denial.controlKind === kind && denial.acting !== 'user');
      const credential = api.full(kind);
      const find = FIELDS[operation.id];
      if (denials.length === 0 || !credential || !find) continue;
      const owner = { api: api.fork(), kind, operation, credential };
      const field = await find(owner);
      for (const denial of denials) results.push(await decide({ ...owner, api: owner.api.fork() }, field, denial));
    }
  }
  return results;
}

/** Without the whole breadth, the check `influences` sends the field of a search. */
function operationsWithField({ contract, breadth }: CheckApi): readonly Operation[] {
  return breadth === 'whole' ? contract.operations : contract.operations.filter(({ isSlow }) => isSlow);
}

interface Owner {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
}

/** A value of an optional field, and whether the target accepts it with a right token. */
interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly answer: CheckAnswer;
}

/** A value of the optional field of an operation that is accepted, if there is one. */
const FIELDS: Readonly<Record<string, (owner: Owner) => Promise<Field>>> = {
  search: (owner) => firstAccepted(owner, 'pageSize', [10, 5, 50]),
  async chat(owner) {
    const begun = await owner.api.callOnce(callOf(owner, {}, 'begins a conversation'), 'any body');
    if (outcomeOf(begun).kind !== 'accepted') return { name: 'conversationId', value: '', answer: begun };
    // A target may also take an id that the client chose.
    const chosen = `${(owner.api.seed >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const made: ConversationId = { id: chosen, names: 'unsaid' };
    const [likeliest, ...others] = conversationIds(begun.text);
    const ids = likeliest ? ([likeliest, ...others, made] as const) : ([made] as const);
    const { named, answer } = await continueOneOf(owner.api, ids, ({ id }) =>
      send(owner, { conversationId: id }, 'with conversationId is accepted'),
    );
    return { name: 'conversationId', value: named.id, answer };
  },
};

async function firstAccepted(owner: Owner, name: string, values: readonly unknown[]): Promise<Field> {
  const [value, ...others] = values;
  const answer = await send(owner, { [name]: value }, `with ${name} is accepted`);
  return outcomeOf(answer).kind === 'refused' && others.length > 0
    ? firstAccepted(owner, name, others)
    : { name, value, answer };
}

function send(owner: Owner, fields: Readonly<Record<string, unknown>>, expected: string): Promise<CheckAnswer> {
  return owner.api.call(callOf(owner, fields, expected));
}

function callOf(
  { api, kind, operation, credential }: Owner,
  fields: Readonly<Record<string, unknown>>,
  expected: string,
): Call {
  return {
    operation,
    credential,
    headers: kindHeaders(api, kind),
    body: { ...operation.example, ...fields },
    shows: `a ${operation.id} with the ${kind} token ${expected}`,
    wanted: Object.keys(fields).length === 0 ? 'accepted' : 'either',
  };
}

async function decide(
  owner: Owner,
  { name, value, answer: accepted }: Field,
  { what, requirement, credential, headers, authorization }: Refusal,
): Promise<CheckResult> {
  const { api, kind, operation } = owner;
  const aim: Aim = { shows: `a ${operation.id} with ${name} and ${what} is refused`, wanted: 'refused' };
  const body = { ...operation.example, [name]: value };
  const answer = await api.call({ ...aim, credential, headers, authorization, operation, body });
  const outcome = outcomeOf(answer);
  const decided = async (): Promise<Decided> => {
    switch (outcome.kind) {
      case 'lost':
        return inconclusive(outcome.why);
      case 'accepted':
        return fail(answer, `got ${outcome.status}, although ${aim.shows}`);
      case 'refused':
        break;
    }
    const control = outcomeOf(accepted);
    if (control.kind === 'lost') return inconclusive(control.why);
    if (control.kind === 'accepted') return pass(await api.acceptance(accepted), aim.shows);
    const without = await send(owner, {}, `without ${name} is accepted`);
    return observedRefusal(await api.acceptance(without), `with ${name}, a right token is refused too`);
  };
  return decisionOn(api, { requirement, operation: operation.id, kind }, await decided());
}
