import { type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { mayAct } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { bundlesOf, type Variation } from '../../variations/variation.ts';
import { kindThatReaches } from './breadth.ts';
import { type Caller, callerOf, sendAccepted } from './caller.ts';
import { decideEach } from './decision.ts';
import { cookieSetBy, headersGivenBy } from './given-sessions.ts';
import { isNamedIn } from './named-person.ts';
import { failures, refusedAlone, refusedInOtherForms, unknownOf } from './not-served.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsOfBarred, refusalsWithoutToken } from './refusals.ts';
import { type Base, sendVaried } from './send-varied.ts';
import { strangerTo } from './sightings.ts';
import { acceptedWith, staysHidden, staysRefused, type Tried } from './vary.ts';

/** Every refusal that these variations are tried with, and what the accepted requests beside them must hide. */
export interface Round {
  readonly operation: Operation;
  readonly variations: readonly Variation[];
  readonly refusals: readonly Refusal[];
  /** The kinds of token that send them. By default all that are claimed. */
  readonly kinds?: readonly string[];
  /** In the first bundle of the kinds that act as nobody, and so do not need it. */
  readonly needless?: readonly Variation[];
}

/** Tries bundles with each kind of token that has one of the refusals, and with requests without a token. */
export async function tryTogether(
  api: CheckApi,
  { operation, variations, refusals, kinds = api.claims.kinds, needless = [] }: Round,
): Promise<CheckResult[]> {
  let beside = needless;
  // An answer of a slow operation is expensive.
  let bundles = bundlesOf(variations).slice(0, operation.isSlow && api.breadth === 'telling' ? 1 : undefined);
  if (bundles.length === 0) return [];
  const results: CheckResult[] = [];
  let withoutToken = true;
  for (const kind of kinds) {
    const ofKind = refusals.filter((refusal) => refusal.kind === kind);
    // A request without a token has the first kind that is accepted as its control.
    if (ofKind.length === 0 && !withoutToken) continue;
    const caller = await callerOf(api, { operation, kind, stranger: strangerTo(api, kind) });
    if (!caller) continue;
    const own = mayAct(api.contract, kind) ? [] : beside;
    const tried = await acceptedWith(
      caller,
      bundles.map((items, at) => (at === 0 ? [...own, ...items] : items)),
    );
    results.push(...(await refusedAlone(caller, tried)));
    results.push(...(await hiddenIn(caller, tried)));
    results.push(...(await refusedInOtherForms(caller, ofKind, tried)));
    // Their control is a token of another kind, too.
    const bare = refusalsWithoutToken(api, operation, kind);
    const ofOthers = [...bare, ...refusalsOfBarred(api, operation, kind)];
    const groups = [...tried.groups, ...(await sessionsOf(caller, withoutToken ? bare[0] : undefined))];
    const all = [...ofKind, ...(withoutToken ? ofOthers : [])];
    const decide = async (refusal: Refusal) => [
      await staysRefused(caller, refusal, { groups, refused: sentAnyway(refusal, tried), held: tried.alone }),
    ];
    results.push(...(await decideEach(all, decide)));
    if (!caller.control) continue;
    withoutToken = false;
    // What this kind cannot send, the next one cannot send either. One search for it is enough.
    bundles = tried.groups.map(({ items }) => items.filter((one) => !own.includes(one)));
    const passed = tried.groups.flatMap(({ items }) => items);
    if (own.length > 0) beside = beside.filter((one) => passed.includes(one));
  }
  return results;
}

/** Tries bundles with a token that the target accepts, and with no refusal: what names another person must show nothing of theirs. */
export async function tryHidden(
  api: CheckApi,
  { operation, variations }: Pick<Round, 'operation' | 'variations'>,
): Promise<readonly CheckResult[]> {
  const kind = kindThatReaches(api, operation);
  const stranger = strangerTo(api, kind);
  const named = stranger ? variations.filter((one) => !one.isAlone && isNamedIn([one], stranger)) : [];
  if (named.length === 0) return [];
  const caller = await callerOf(api, { operation, kind, stranger });
  return caller?.like.accepted ? hiddenIn(caller, await acceptedWith(caller, bundlesOf(named))) : [];
}

/** Tries each variation alone, with the first kind of token: what reads these parts of a request does not know the kind. */
export async function tryAlone(api: CheckApi, { operation, variations, refusals }: Round): Promise<CheckResult[]> {
  if (variations.length === 0) return [];
  const kind = kindThatReaches(api, operation);
  const caller = await callerOf(api, { operation, kind, stranger: strangerTo(api, kind) });
  if (!caller?.like.accepted) return [];
  const tried = await acceptedWith(
    caller,
    variations.map((one) => [one]),
  );
  const telling = tried.groups.filter(({ items }) => items.every((one) => one.isTelling));
  // That a token of another kind is refused shows something only if that kind is accepted, too.
  const controls = new Map([[kind, caller.control]]);
  for (const { controlKind } of refusals)
    if (!controls.has(controlKind))
      controls.set(controlKind, (await callerOf(api, { operation, kind: controlKind }))?.control);
  const decide = async (refusal: Refusal, at: number) => {
    // Without the whole breadth, what nobody has heard of is tried with one refusal: each costs a request for each variation.
    const groups = at === 0 || api.breadth === 'whole' ? tried.groups : telling;
    const refused = sentAnyway(refusal, tried);
    if (at > 0 && [...groups, ...refused].length === 0) return [];
    const { controlKind } = refusal;
    const control = controls.get(controlKind);
    const own = { ...caller, control, ...(control === undefined && { kind: controlKind }) };
    return [await staysRefused(own, refusal, { groups, refused, held: tried.alone })];
  };
  return [
    ...(await hiddenIn(caller, tried)),
    ...(await decideEach(refusals, decide)),
    ...(await refusedInOtherForms(caller, refusals, tried)),
    ...(await failures(caller, unknownOf(caller, tried))),
  ];
}

/** The private document of another person stays hidden where the body is free, too: on a chat, what is there decides (outcomes 2). */
async function hiddenIn(caller: Caller, tried: Tried): Promise<readonly CheckResult[]> {
  const { api, stranger, seeks } = caller;
  const results = await staysHidden(caller, tried);
  if (seeks || !stranger || api.breadth !== 'whole') return results;
  const seeking = { ...caller, seeks: true };
  const leaks = tried.groups.map(async ({ items }) => {
    const answer = await sendAccepted(seeking, items);
    return showsMarker(answer, stranger.owner) ? [{ items, evidence: answer }] : [];
  });
  return [
    ...results,
    ...(await staysHidden(seeking, { leaks: (await Promise.all(leaks)).flat(), groups: [], alone: [] })),
  ];
}

/** One refusal of each requirement, whatever the kind of token is. Without the whole breadth, one with a token and one without. */
export function oncePerRequirement(
  api: CheckApi,
  operation: Operation,
  { breadth }: Pick<CheckApi, 'breadth'> = api,
): readonly Refusal[] {
  const issued = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
  const control = kindThatReaches(api, operation);
  const all = [
    ...[...issued, ...refusalsOfBarred(api, operation, control)],
    ...refusalsWithoutToken(api, operation, control),
  ];
  const once = all.filter(({ requirement }, at) => all.findIndex((one) => one.requirement === requirement) === at);
  // Each variation that is sent alone costs a request for each of them.
  return breadth === 'whole' ? once : once.filter(({ kind }, at) => at === 0 || kind === 'none');
}

/**
 * The cookies and other headers that the target gives a token, and the cookies that it gives who has none. They must not stand in
 * for a token, also after one was sent with them. Without the whole breadth, a slow operation is not asked for them.
 */
async function sessionsOf(caller: Caller, bare: Refusal | undefined): Promise<Tried['groups']> {
  const { api, operation, kind, base } = caller;
  if (operation.isSlow && api.breadth !== 'whole') return [];
  const begin = (of: Base, what: string, wanted: 'accepted' | 'refused') => {
    const shows = `${what} is ${wanted} and may begin a session`;
    return sendVaried(api, operation, { base: of, variations: [], shows, wanted, isAnew: wanted === 'accepted' });
  };
  const refused = bare && (await begin(bare, bare.what, 'refused'));
  const first = refused && cookieSetBy(api, refused, `the cookies of ${bare.what}`);
  const answer = await begin(base, `the documented request with the ${kind} token`, 'accepted');
  const cookie = cookieSetBy(api, answer, `the cookies of the ${kind} token`);
  const given = [...(cookie ? [cookie] : []), ...headersGivenBy(api, answer, kind)];
  return (await acceptedWith(caller, [first ? [first] : [], given])).groups;
}

/** What some servers obey before they look for a token. It is sent without one, even if it is refused with one. */
function sentAnyway({ kind }: Refusal, { alone }: Tried): readonly Variation[] {
  return kind === 'none' ? alone.filter((one) => one.isTelling && (one.leadsElsewhere || one.isAlone)) : [];
}
