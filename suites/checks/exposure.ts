import type { Answered } from '../../harness/checks/acceptance.ts';
import { type CheckApi, type CheckResult, type Recorded, showsMarker } from '../../harness/checks/check.ts';
import { ACT_AS, actsAs } from '../../harness/contract/contract.ts';
import { isAccepted, isAnswer } from '../../harness/record/observation.ts';
import { isMarker } from '../../harness/settings/variables.ts';
import { kindOf } from './protocol.ts';
import { fail, pass } from './shared/decision.ts';
import { belongsTo, OWNERS, type Owner } from './shared/private-documents.ts';

/**
 * Reads everything that the run got until now, and sends nothing. A refusal shows no private document, not even to its owner,
 * and no answer shows that of another person, or the token of another request, whatever it was asked for (outcomes 2).
 */
export async function exposure(api: CheckApi): Promise<readonly CheckResult[]> {
  const recorded = api.recorded();
  const found = recorded.find((one) => one.accepted && OWNERS.some((owner) => showsMarker(one, owner)));
  const refusals = recorded.filter(isRefused);
  const blaming = checksThatBlame(api);
  const results = new Map<string, CheckResult>();
  for (const one of recorded) {
    const token = tokenIn(one);
    const owners = isRefused(one) ? ownersIn(one) : blaming.has(one.case) ? [] : exposed(api, one);
    const markers = owners.map((owner) => `$${owner}_PRIVATE_MARKER`).join(' and ');
    const shown = markers || (token && `$${token}, which its request does not carry`);
    const key = `${one.case} ${one.operation?.id} ${one.credential}`;
    if (!shown || results.has(key)) continue;
    const asked = one.step ? `${one.case} with ${one.credential} (${one.step.shows})` : one.case;
    const what = isRefused(one) ? 'a refusal' : `the answer to ${asked}`;
    const unit = { requirement: 'user.isolation', operation: one.operation?.id ?? 'any', kind: 'any' };
    results.set(key, { ...unit, ...fail(one, `${what} showed ${shown}`), steps: [one] });
  }
  // If no search found a private document, a refusal could not show one. The check `isolation` says so.
  if (results.size > 0 || !found || refusals.length === 0) return [...results.values()];
  const decided = pass(await api.acceptance(found), `none of ${refusals.length} refusals showed a private document`);
  return [{ requirement: 'user.isolation', operation: 'any', kind: 'any', ...decided, steps: [found] }];
}

function isRefused({ observation }: Answered): boolean {
  return isAnswer(observation) && !isAccepted(observation);
}

/** The checks that blame a document which they saw. They know best what it comes from. */
function checksThatBlame({ contract, decided }: CheckApi): ReadonlySet<string> {
  const grave = new Set(contract.requirements.flatMap(({ id, grave: isGrave }) => (isGrave ? [id] : [])));
  const blaming = decided().filter(({ verdict, requirement }) => verdict === 'fail' && grave.has(requirement));
  return new Set(blaming.map(({ check }) => `check:${check}`));
}

const ownersIn = (one: Recorded): readonly Owner[] => OWNERS.filter((owner) => showsMarker(one, owner));

/** A credential as it is in its variable. Who made another one of it may be anybody. */
const AS_IT_IS = /^\$\w+$/;

/** Whose private documents an acceptance shows that must not show them. Nobody may see those of both. */
function exposed(api: CheckApi, one: Recorded): readonly Owner[] {
  const shown = ownersIn(one);
  if (shown.length === 0 || one.operation === undefined) return [];
  const own = owning(api, one);
  if (own === undefined) return shown.length === OWNERS.length ? shown : [];
  return shown.filter((owner) => !own.includes(owner));
}

/** Whose private document may be shown to a request. Undefined if that may be either, and is not known. */
function owning(api: CheckApi, one: Recorded): readonly Owner[] | undefined {
  const planned = api.plan.cases.get(one.case);
  const kind = planned || AS_IT_IS.test(one.credential) ? kindOf(api, one) : undefined;
  if (kind === undefined || !api.claims.kinds.includes(kind)) return undefined;
  if (actsAs(api.contract, kind)) return planned?.values[ACT_AS] === 'existing' ? ['ACT_AS'] : undefined;
  switch (belongsTo(api, kind)) {
    case 'user':
      return ['USER'];
    case 'third person':
      return [];
    case 'nobody':
      return undefined;
  }
}

/** The token of an earlier request. Who reads it in the answer can act as its owner. */
function tokenIn({ observation }: Recorded): string | undefined {
  return isAnswer(observation) ? observation.markers?.find((variable) => !isMarker(variable)) : undefined;
}
