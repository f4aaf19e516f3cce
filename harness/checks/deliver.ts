import { NEVER_JUDGED } from '../contract/contract.ts';
import { JSON_TYPE, type Operation } from '../contract/openapi.ts';
import { RECURRENCES } from '../judge/judge-case.ts';
import type { Credential } from '../plan/credentials.ts';
import {
  credentialLine,
  parameterOf,
  type RequestParts,
  type WireRequest,
  withOneCookieLine,
  withParameter,
} from '../plan/request.ts';
import type { Step } from '../record/exchange.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import {
  type Failure,
  isAccepted,
  isAnswer,
  type Observation,
  observe,
  type RawAnswer,
  transportReason,
} from '../record/observation.ts';
import { unlessOutlived } from '../record/outlived.ts';
import { timed } from '../send/clock.ts';
import { lastAcceptance } from '../send/lockout.ts';
import { sendUntilAnswered } from '../send/retry.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answered, outcomeOf } from './acceptance.ts';
import type { Call, CheckAnswer, Visit } from './check.ts';
import type { CheckWorld } from './check-world.ts';

/** A request of a check: its step, and its token or what is said instead of that. `operation` is undefined for any other request. */
export interface Delivery {
  readonly step: Step;
  readonly command: NonNullable<Answered['command']>;
  readonly recipe?: string;
  /** Its token must not come back. */
  readonly credential?: Credential | undefined;
  /** The token in the text of a raw request, if it is known when that expires. */
  readonly carried?: Credential | undefined;
  readonly operation?: Operation | undefined;
  /** Whether the target may count the token as refused (outcomes 6). @param status what came. Undefined if no answer came. */
  readonly isDenial: (status: number | undefined) => boolean;
  /** Whether any refusal is admitted, so that what recurs may be one, also if it is no answer (outcomes 3). */
  readonly mayRefuseAnyhow: boolean;
  /** What the request waits for after its turn has come. */
  readonly ready?: (() => Promise<void>) | undefined;
  /** A target need not answer a raw request: a missing answer then does not mean that the target is gone. */
  readonly mayBeSilent?: boolean;
}

/** Sends a request of a check, retries after transport outcomes, and records every answer. */
export type Deliver = (delivery: Delivery, once: () => Promise<RawAnswer | Failure>) => Promise<CheckAnswer>;

const BETWEEN_VARIATIONS = / with |, | and /;

export const RUN_STOPPED = 'the run was stopped';

export function createDelivery(world: CheckWorld, check: string): Deliver {
  const { gate, sender, observer, redactor, soFar, plan, lockout } = world;
  /** What recurred. A further request that gets it is asked beside acceptances at once, without the pauses of retries. */
  const recurring = new Set<string | undefined>();
  const isAnswering = async () => {
    const last = lastAcceptance(plan, sender.exchanges);
    const again = last && (await sender.send(last.planned, 'control'));
    return again !== undefined && isAccepted(again.observation);
  };
  /** Once the target has locked the run out, each refusal may be of the next lockout. Before, that of an acceptance may be. */
  const isOfLockout = async ({ observation, step }: CheckAnswer) =>
    isLockoutRefusal(observation) && (lockout.times > 0 || step?.wanted === 'accepted') && (await lockout.recover());
  return async (delivery, once) => {
    const {
      credential,
      recipe = credential?.recipe ?? 'no token',
      operation,
      isDenial,
      mayBeSilent = false,
      mayRefuseAnyhow,
    } = delivery;
    // A variation may hold the address of a person, and a request may have hundreds of variations.
    const step = { ...delivery.step, shows: redactor.text(delivery.step.shows, BETWEEN_VARIATIONS) };
    const send = async (isAlone: boolean) => {
      const begun = async () => {
        await delivery.ready?.();
        return timed(gate.clock, once);
      };
      const sent = await gate.pass(begun, check, isAlone);
      if (sent === undefined) return undefined;
      const { got: raw, ms } = sent;
      const seen = 'kind' in raw ? raw : observe(observer, raw, operation, credential);
      const observation = unlessOutlived(seen, credential ?? delivery.carried);
      const accepted = soFar.isAcceptance(observation, operation);
      const { seq } = sender.record({ case: check, role: 'check', credential: recipe, observation, ms, step });
      const [text, headers] = 'kind' in raw ? ['', {}] : [raw.text, raw.headers];
      return { observation, seq, step, command: delivery.command, operation, accepted, text, headers, ms };
    };
    const deliver = (most?: number) =>
      sendUntilAnswered(
        { ...world, isAnswering: sender.isAnswering },
        {
          ...{ operation, name: step.shows, once: send },
          optionsOf: (observation) => ({
            retries: recurring.has(wayOf(observation)) ? 0 : most,
            isDenial: isDenial(isAnswer(observation) ? observation.status : undefined),
            mayBeSilent,
          }),
        },
      );
    const first = await deliver();
    const answer = first && (await isOfLockout(first)) ? await deliver() : first;
    if (!answer) return unsent(gate.closed ?? RUN_STOPPED, { step, operation });
    const waits = isSilence(answer) && (mayBeSilent || !mayRefuseAnyhow);
    if (outcomeOf(answer).kind !== 'lost' || waits) return answer;
    const asked = await askAgain(answer, { send: () => deliver(0), isAnswering });
    if (!asked.recurs) return asked;
    recurring.add(wayOf(asked.observation));
    return mayRefuseAnyhow ? asked : answer;
  };
}

/** Many servers never answer an odd request, and each further wait would take as long. */
function isSilence({ observation }: CheckAnswer): boolean {
  return observation.kind === 'failure' && observation.failure === 'timeout';
}

export function unsent(reason: string, { step, operation }: Pick<Delivery, 'step' | 'operation'>): CheckAnswer {
  const observation: Failure = { kind: 'failure', failure: 'other', detail: `not sent: ${reason}` };
  return { observation, seq: undefined, step, operation, accepted: false, text: '', headers: {} };
}

interface AskAgain {
  /** Sends the same request once more. Undefined if nothing was sent. */
  readonly send: () => Promise<CheckAnswer | undefined>;
  /** Whether the target accepts, at this moment, what it accepted last. */
  readonly isAnswering: () => Promise<boolean>;
}

/**
 * Asks again what got no answer of the application, beside a request that the target accepts. So a request that was lost by
 * chance gets its answer, and ends no check. What comes on every send is the target's way to refuse this request, such as
 * that of a firewall (outcomes 3).
 */
export async function askAgain(lost: CheckAnswer, { send, isAnswering }: AskAgain): Promise<CheckAnswer> {
  if (wayOf(lost.observation) === undefined || !(await isAnswering())) return lost;
  for (let time = 0; time < RECURRENCES; time += 1) {
    const again = await send();
    if (!again || outcomeOf(again).kind !== 'lost') return again ?? lost;
    if (wayOf(again.observation) !== wayOf(lost.observation) || !(await isAnswering())) return again;
  }
  return { ...lost, recurs: true };
}

/** How something in front of a target may refuse a request. Undefined for what says that the target is busy, or gone. */
export function wayOf(observation: Observation): string | undefined {
  if (observation.kind === 'failure') return WAYS.find((way) => way === observation.failure);
  const { status, form } = observation;
  // Data in an unusual form is no page: it may be an acceptance.
  if (isAccepted(observation)) return form === 'markup' ? `page ${status}` : undefined;
  if (transportReason(observation) === undefined || BUSY.includes(status)) return undefined;
  return `${status}`;
}
const WAYS = ['reset', 'timeout', 'protocol'] as const;
const BUSY = [...NEVER_JUDGED, 425];

type Lines = (readonly [name: string, value: string])[];
const typeLine = (body: unknown, type: string): Lines => (body === undefined ? [] : [['Content-Type', type]]);

/** The request of a call. Everything that the call leaves out is as in the neutral case of the kind. */
export function callRequest({ contract, common }: RequestParts, call: Call): WireRequest {
  const { operation, credential, headers = [], method = operation.method, query = '' } = call;
  const body = 'body' in call ? call.body : operation.example;
  const carrier = contract.matrix.headers.authorization;
  const { authorization = credential ? credentialLine(contract, credential.token) : null } = call;
  const isInQuery = carrier.in === 'query' && authorization !== null;
  const lines: Lines = authorization === null || isInQuery ? [] : [[carrier.name, authorization]];
  // A line of the call replaces the common one, such as User-Agent: two of them would be another request.
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const rest = common.filter(([name]) => !own.has(name.toLowerCase()));
  lines.push(...headers, ...typeLine(body, operation.contentType), ...rest);
  return {
    method,
    path: operation.path + (isInQuery ? withParameter(query, parameterOf(carrier, authorization)) : query),
    headers: withOneCookieLine(lines),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/**
 * Fills `{base}` and `{common}`, or `{common but User-Agent}`, into the text of a raw request. Its own lines replace common ones,
 * as those of a call do.
 */
export function rawRequest(
  { baseUrl, extraHeaders }: Pick<Settings, 'baseUrl' | 'extraHeaders'>,
  { common }: Pick<RequestParts, 'common'>,
  text: string,
): string {
  const { host, pathname } = new URL(baseUrl);
  const own = new Set(text.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase()));
  const rest = [['Host', host] as const, ...common].filter(([name]) => !own.has(name.toLowerCase()));
  // Replacement functions, because `$` has a meaning in a replacement text.
  return text
    .replaceAll('{base}', () => pathname.replace(/\/+$/, ''))
    .replace(/\{common(?: but ([\w-]+))?\}/g, (_, left?: string) =>
      [...rest.filter(([name]) => name !== left), ...extraHeaders].map((line) => line.join(': ')).join('\r\n'),
    );
}

export function visitRequest(
  { common }: Pick<RequestParts, 'common'>,
  { url, method, credential, body, headers = [] }: Visit,
): WireRequest {
  const bearer = credential ? [['Authorization', `Bearer ${credential.token}`] as const] : [];
  const lines: Lines = [...bearer, ...headers, ...typeLine(body, JSON_TYPE)];
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path: url.pathname + url.search,
    headers: [...lines, ...common],
    body: body && JSON.stringify(body),
  };
}

/** The address in MCP_URL, for a message to the remote MCP server. Undefined if it is below TARGET_BASE_URL. */
export function mcpAddress({ contract, settings }: CheckWorld, operation: Operation): URL | undefined {
  const address = settings.variables.get('MCP_URL')?.value;
  return address !== undefined && contract.mcp.includes(operation) ? new URL(address) : undefined;
}

/** The path of an address, with its own query and that of another path. */
export function pathAt({ pathname, search }: URL, path: string): string {
  const [, query] = /\?(.*)$/s.exec(path) ?? [];
  return query === undefined ? pathname + search : withParameter(pathname + search, query);
}
