import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { judgedBy } from '../../harness/checks/check-requests.ts';
import { influenceOf, type Variation, variationsOf } from '../variations/variation.ts';
import { oncePerFamily, peopleActedAs } from './shared/breadth.ts';
import { type Caller, callerOf, describe, sendAccepted } from './shared/caller.ts';
import { type ConversationId, continueOneOf, idsToTry, isOfPerson } from './shared/conversation-id.ts';
import { isInHeader, type Refusal, refusalsOf, refusalsOfKinds } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';
import { stays } from './shared/stays.ts';
import { staysRefused } from './shared/vary.ts';

/**
 * A documented optional field of the body lifts no refusal: not the pageSize of a search (spec 2.3), and not the conversation
 * that a chat continues (spec 2.4). A refusal counts beside the acceptance of the same body with a right token.
 */
export async function optionalFields(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  // Without the whole breadth, the check `influences` sends the field of a search.
  for (const operation of api.contract.operations.filter(({ isSlow }) => isSlow || api.breadth === 'whole')) {
    const owners = api.claims.kinds.filter((kind) => api.full(kind));
    const likely = refusalsOfKinds(api, operation, { kinds: owners, which: 'last' });
    // What reads the field may read a wrong header by itself, too.
    const inHeaders = owners.flatMap((kind) =>
      refusalsOf(api, operation, kind, api.breadth === 'whole' ? 'every' : 'one').filter((one) => isInHeader(api, one)),
    );
    const others = inHeaders.filter(({ what }) => !likely.some((one) => one.what === what));
    const all = oncePerFamily(api, [...others, ...likely], 'last');
    const units = owners.flatMap((kind) => peopleActedAs(api, kind).map((person) => ({ kind, person })));
    for (const { kind, person } of units) {
      // A conversation belongs to one person. Another one may be refused for that.
      const refusals = all.filter(({ controlKind, acting = 'actAs' }) => controlKind === kind && acting === person);
      const find = FIELDS[operation.id];
      const named = person === 'user' ? api.people.user : undefined;
      const caller = find && refusals.length > 0 ? await callerOf(api, { operation, kind, named }) : undefined;
      if (!find || !caller) continue;
      const { field, answer } = await find(caller);
      const isRefused = outcomeOf(answer).kind === 'refused';
      // A target that refuses nothing shows nothing.
      const isAccepted = (await api.acceptance(answer)) !== undefined;
      const isOfToken = isAccepted && (await mayBeOfToken(caller, field));
      const beside = isRefused || isAccepted ? caller : { ...caller, like: answer, control: undefined };
      const groups = isRefused ? [] : [{ items: field, evidence: answer }];
      for (const one of refusals) {
        const inFull = isAccepted && !(isOfToken && one.credential?.token !== caller.base.credential?.token);
        if (inFull) results.push(...(await staysDocumented(caller, one, { field, answer })));
        else results.push(await staysRefused(beside, { ...one, kind }, { groups, refused: [] }));
      }
    }
  }
  return results;
}

/** Whether another token may be refused because of the field: for a conversation that may belong to the token that began it. */
async function mayBeOfToken(caller: Caller, field: readonly Variation[]): Promise<boolean> {
  const conversation = field.find(({ name }) => name === CONVERSATION);
  return conversation !== undefined && !(await isOfPerson(caller, caller.base.headers, conversation.value));
}

/** A right field is no second fault, so the refusal has its status and message. */
async function staysDocumented({ api, operation, kind }: Caller, refusal: Refusal, { field, answer }: Field) {
  const own = api.fork();
  const { planned } = refusal;
  const how = `with ${describe(field)}`;
  const send = async (variations: readonly Variation[]) => {
    const shows = `${refusal.what} is refused${variations === field ? ` ${how}` : ''}`;
    const sent = { base: refusal, variations, shows, wanted: 'refused' } as const;
    return judgedBy(api.contract, planned, await sendVaried(own, operation, sent));
  };
  // The matrix judges what it sends.
  const plainly = api.seen(planned) && { plainly: () => send([]) };
  const results = await stays({ api: own, planned, how, ask: () => send(field), ...plainly, beside: () => answer });
  return results.map((result) => ({
    ...result,
    kind,
    varied: { law: 'refusal' as const, with: field },
    // What reads the field may lift several refusals. That is one fault.
    ...(result.verdict === 'fail' && { influence: influenceOf(field) }),
  }));
}

/** A value of an optional field, and what the target makes of it with a right token. */
interface Field {
  readonly field: readonly Variation[];
  readonly answer: CheckAnswer;
}

/** A value of the optional field of an operation that is accepted, if there is one. */
const FIELDS: Readonly<Record<string, (caller: Caller) => Promise<Field>>> = {
  search: (caller) => firstAccepted(caller, 'pageSize', [10, 5, 50]),
  async chat(caller) {
    const { api, operation, kind, base } = caller;
    const shows = `a ${operation.id} with the ${kind} token begins a conversation`;
    const begun = await api.callOnce({ operation, ...base, shows, wanted: 'accepted' }, 'any body');
    if (!begun.accepted) return { field: [], answer: begun };
    // A target may also take an id that the client chose.
    const chosen = `${(api.seed >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const made: ConversationId = { id: chosen, names: 'unsaid' };
    const [likeliest, ...others] = idsToTry(api, begun);
    const ids = likeliest ? ([likeliest, ...others, made] as const) : ([made] as const);
    const continued = (id: string) => sendAccepted(caller, fieldOf(CONVERSATION, id));
    const { named, answer } = await continueOneOf(api, ids, ({ id }) => continued(id));
    return { field: fieldOf(CONVERSATION, named.id), answer };
  },
};

const CONVERSATION = 'conversationId';

async function firstAccepted(caller: Caller, name: string, [value, ...others]: readonly unknown[]): Promise<Field> {
  const field = fieldOf(name, value);
  const answer = await sendAccepted(caller, field);
  const isLast = outcomeOf(answer).kind !== 'refused' || others.length === 0;
  return isLast ? { field, answer } : firstAccepted(caller, name, others);
}

const fieldOf = (name: string, value: unknown): readonly Variation[] =>
  variationsOf({ kind: 'field', name, values: [value], about: 'documented', source: 'spec', telling: 1 }, {});
