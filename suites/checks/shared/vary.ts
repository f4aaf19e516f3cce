import { type Answered, outcomeOf } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { counted } from '../../../harness/contract/amounts.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import { OTHER_REQUESTS } from '../../../harness/judge/alike-causes.ts';
import { transportReason } from '../../../harness/record/observation.ts';
import { influenceOf, type Variation } from '../../variations/variation.ts';
import { type Caller, describe, isHeadOf, sendAccepted, serves, whyLost } from './caller.ts';
import { type Decided, decisionOf, fail, hid, inconclusive, observed, observedRefusal, pass } from './decision.ts';
import { cookieSetBy } from './given-sessions.ts';
import { AT_ONCE, type Group, type Grouped, groupsThatPass, MOST_LOST, smallest } from './group-testing.ts';
import { brokenByNaming, isNamedIn } from './named-person.ts';
import { markerOf } from './private-documents.ts';
import type { Refusal } from './refusals.ts';
import { seenWith } from './seen-with.ts';
import { type Base, sendVaried } from './send-varied.ts';
import { isFailure, isOtherForm, isPage, repeats, showsRun } from './served.ts';
import { brokenBy, requirementsOf } from './sightings.ts';

/** What a target makes of variations of a request that it accepts: which it accepts together, and which it refuses alone. */
export interface Tried extends Grouped<Variation, CheckAnswer> {
  /** Those alone that get a success in another form, such as a page: nothing shows that the operation runs with them. */
  readonly otherForms: readonly Variation[];
  /** Those alone that get a server error. */
  readonly failed: readonly Variation[];
  /** Answers that showed the private document of another person. */
  readonly leaks: Tried['groups'];
}

/** A strict target refuses many variations. The search for those that it accepts ends after so many refused bundles. */
const MOST_REFUSED = { telling: 60, whole: 600 };

/** It also ends after so many accepted chats. Elsewhere, the budget has only a few more than the plan needs (outcomes 6). */
const MOST_CHATS = { telling: 5, whole: Number.POSITIVE_INFINITY };

/** The bundles, halved until the target accepts the documented request with each of them. What is sent alone is not counted. */
export async function acceptedWith(caller: Caller, bundles: readonly (readonly Variation[])[]): Promise<Tried> {
  const leaks: Group<Variation, CheckAnswer>[] = [];
  const [otherForms, failed]: [Variation[], Variation[]] = [[], []];
  if (!caller.control) return { groups: [], alone: [], leaks, otherForms, failed };
  const ask = async (items: readonly Variation[]) => {
    const answer = await sendAccepted(caller, items);
    // A free body looks otherwise where it quotes more, and what it quotes shows that the operation ran.
    if (caller.stranger && showsMarker(answer, caller.stranger.owner)) {
      leaks.push({ items, evidence: answer });
      if (answer.accepted) return answer;
    }
    if (serves(caller, items, answer)) return answer;
    if (items.length === 1 && isOtherForm(answer)) otherForms.push(...items);
    if (items.length === 1 && isFailure(answer)) failed.push(...items);
    // A page, or another answer without data, is no acceptance either.
    return outcomeOf(answer).kind === 'lost' && transportReason(answer.observation) !== undefined ? 'lost' : 'no';
  };
  const singles = bundles.filter(([first]) => first?.isAlone);
  const most = MOST_REFUSED[caller.api.breadth] + singles.length;
  const mostPassed = caller.operation.isSlow ? MOST_CHATS[caller.api.breadth] : Number.POSITIVE_INFINITY;
  return {
    ...(await groupsThatPass(bundles, { ask, familiesOf: FAMILIES, most, mostPassed })),
    leaks,
    otherForms,
    failed,
  };
}

/** A target that refuses one unknown header, parameter or field often refuses all of them, and one way to write a request another. */
const FAMILIES = [
  ({ kind }: Variation) => (NAMED.includes(kind) ? 'names' : 'forms'),
  ({ kind, name }: Variation) => (kind === 'header' && name.startsWith('X-') ? 'extension header' : kind),
];
const NAMED = ['header', 'cookie', 'parameter', 'field'];

/** What is sent with a request that must be refused. */
export interface Sent {
  /** Each with an answer that accepts the same with a right request. */
  readonly groups: readonly Group<Variation, Answered>[];
  /** Variations that the target refuses even with a token. They are sent alone: an acceptance without one is wrong. */
  readonly refused: readonly Variation[];
  /** Variations that cannot lift a refusal, because the target refuses what carries them. */
  readonly held?: readonly Variation[];
}

/** A request that must be refused, however it is asked. */
export type MustRefuse = Base &
  Pick<Refusal, 'requirement' | 'kind' | 'what'> &
  Partial<Pick<Refusal, 'fault' | 'planned'>>;

/** What must be refused is refused with every variation with which the target accepts what it must accept. */
export async function staysRefused(
  caller: Caller,
  refusal: MustRefuse,
  { groups, refused, held = [] }: Sent,
): Promise<CheckResult> {
  const { operation, control } = caller;
  const api = caller.api.fork();
  const isMust = api.contract.requirements.some(({ id, level }) => id === refusal.requirement && level === 'must');
  const seen = refusal.planned && api.seen(refusal.planned);
  /** Other checks judge the plain request that nobody planned, and the matrix an acceptance that it saw. */
  const isJudged = refusal.planned === undefined || seen?.accepted === true;
  const plainly = `accepted without any variation${seen ? ', though it was refused before' : ''}`;
  const lost = new Map<readonly Variation[], string>();
  /** The cookies of a refusal. A server may begin a session before it refuses. */
  let cookies: Variation | undefined;
  /** Variations with a success that does not show whether the operation ran. */
  const elsewhere: Variation[] = [];
  /** What is refused even with a token may get no answer without one. If more gets none, nothing is known. */
  const isLost = () =>
    lost.size >= MOST_LOST || [...lost.keys()].some((items) => !items.every((item) => refused.includes(item)));
  const isAccepted = async (variations: readonly Variation[], over = api) => {
    const shows = `${refusal.what} is refused with ${describe(variations)}`;
    const answer = await sendVaried(over, operation, { base: refusal, variations, shows, wanted: 'refused' });
    const why = whyLost(caller, answer);
    if (why !== undefined) lost.set(variations, why);
    if (serves(caller, variations, answer)) return answer;
    // The round of requests without a token asks with theirs.
    if (refusal.credential && refusal.authorization !== null)
      cookies ??= cookieSetBy(api, answer, `the cookies of ${refusal.what}`);
    if (!caller.protocol && isOtherForm(answer) && !isPage(answer)) elsewhere.push(...variations);
    return undefined;
  };
  const isAcceptedAfterwards = async () => {
    const over = api.connect();
    await sendAccepted({ ...caller, api: over }, []);
    return isAccepted([], over);
  };
  const judge = async (): Promise<Decided> => {
    const documented = outcomeOf(caller.like);
    if (documented.kind === 'lost') return inconclusive(documented.why);
    if (!control && documented.kind === 'accepted') return inconclusive(`no request to ${operation.id} was refused`);
    if (!control) return inconclusive(`the documented request with the ${caller.kind} token was not accepted`);
    // A variation of the part that is at fault may repair it.
    const left = [...groups.map(({ items }) => items), ...refused.map((item) => [item])]
      .map((items) => items.filter(({ kind }) => kind !== refusal.fault))
      .filter(({ length }) => length > 0);
    let asksWithCookies = true;
    for (let sent = 0; left.length > 0 && !isLost(); ) {
      // The first alone: if no answer comes, the others may take as long.
      const asked = left.splice(0, sent === 0 ? 1 : AT_ONCE);
      sent += asked.length;
      const found = await Promise.all(asked.map(async (items) => ({ items, wrong: await isAccepted(items) })));
      for (const { items, wrong } of found) {
        if (!wrong) continue;
        const plain = (await isAccepted([])) ?? (await isAcceptedAfterwards());
        if (plain && isJudged) return observed(`${refusal.what} is accepted without any variation, too`);
        // A wrong acceptance counts even if it does not come again (outcomes 3).
        const lifting = plain ? { items: [], evidence: plain } : await smallest({ items, evidence: wrong }, isAccepted);
        if (await runs({ ...caller, api }, refusal, lifting)) {
          const got = lifting.items.length > 0 ? `accepted with ${describe(lifting.items)}` : plainly;
          const verdict = isMust ? 'fail' : 'warn';
          const influence = lifting.items.length > 0 ? influenceOf(lifting.items) : seen ? OTHER_REQUESTS : plainly;
          const detail = `${refusal.what} is ${got}`;
          return { verdict, broke: lifting.evidence, detail, wanted: 'refused', got, influence };
        }
        elsewhere.push(...lifting.items);
        const rest = items.filter((item) => !lifting.items.includes(item));
        if (rest.length > 0 && serves(caller, rest, await sendAccepted(caller, rest))) left.push(rest);
      }
      if (left.length > 0 || !cookies || !asksWithCookies) continue;
      asksWithCookies = false;
      left.push([cookies]);
    }
    const [why] = lost.values();
    if (why !== undefined && isLost()) return inconclusive(why);
    const count = groups.reduce((sum, { items }) => sum + items.length, refused.length) - lost.size;
    if (elsewhere.length > 0)
      return observedRefusal(control, `${describe(elsewhere)}: nothing shows that the operation runs with it`);
    if (count === 0)
      return observedRefusal(control, 'the target accepts none of the variations, so none can lift a refusal');
    const [group] = groups;
    return pass(
      group ? await api.acceptance(group.evidence) : control,
      `${counted(count, 'variation')}: with none of them, ${refusal.what} is accepted`,
    );
  };
  const sent = [...groups.flatMap(({ items }) => items), ...refused, ...held];
  const varied = { law: 'refusal' as const, with: sent.filter(({ kind }) => kind !== refusal.fault) };
  return decisionOf({ api, operation, kind: refusal.kind }, refusal.requirement, await judge(), varied);
}

/**
 * Whether the operation ran. With another method or path, or with a header that leads there, a target may answer what it
 * answers to everybody. Where the body of the operation is free, that can look the same.
 */
async function runs(caller: Caller, base: Base, { items, evidence }: Group<Variation, CheckAnswer>): Promise<boolean> {
  const { api, operation, like, protocol } = caller;
  const isHead = isHeadOf(operation, items);
  // A result in the form of a protocol is what the message did.
  if (protocol) return true;
  if ((operation.documentsBody && !isHead) || !items.some(({ leadsElsewhere }) => leadsElsewhere)) return true;
  const shows = `whether the operation runs with ${describe(items)}`;
  const how = { base, variations: items, wanted: 'either' } as const;
  if (operation.example === undefined) {
    const nowhere = { ...operation, path: `${operation.path}-${NOWHERE}` };
    const variations = items.filter(({ kind }) => kind === 'method');
    const from = `${shows}, from a path that nothing names`;
    const fromNowhere = await sendVaried(api, nowhere, { ...how, variations, shows: from });
    if (isHead) return !serves(caller, items, fromNowhere);
    return repeats(evidence, await sendAccepted(caller, [])) && !repeats(fromNowhere, evidence);
  }
  const from = `${shows}, from a request without a query`;
  const withoutQuery = await sendVaried(api, operation, { ...how, fields: {}, shows: from });
  const again = await sendVaried(api, operation, { ...how, shows });
  const sent = `${items.map(({ value }) => value).join(' ')} ${JSON.stringify(operation.example)}`;
  return showsRun({ first: evidence, withoutQuery, again }, like, sent);
}

/** The private document of another person stays hidden with every variation. */
export async function staysHidden(
  caller: Caller,
  { leaks, groups, alone }: Omit<Tried, 'otherForms' | 'failed'>,
): Promise<readonly CheckResult[]> {
  const { stranger, kind, api, protocol, seeks = true } = caller;
  if (!stranger) return [];
  const viewer = { isActing: actsAs(api.contract, kind) };
  const {
    seen,
    leak = leaks[0],
    isBlind = false,
  } = leaks.length > 0 ? { seen: groups } : await seenWith(caller, groups);
  // What nobody would see was not hidden.
  const varied = { law: 'sighting' as const, with: isBlind ? [] : [...seen.flatMap(({ items }) => items), ...alone] };
  const [group] = seen;
  if (!leak) {
    const count = seen.reduce((sum, { items }) => sum + items.length, 0);
    const detail = `${counted(count, 'variation')}: with none of them, ${markerOf(stranger)} is returned`;
    // What nobody looked for shows nothing by its absence.
    const hidden = group && seeks && hid(stranger, await api.acceptance(group.evidence), detail);
    const [own, named = own] = protocol ? [protocol.isolation] : requirementsOf(viewer);
    // What is said of people who are named shows only where one was.
    const requirements = new Set([own, ...(seen.some(({ items }) => isNamedIn(items, stranger)) ? [named] : [])]);
    return hidden ? [...requirements].map((requirement) => decisionOf(caller, requirement, hidden, varied)) : [];
  }
  const showing = async (items: readonly Variation[]) => {
    const answer = await sendAccepted(caller, items);
    return showsMarker(answer, stranger.owner) ? answer : undefined;
  };
  // The check isolation judges that.
  if (await showing([])) return [];
  const { items, evidence: broke } = await smallest(leak, showing);
  const detail = `with the ${kind} token and ${describe(items)}, ${markerOf(stranger)} was returned`;
  const again = (sent: readonly Variation[]) => async () => (await showing(sent)) !== undefined;
  const isNamed = isNamedIn(items, stranger);
  const ownOrNamed = () => (isNamed ? brokenByNaming(viewer, again(items), again([])) : brokenBy(viewer));
  const requirement = protocol?.isolation ?? (await ownOrNamed());
  return [decisionOf(caller, requirement, fail(broke, detail, influenceOf(items)), varied)];
}

const NOWHERE = 'conformance-nowhere';
