import { type Acceptance, type Answered, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { firstShown } from '../../../harness/contract/amounts.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import type { Variation } from '../../variations/variation.ts';
import type { KindAt } from './decision.ts';
import { markerOf, type Person } from './private-documents.ts';
import { kindHeaders } from './refusals.ts';
import { type Base, sendVaried } from './send-varied.ts';
import { isHeadServed, isServed } from './served.ts';

/** A kind of token on an operation, with the acceptance of its documented request. */
export interface Caller extends KindAt {
  readonly base: Base;
  readonly like: Answered;
  readonly control: Acceptance | undefined;
  /** Whose private document it must not see. Requests that must be accepted then look for that, unless `seeks` is false. */
  readonly stranger?: Person | undefined;
  /** An answer whose body is free may look otherwise if something else is sought, so that it shows less what was accepted. */
  readonly seeks?: boolean;
  /** What differs for a message of another protocol than the client API. */
  readonly protocol?: Protocol | undefined;
}
interface Protocol {
  /** Whether an answer serves the message. */
  readonly serves: (answer: CheckAnswer) => boolean;
  /** Why an answer shows nothing. Undefined if it shows something. */
  readonly whyLost: (answer: CheckAnswer) => string | undefined;
  /** What an answer breaks that shows the private document of another person. */
  readonly isolation: string;
}

/** @param named who its requests act as. By default as in the documented request. */
export async function callerOf(
  parent: CheckApi,
  asked: Pick<Caller, 'operation' | 'kind' | 'stranger'> & { readonly named?: string | undefined },
): Promise<Caller | undefined> {
  const { operation, kind, stranger, named } = asked;
  const api = parent.spread();
  const planned = api.planned(operation.id, kind, {});
  if (!planned?.credential) return undefined;
  const shows = `the documented request with the ${kind} token is accepted`;
  const like = api.seen(planned) ?? (await api.send(planned, shows)).answer;
  const base = { credential: planned.credential, headers: kindHeaders(api, kind, named) };
  const seeks = operation.documentsBody;
  return { api, operation, kind, base, like, control: await api.acceptance(like), stranger, seeks };
}

/** The documented request with a service-issued token that has the scope of the operation alone (spec 4.2). */
export function withOneScope(
  { contract, planned }: Pick<CheckApi, 'contract' | 'planned'>,
  { id, scopes }: Operation,
  kind: string,
): PlannedCase | undefined {
  return contract.matrix.kinds[kind]?.family === 'service'
    ? planned(id, kind, { holding: `only:${scopes}` })
    : undefined;
}

/** A request that must be accepted without the variations. */
export function sendAccepted(
  { api, operation, kind, base, stranger, seeks = true }: Caller,
  variations: readonly Variation[],
): Promise<CheckAnswer> {
  const hides = stranger ? `, and hides ${markerOf(stranger)}` : '';
  const shows = `the request with the ${kind} token is accepted with ${describe(variations)}${hides}, or these are left out`;
  const fields = seeks && stranger && { ...(base.message?.fields ?? operation.example), query: stranger.query };
  return sendVaried(api, operation, { base, variations, shows, wanted: 'either', ...(fields && { fields }) });
}

/** Why the answer to a request shows nothing. Undefined if it shows something. */
export function whyLost({ protocol }: Caller, answer: CheckAnswer): string | undefined {
  if (protocol) return protocol.whyLost(answer);
  const outcome = outcomeOf(answer);
  return outcome.kind === 'lost' ? outcome.why : undefined;
}

/** Whether the answer to a request with these variations serves the operation. */
export function serves(
  { operation, like, protocol }: Caller,
  items: readonly Variation[],
  answer: CheckAnswer,
): boolean {
  if (protocol) return protocol.serves(answer);
  return isHeadOf(operation, items) ? isHeadServed(answer, like) : isServed(answer, like);
}

/** Whether they ask GET with HEAD. */
export const isHeadOf = ({ method }: Operation, items: readonly Variation[]): boolean =>
  method === 'GET' && items.some(({ kind, name }) => kind === 'method' && name === 'HEAD');

const MOST_NAMED = 3;

export function describe(items: readonly Pick<Variation, 'how'>[]): string {
  const named = firstShown([...new Set(items.map(({ how }) => how))], MOST_NAMED, (more) => `${more} more`);
  const [last = 'no variation'] = named.slice(-1);
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
}
