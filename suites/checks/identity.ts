import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { Call, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { actsAs, mayAct, operationOf } from '../../harness/contract/contract.ts';
import { valueAt } from '../../harness/contract/json-value.ts';
import { type Identity, personVariable } from '../../harness/contract/people.ts';
import { bundlesOf, influenceOf } from '../variations/variation.ts';
import { callerOf, describe, sendAccepted } from './shared/caller.ts';
import {
  byOutcome,
  type Decided,
  decideEach,
  decisionOf,
  fail,
  inconclusive,
  type KindAt,
  notTestable,
  pass,
} from './shared/decision.ts';
import { smallest } from './shared/group-testing.ts';
import { variationsFor } from './shared/known-variations.ts';
import { belongsTo } from './shared/private-documents.ts';
import { baseOf } from './shared/refusals.ts';
import { acceptedWith } from './shared/vary.ts';

/** A kind of token at the operation that shows whom a request runs as. */
interface Unit extends KindAt {
  readonly pointer: string;
}

/**
 * A request runs as the person behind its token, or as the one that it may act as. Where an operation shows that, no private
 * document is needed.
 */
export async function identity(api: CheckApi): Promise<readonly CheckResult[]> {
  const { contract } = api;
  const { operation: id, pointer }: Identity = contract.identity ?? { operation: '', pointer: '' };
  const operation = operationOf(contract, id);
  return decideEach(
    api.claims.kinds.filter((kind) => api.planned(id, kind, {})?.credential && belongsTo(api, kind) !== 'nobody'),
    async (kind) => {
      const unit = { api: api.connect().fork(), operation, pointer, kind };
      const acting = mayAct(contract, kind) ? await actingAs(unit) : [];
      // After requests that act as somebody, on the same connection.
      const own = actsAs(contract, kind) ? [] : await ofOneself(unit);
      const varied = own[0]?.verdict === 'pass' ? await beside(unit) : [];
      return [...acting, ...own, ...varied];
    },
  );
}

function ownerOf({ api, kind }: Unit): string {
  const [own, user] = [kind, 'USER'].map((owner) => personVariable(api.contract, owner));
  return own !== undefined && api.variable(own) !== undefined ? own : (user ?? '');
}

/** Whether an answer shows that it ran as the person in a variable. Undefined if it shows nobody. */
function runsAs({ api, pointer }: Unit, { text }: CheckAnswer, variable: string): boolean | undefined {
  const shown = valueAt(text, pointer);
  return shown === undefined ? undefined : shown.toLowerCase() === api.variable(variable)?.toLowerCase();
}

const callOf = ({ api, operation, kind }: Unit, shows: string, named?: string): Call => ({
  ...{ operation, ...baseOf(api, kind, named === undefined ? undefined : api.variable(named)) },
  ...{ shows, wanted: named !== undefined && !mayAct(api.contract, kind) ? 'either' : 'accepted' },
});

/** What an answer decides that must run as the person in a variable. */
async function judge(unit: Unit, answer: CheckAnswer, who: string, variable: string): Promise<Decided> {
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (outcome.kind === 'refused') return inconclusive(`${who} was refused, so nothing shows whom it runs as`);
  switch (runsAs(unit, answer, variable)) {
    case undefined:
      return inconclusive(`the answer to ${who} shows nobody at ${unit.pointer}`);
    case true:
      return pass(await unit.api.acceptance(answer), `${who} runs as $${variable}`);
    case false:
      return fail(answer, `${who} does not run as $${variable}, unless that names somebody else by mistake`);
  }
}

/** A token that acts as somebody runs as that person, also while the same token acts as another one. */
async function actingAs(unit: Unit): Promise<readonly CheckResult[]> {
  const { api, kind } = unit;
  const people = ['ACT_AS', 'USER'].map((owner) => personVariable(api.contract, owner));
  const missing = people.find((name) => api.variable(name) === undefined);
  if (missing !== undefined) return [decisionOf(unit, EFFECTIVE, notTestable(missing))];
  const who = (name: string) => `a request with the ${kind} token that acts as $${name}`;
  for (const name of people) {
    const answer = await api.call(callOf(unit, `${who(name)} runs as that person`, name));
    const one = await judge(unit, answer, who(name), name);
    if (one.verdict !== 'pass') return [decisionOf(unit, EFFECTIVE, one)];
  }
  const both = [...people, ...people];
  const calls = both.map((name) => callOf(unit, `${who(name)} runs as that person beside others`, name));
  const answers = await api.together(calls);
  const all = await Promise.all(
    answers.map((answer, at) => judge(unit, answer, `${who(both[at] ?? '')} beside others`, both[at] ?? '')),
  );
  const [first] = all;
  const one = all.find(({ verdict }) => verdict !== 'pass') ?? first;
  return one ? [decisionOf(unit, EFFECTIVE, one)] : [];
}
const EFFECTIVE = 'act-as.effective';

/** A request that names nobody runs as the owner of its token, and one whose token may not act as others does so too. */
async function ofOneself(unit: Unit): Promise<readonly CheckResult[]> {
  const { api, kind } = unit;
  const owner = ownerOf(unit);
  if (api.variable(owner) === undefined) return [decisionOf(unit, 'identity.own', notTestable(owner))];
  const plain = await api.call(callOf(unit, `a request with the ${kind} token runs as its owner`));
  const own = await judge(unit, plain, `a request with the ${kind} token`, owner);
  // Nobody said that tokens of each kind belong to one person.
  const ofKind = personVariable(api.contract, kind);
  const isAssumed = owner !== ofKind && api.claims.kinds.length > 1;
  if (own.verdict === 'fail' && isAssumed) {
    // A token belongs to one person, so the same request runs as that person again.
    const again = await api.call(callOf(unit, 'the same request runs as the same person'));
    const isSteady = runsAs(unit, again, owner) !== true;
    return [decisionOf(unit, 'identity.own', isSteady ? notTestable(ofKind) : own)];
  }
  const named = personVariable(api.contract, 'ACT_AS');
  const isAble = mayAct(api.contract, kind);
  if (isAble || !api.contract.has.includes('acting') || own.verdict !== 'pass')
    return [decisionOf(unit, 'identity.own', own)];
  if (api.variable(named) === undefined) return [decisionOf(unit, ESCALATION, notTestable(named))];
  const what = `a request with the ${kind} token that names $${named}`;
  const answer = await api.call(callOf(unit, `${what} does not run as that person`, named));
  const refused = pass(await api.acceptance(plain), `${what} never runs as that person`);
  const isOther = runsAs(unit, answer, named) === true;
  const accepted = isOther ? fail(answer, `${what} runs as that person`) : refused;
  const escalation = byOutcome(outcomeOf(answer), { accepted, refused });
  return [decisionOf(unit, 'identity.own', own), decisionOf(unit, ESCALATION, escalation)];
}
const ESCALATION = 'act-as.no-escalation';

/** Nothing that the contract does not list changes whom a request runs as. */
async function beside(unit: Unit): Promise<readonly CheckResult[]> {
  const { operation, kind } = unit;
  const caller = await callerOf(unit.api, { operation, kind });
  if (!caller?.control) return [];
  const variations = variationsFor(caller.api, operation, ['header', 'cookie', 'parameter', 'field']);
  const { groups } = await acceptedWith(caller, bundlesOf(variations.filter(({ isAlone }) => !isAlone)));
  const isChanged = (answer: CheckAnswer) => runsAs(unit, answer, ownerOf(unit)) === false;
  const changed = groups.find(({ evidence }) => isChanged(evidence));
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const own = (one: Decided) => [decisionOf({ ...unit, api: caller.api }, 'identity.own', one)];
  const passed = pass(caller.control, `${count} variations: with none of them, somebody else is shown`);
  if (!changed) return groups.length === 0 ? [] : own(passed);
  const { items, evidence } = await smallest(changed, async (some) => {
    const answer = await sendAccepted(caller, some);
    return answer.accepted && isChanged(answer) ? answer : undefined;
  });
  const detail = `with ${describe(items)}, the ${kind} token runs as somebody else`;
  return own(fail(evidence, detail, influenceOf(items)));
}
