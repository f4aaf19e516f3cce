import { type Answered, outcomeOf } from '../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { groupedBy } from '../../harness/contract/collections.ts';
import { ACT_AS, type Dimension, headerOf } from '../../harness/contract/contract.ts';
import { valueAt } from '../../harness/contract/json-value.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { aroundToken } from '../../harness/plan/request.ts';
import { nameTexts } from '../variations/fill.ts';
import type { Variation } from '../variations/variation.ts';
import { identities, type Misspelt, tokens, type Unit } from './misspelt.ts';
import { onePerFamily, operationsToTry } from './shared/breadth.ts';
import { callerOf } from './shared/caller.ts';
import { type Decided, decideEach, decisionOf, fail, inconclusive, observed, pass } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { refusalsOf } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';
import { isServed } from './shared/served.ts';
import { staysRefused } from './shared/vary.ts';

/** An identity or a token that is written otherwise is another one (outcomes 2). */
export function spellings(api: CheckApi): Promise<readonly CheckResult[]> {
  const claimed = new Set(
    api.contract.requirements.flatMap(({ id, excluded }) => (excluded === undefined ? [id] : [])),
  );
  // Tokens of one family are read in the same way.
  const first = onePerFamily(api);
  const units = api.claims.kinds.flatMap((kind) => operationsToTry(api).map((operation) => ({ operation, kind })));
  return decideEach(units, async (unit) => {
    const isFirst = first.includes(unit.kind);
    // A contract whose tokens are never tampered with leaves that requirement out.
    const misspelt = [...identities(api, unit), ...(isFirst ? tokens(api, unit) : [])].filter(({ requirement }) =>
      claimed.has(requirement),
    );
    return [...(await decide(api, unit, misspelt)), ...(await underOtherNames(api, unit, isFirst))];
  });
}

/** X-Service-ActAs and X-Service-Auth-Type under other names lift no refusal of a request without them. */
async function underOtherNames(api: CheckApi, unit: Unit, isFirst: boolean): Promise<readonly CheckResult[]> {
  const { operation, kind } = unit;
  const caller = await callerOf(api, unit);
  if (!caller) return [];
  const missing = refusalsOf(api, operation, kind).filter(
    ({ requirement, fault }) => requirement === `${fault}.missing` && (isFirst || fault === ACT_AS),
  );
  return Promise.all(
    missing.map(async (refusal) => {
      const { name } = headerOf(api.contract, refusal.fault === ACT_AS ? ACT_AS : 'auth-type');
      const value = caller.base.headers.find(([usual]) => usual === name)?.[1];
      const rows = variationsFor(api, operation, ['name'], { texts: nameTexts(name) }).filter(
        (one) => !one.isEqual && one.value !== name,
      );
      const named = ({ value: other, ...row }: Variation): Variation => ({
        ...{ ...row, kind: 'header', name: String(other), value, how: `${other} instead of ${name}` },
      });
      // A target can refuse one and read another. Each is accepted in its place.
      const groups = rows.map((row) => ({ items: [named(row)], evidence: caller.like }));
      const result = await staysRefused(caller, refusal, { groups, refused: [] });
      return { ...result, varied: { law: 'refusal', with: rows } as const };
    }),
  );
}

/** Sends each misspelt request between two accepted ones, and decides each requirement. */
async function decide(parent: CheckApi, unit: Unit, misspelt: readonly Misspelt[]): Promise<CheckResult[]> {
  const { operation, kind } = unit;
  const api = parent.spread();
  const planned = api.planned(operation.id, kind, {});
  if (!planned?.credential || misspelt.length === 0) return [];
  // Accepted requests to a slow operation are few, so that the matrix has sent the control of those.
  const seen = operation.isSlow ? api.seen(planned) : undefined;
  const shows = `the documented request with the ${kind} token is accepted`;
  const ask = async () => seen ?? (await api.send(planned, shows)).answer;
  const before = await ask();
  const wrong = new Map<string, { readonly one: Misspelt; readonly answer: CheckAnswer }>();
  const open = new Map<Misspelt, string>();
  const lost: Misspelt[] = [];
  let why = '';
  for (const one of before.accepted ? misspelt : []) {
    // If a second request gets no answer after its retries, the others are not sent: each would take as long.
    if (lost.length > 1) {
      lost.push(one);
      continue;
    }
    const { isFree, requirement } = one;
    const answer = await send(api, operation, one);
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') {
      lost.push(one);
      why = outcome.why;
    }
    const isTheirs = ranAsNamed(api, one, answer);
    const serves = isTheirs ?? isServed(answer, before);
    const isAnother = isTheirs === false && answer.accepted;
    if (isFree || isAnother) open.set(one, outcome.kind);
    else if (serves && !wrong.has(requirement)) wrong.set(requirement, { one, answer });
  }
  const after = before.accepted ? await ask() : before;
  const control = after.accepted ? await api.acceptance(before) : undefined;
  // Who takes a changed token for the right one takes it with more behind it, too.
  const acceptedAsChanged = ({ requirement, variation }: Misspelt) =>
    requirement === 'authorization.malformed' && String(variation.value).startsWith(aroundToken(api.contract)[0])
      ? wrong.get('token.tampered')?.one.how
      : undefined;
  const judge = async (requirement: string): Promise<Decided> => {
    const found = wrong.get(requirement);
    if (found && control) {
      const neighbour =
        acceptedAsChanged(found.one) ?? (await acceptedNeighbour(api, unit, { like: before, misspelt: found.one }));
      if (neighbour !== undefined) return observed(`${found.one.how} is accepted, like ${neighbour}`);
      return fail(found.answer, `${found.one.how} is accepted with the ${kind} token`);
    }
    if (lost.some((one) => one.requirement === requirement)) return inconclusive(why);
    const count = misspelt.filter((one) => one.requirement === requirement && !open.has(one)).length;
    const leftOpen = [...open].flatMap(([one, kind]) =>
      one.requirement === requirement ? [`${one.how}: ${kind}`] : [],
    );
    const left = leftOpen.length > 0 ? `; left open: ${leftOpen.join(', ')}` : '';
    const refused = count === 1 ? '1 other spelling is' : `${count} other spellings are`;
    return pass(control, `${refused} refused${left}`);
  };
  const results: CheckResult[] = [];
  for (const [requirement, own] of groupedBy(misspelt, (one) => one.requirement)) {
    const varied = { law: 'refusal', with: own.map(({ variation }) => variation) } as const;
    results.push(decisionOf({ api, ...unit }, requirement, await judge(requirement), varied));
  }
  return results;
}

/** Whether an answer ran as the person whose name is spelled otherwise. Undefined if nobody else can have the other name. */
function ranAsNamed(api: CheckApi, { query, pointer }: Misspelt, answer: CheckAnswer): boolean | undefined {
  if (pointer !== undefined)
    return answer.accepted && valueAt(answer.text, pointer)?.toLowerCase() === api.people.actAs?.toLowerCase();
  return query === undefined ? undefined : answer.accepted && showsMarker(answer, 'ACT_AS');
}

function send(
  api: CheckApi,
  operation: Operation,
  { how, base, isFree, query, variation }: Misspelt,
): Promise<CheckAnswer> {
  const aim = isFree
    ? ({ shows: `${how} is left open`, wanted: 'either' } as const)
    : ({ shows: `${how} is refused`, wanted: 'refused' } as const);
  const fields = query !== undefined && { fields: { ...operation.example, query } };
  return sendVaried(api, operation, { base, variations: [variation], ...fields, ...aim });
}

async function acceptedNeighbour(
  api: CheckApi,
  { operation, kind }: Unit,
  { like, misspelt }: { readonly like: Answered; readonly misspelt: Misspelt },
): Promise<string | undefined> {
  // The form of Authorization is tried with few kinds, because it is read before the kind is known.
  const kindsFor = (values: Readonly<Record<Dimension, string>>) =>
    'authorization' in values ? api.claims.kinds : [kind];
  const cases = misspelt.neighbours.flatMap((values) =>
    kindsFor(values).flatMap((name) => api.planned(operation.id, name, values) ?? []),
  );
  for (const planned of cases) {
    const sent = api.seen(planned) ?? (await api.send(planned, `${planned.id} is refused`)).answer;
    if (isServed(sent, like)) return planned.id;
  }
  return undefined;
}
