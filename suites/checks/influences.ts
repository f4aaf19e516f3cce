import type { Acceptance, Answered } from '../../harness/checks/acceptance.ts';
import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { transportReason } from '../../harness/record/observation.ts';
import { oncePerFamily, queryOperations } from './shared/breadth.ts';
import { cookiesSetBy } from './shared/cookies.ts';
import { type Decided, decisionOn, fail, inconclusive, observed, observedRefusal, pass } from './shared/decision.ts';
import { type Grouped, groupsThatPass, smallest } from './shared/group-testing.ts';
import { influenceBundles } from './shared/influence-bundles.ts';
import { kindHeaders } from './shared/kind-headers.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { type Base, type Influence, sendInfluenced } from './shared/send-influenced.ts';
import { isServed, showsRun } from './shared/served.ts';

/** A strict target refuses many influences. The search for those that it accepts ends after so many refusals. */
const MOST_REFUSED = 60;

/** Nothing that the specification does not name makes the target accept what it must refuse (outcomes 2). */
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
    'search.success',
    'chat.success',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    const sessions = new Map<string, Influence>();
    for (const operation of queryOperations(api.contract)) {
      let bundles = influenceBundles(api, operation);
      let withoutToken = true;
      const faults = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
      const chosen = new Set(oncePerFamily(api, faults, operation.isSlow ? 'first' : 'last'));
      const tried = faults.filter((base) => chosen.has(base) || !isInMatrix(api, operation, base));
      for (const kind of api.claims.kinds) {
        const ofKind = tried.filter((base) => base.kind === kind);
        // A request without a token has the first kind that is accepted as its control.
        if (ofKind.length === 0 && !withoutToken) continue;
        const caller = await callerOf(api, operation, kind);
        if (!caller) continue;
        const { groups, alone } = await acceptedGroups(caller, bundles);
        if (alone.length > 0) results.push(refusedAlone(caller, alone));
        const session = sessions.get(kind) ?? (await sessionOf(caller));
        if (session) sessions.set(kind, session);
        const own = session ? (await acceptedGroups(caller, [[session]])).groups : [];
        for (const base of [...ofKind, ...(withoutToken ? refusalsWithoutToken(api, operation, kind) : [])]) {
          const refused = base.kind === 'none' ? tellingOnes(bundles, groups) : [];
          results.push(await decide(caller, base, { groups: [...groups, ...own], refused }));
        }
        if (!caller.control) continue;
        withoutToken = false;
        // What this kind cannot send, the next one cannot send either. One search for it is enough.
        bundles = groups.map(({ items }) => [...items]);
      }
    }
    return results;
  },
};

/** Whether a case of the matrix shows the fault alone. If none does, this check decides it, whatever its family. */
function isInMatrix({ plan }: CheckApi, operation: Operation, { kind, requirement }: Refusal): boolean {
  return [...plan.cases.values()].some(
    ({ values, expectation: { suspects, silent } }) =>
      values.operation === operation.id &&
      values.kind === kind &&
      silent.length === 0 &&
      suspects.every((suspect) => suspect.requirement === requirement),
  );
}

/** A kind of token on an operation, with the acceptance of its documented request. */
interface Caller {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
  readonly base: Base;
  readonly like: Answered;
  readonly control: Acceptance | undefined;
}
type Groups = Grouped<Influence, CheckAnswer>['groups'];
/** What is sent with a request that must be refused. */
interface Sent {
  readonly groups: Groups;
  /** Influences that the target refuses even with a token. They are sent alone: an acceptance without one is wrong. */
  readonly refused: readonly Influence[];
}

async function callerOf(parent: CheckApi, operation: Operation, kind: string): Promise<Caller | undefined> {
  const api = parent.fork();
  const planned = api.planned(operation.id, kind, {});
  if (!planned?.credential) return undefined;
  const like =
    api.seen(planned) ?? (await api.send(planned, `the documented request with the ${kind} token is accepted`)).answer;
  const base = { credential: planned.credential, headers: kindHeaders(api, kind) };
  return { api, operation, kind, base, like, control: await api.acceptance(like) };
}

/** The bundles, halved until the target accepts the documented request with each of them. */
async function acceptedGroups(
  caller: Caller,
  bundles: readonly (readonly Influence[])[],
): Promise<Grouped<Influence, CheckAnswer>> {
  if (!caller.control) return { groups: [], alone: [] };
  const ask = (items: readonly Influence[]) => acceptedWith(caller, items);
  return groupsThatPass(bundles, { ask, familyOf, most: MOST_REFUSED });
}

/** The cookies that the target sets for a token. They must not stand in for it. A slow operation is not asked for them. */
async function sessionOf({ api, operation, kind, base }: Caller): Promise<Influence | undefined> {
  if (operation.isSlow) return undefined;
  const shows = `the documented request with the ${kind} token is accepted and may set cookies`;
  const answer = await sendInfluenced(api, operation, { base, influences: [], shows, wanted: 'accepted' });
  const how = `the cookies of the ${kind} token`;
  const cookies = cookiesSetBy(api, answer, how);
  return cookies === undefined ? undefined : { how, line: ['Cookie', cookies] };
}

/** The acceptance of the documented request with these influences. */
async function acceptedWith(
  { api, operation, kind, base, like }: Caller,
  items: readonly Influence[],
): Promise<CheckAnswer | 'no' | 'lost'> {
  const shows = `the request with the ${kind} token is accepted with ${describe(items)}, or these are left out`;
  const answer = await sendInfluenced(api, operation, { base, influences: items, shows, wanted: 'either' });
  if (isServed(answer, like)) return answer;
  // A page, or another answer without data, is no acceptance either.
  return outcomeOf(answer).kind === 'lost' && transportReason(answer.observation) !== undefined ? 'lost' : 'no';
}

/** The most telling influences that are in no accepted group. */
function tellingOnes(bundles: readonly (readonly Influence[])[], groups: Groups): readonly Influence[] {
  const accepted = new Set(groups.flatMap(({ items }) => items));
  return bundles.flat().filter((one) => one.isTelling && !accepted.has(one));
}

/** A target that refuses one unknown header, parameter or field often refuses all of them. */
function familyOf({ line, parameter, field }: Influence): string {
  if (line) return line[0].startsWith('X-') ? 'extension header' : 'header';
  if (parameter !== undefined) return 'parameter';
  return field ? 'field' : 'transfer';
}

async function decide(caller: Caller, base: Refusal, { groups, refused }: Sent): Promise<CheckResult> {
  const { operation, control } = caller;
  const api = caller.api.fork();
  const unit = { requirement: base.requirement, operation: operation.id, kind: base.kind };
  const lost = new Set<string>();
  const isAccepted = async (items: readonly Influence[]) => {
    const shows = `${base.what} is refused with ${describe(items)}`;
    const answer = await sendInfluenced(api, operation, { base, influences: items, shows, wanted: 'refused' });
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') lost.add(outcome.why);
    return isServed(answer, caller.like) ? answer : undefined;
  };
  const judge = async (): Promise<Decided> => {
    if (!control) return inconclusive(`the documented request with the ${caller.kind} token was not accepted`);
    const left = [...groups, ...refused.map((item) => ({ items: [item] }))];
    const elsewhere: Influence[] = [];
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    for (let group = left.shift(); group && lost.size === 0; group = left.shift()) {
      const wrong = await isAccepted(group.items);
      if (!wrong) continue;
      // The matrix judges that.
      if (await isAccepted([])) return observed(`${base.what} is accepted without any influence, too`);
      const lifting = await smallestLifting(wrong, group.items, isAccepted);
      if (await runs({ ...caller, api, base }, lifting))
        return fail(lifting.broke, `${base.what} is accepted with ${describe(lifting.items)}`);
      elsewhere.push(...lifting.items);
      const items = group.items.filter((item) => !lifting.items.includes(item));
      const evidence = items.length > 0 ? await acceptedWith(caller, items) : 'no';
      if (evidence !== 'no' && evidence !== 'lost') left.push({ items, evidence });
    }
    const [why] = lost;
    if (why !== undefined) return inconclusive(why);
    if (elsewhere.length > 0)
      return observedRefusal(control, `${describe(elsewhere)}: nothing shows that the operation runs with it`);
    const [group] = groups;
    if (!group)
      return observedRefusal(control, 'the target accepts none of the influences, so none can lift a refusal');
    const count = groups.reduce((sum, { items }) => sum + items.length, 0);
    return pass(
      await api.acceptance(group.evidence),
      `${count} influences: with none of them, ${base.what} is accepted`,
    );
  };
  return decisionOn(api, unit, await judge());
}

/** Influences that lift a refusal, and the answer that shows it. */
interface Lifting {
  readonly items: readonly Influence[];
  readonly broke: CheckAnswer;
}

/** Finds the influence that lifts the refusal. A wrong acceptance counts even if it does not come again (outcomes 3). */
async function smallestLifting(
  wrong: CheckAnswer,
  all: readonly Influence[],
  isAccepted: (items: readonly Influence[]) => Promise<CheckAnswer | undefined>,
): Promise<Lifting> {
  let broke = wrong;
  const items = await smallest(all, async (part) => {
    const answer = await isAccepted(part);
    broke = answer ?? broke;
    return answer !== undefined;
  });
  return { items, broke };
}

/**
 * Whether the operation ran. A target may obey a header that leads to another method or path, and answer there what it
 * answers to everybody. Where the body of the operation is free, that can look the same.
 */
async function runs({ api, operation, base, like }: Caller, { items, broke }: Lifting): Promise<boolean> {
  if (operation.documentsBody || !items.some(({ leadsElsewhere }) => leadsElsewhere)) return true;
  const ask = (rest: { readonly withoutQuery?: true; readonly shows: string }) =>
    sendInfluenced(api, operation, { base, influences: items, wanted: 'either', ...rest });
  const shows = `whether the operation runs with ${describe(items)}`;
  const withoutQuery = await ask({ withoutQuery: true, shows: `${shows}, from a request without a query` });
  const again = await ask({ shows });
  return showsRun({ first: broke, withoutQuery, again }, like, JSON.stringify(operation.example));
}

/** The specification does not speak of an influence that turns an acceptance into a refusal. */
function refusedAlone({ api, operation, kind, control }: Caller, alone: readonly Influence[]): CheckResult {
  const unit = { requirement: `${operation.id}.success`, operation: operation.id, kind };
  const detail = `a request that is accepted otherwise is refused with ${alone.map(({ how }) => how).join('; or with ')}`;
  return decisionOn(api, unit, observedRefusal(control, detail));
}

const MOST_NAMED = 3;

function describe(items: readonly Influence[]): string {
  if (items.length === 0) return 'no influence';
  const named = items.slice(0, MOST_NAMED).map(({ how }) => how);
  const more = items.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ');
}
