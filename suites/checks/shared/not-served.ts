import { type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { given } from '../../../harness/contract/collections.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import { influenceOf, type Variation } from '../../variations/variation.ts';
import { type Caller, describe, sendAccepted } from './caller.ts';
import { confirm } from './confirm.ts';
import { type Decided, decisionOf, fail, observedRefusal, warn } from './decision.ts';
import { markerOf } from './private-documents.ts';
import { type Refusal, refusalsWithoutToken } from './refusals.ts';
import { type Base, sendVaried } from './send-varied.ts';
import { isFailure } from './served.ts';
import { partiesOf } from './sightings.ts';
import type { Tried } from './vary.ts';

/**
 * With a variation, a target may answer in another form than the documented one, such as a list, events or CSV. A page would look
 * the same, so only the private document of the caller's own person shows that the operation ran, and then that it ran for a
 * request which must be refused.
 */
export async function refusedInOtherForms(
  caller: Caller,
  refusals: readonly Refusal[],
  { otherForms }: Pick<Tried, 'otherForms'>,
): Promise<readonly CheckResult[]> {
  const { operation, kind } = caller;
  const [parties] = partiesOf(caller.api, kind);
  if (!parties || parties.isThird || caller.api.breadth !== 'whole') return [];
  const { own } = parties;
  const all = [
    ...refusals.filter((refusal) => refusal.kind === kind),
    ...refusalsWithoutToken(caller.api, operation, kind),
  ];
  const results: CheckResult[] = [];
  // Another path may lead to another operation, which has rules of its own.
  const here = otherForms.filter(({ kind, leadsElsewhere }) => kind === 'method' || !leadsElsewhere);
  for (const one of here) {
    const api = caller.api.fork();
    const find = async (base: Base, what: string) => {
      const shows = `${what} with ${one.how} shows ${markerOf(own)}`;
      const fields = { ...operation.example, query: own.query };
      const answer = await sendVaried(api, operation, { base, variations: [one], fields, shows, wanted: 'either' });
      return showsMarker(answer, own.owner) ? answer : undefined;
    };
    if (!(await find(caller.base, `the request with the ${kind} token`))) continue;
    for (const refusal of all) {
      const found = await find(refusal, refusal.what);
      const detail = `${refusal.what} is accepted with ${describe([one])}: its answer shows ${markerOf(own)}`;
      const wrong = found && fail(found, detail, influenceOf([one]));
      if (wrong) results.push(decisionOf({ api, operation, kind: refusal.kind }, refusal.requirement, wrong));
    }
  }
  return results;
}

/** What is said of the documented request with variations that are refused alone: the specification does not speak of them. */
export async function refusedAlone(caller: Caller, tried: Tried): Promise<readonly CheckResult[]> {
  const { alone, otherForms, failed } = tried;
  const unknown = unknownOf(caller, tried);
  const results = [...(await failures(caller, unknown))];
  const inWords = (items: readonly Variation[]) => items.map(({ how }) => how).join('; or with ');
  const told: readonly (readonly [got: string, items: readonly Variation[]])[] = [
    ['is refused', alone.filter((one) => !otherForms.includes(one) && !failed.includes(one))],
    ['is answered in another form', otherForms],
    ['gets a server error', failed.filter((one) => !unknown.includes(one))],
  ];
  for (const [got, items] of told)
    if (items.length > 0)
      results.push(decided(caller, observedRefusal(caller.control, `${ACCEPTED} ${got} with ${inWords(items)}`)));
  return results;
}

/** What the specification leaves open may be answered with anything but a server error (outcomes 2), which must come each time. */
export async function failures(caller: Caller, failed: readonly Variation[]): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const one of failed) {
    const own = { ...caller, api: caller.api.fork() };
    const ask = () => sendAccepted(own, [one]);
    const { kind, got } = await confirm(ask, (answer) => (isFailure(answer) ? 'wrong' : 'right'));
    const detail = `${ACCEPTED} gets a server error with ${one.how}`;
    if (kind === 'wrong') results.push(decided(own, warn(got, detail, 'no server error')));
  }
  return results;
}

/**
 * A target that fails at one unknown header, cookie, parameter or field may fail at all. The matrix judges what is documented, and
 * a body or line in another form; another method or path asks for another operation.
 */
export function unknownOf(
  { api, operation }: Pick<Caller, 'api' | 'operation'>,
  { failed }: Pick<Tried, 'failed'>,
): readonly Variation[] {
  const headers = Object.values(api.contract.matrix.headers);
  const fields = given([operation.field, operation.option]);
  const documented = [...headers, ...fields].map(({ name }) => name.toLowerCase());
  const isUnknown = ({ kind, name }: Variation) => UNKNOWN.includes(kind) && !documented.includes(name.toLowerCase());
  return failed.filter(isUnknown).slice(0, MOST_FAILED);
}
const UNKNOWN: readonly VariationKind[] = ['header', 'cookie', 'parameter', 'field'];
const MOST_FAILED = 3;

const decided = (caller: Caller, one: Decided): CheckResult =>
  decisionOf(caller, `${caller.operation.id}.success`, one);

const ACCEPTED = 'a request that is accepted otherwise';
