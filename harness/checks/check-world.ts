import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Breadth, Decision, Exchange, LeftRecord } from '../record/exchange.ts';
import { isAccepted, isAnswer, type Observation, type Observer, transportReason } from '../record/observation.ts';
import type { Redactor } from '../record/redact.ts';
import type { ChatBudget } from '../send/chat-budget.ts';
import type { Gate } from '../send/gate.ts';
import type { Lockout } from '../send/lockout.ts';
import type { Patience } from '../send/patience.ts';
import type { Sender } from '../send/sender.ts';
import type { Transport } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import { countLook, isRefusal, isTo, type LookCounts, looksAccepted } from './acceptance.ts';
import { type CheckAnswer, showsMarker } from './check.ts';

/** Everything in a session that the API for checks needs. */
export interface CheckWorld {
  readonly acceptedCalls: AcceptedCalls;
  readonly contract: Contract;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly breadth: Breadth;
  readonly gate: Gate;
  readonly patience: Patience;
  readonly chats: ChatBudget;
  readonly sender: Pick<Sender, 'record' | 'send' | 'seen' | 'exchanges' | 'isAnswering'>;
  readonly lockout: Lockout;
  readonly soFar: AnswersSoFar;
  /** What checks have decided until now. */
  readonly decisions: Decision[];
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly transport: Transport;
  /** Records what a check created on the target, and what it removed again. */
  note(entry: LeftRecord): void;
}

/** The accepted calls of a run to slow operations. Checks share them where the chat budget is tight. */
interface AcceptedCalls {
  /** Remembers the answer if it is an acceptance by a slow operation. */
  remembered(operation: Operation, request: WireRequest, sending: Promise<CheckAnswer>): Promise<CheckAnswer>;
  /** The last answer to the same request, with the same body or with any. */
  like(request: WireRequest, body: 'same body' | 'any body'): CheckAnswer | undefined;
}

export function createAcceptedCalls(): AcceptedCalls {
  const answers = new Map<string, CheckAnswer>();
  return {
    async remembered({ isSlow }, request, sending) {
      const answer = await sending;
      if (isSlow && answer.accepted) for (const key of keysOf(request)) answers.set(key, answer);
      return answer;
    },
    like(request, body) {
      const [same, any] = keysOf(request);
      return answers.get(body === 'same body' ? same : any);
    },
  };
}

/** What identifies a request: all of it, and all but its body. */
function keysOf({ method, path, headers, body }: WireRequest): [same: string, any: string] {
  return [JSON.stringify([method, path, headers, body]), JSON.stringify([method, path, headers])];
}

/** What the answers of a run until now say about an operation. */
export interface AnswersSoFar {
  /** Whether a 2xx looks like an acceptance of the operation. Without an operation, any 2xx does. */
  isAcceptance(observation: Observation, operation: Operation | undefined): boolean;
  wasRefused(operation: Operation): boolean;
  /** Whether a person looked for their own private document with an operation, and never found it. */
  isUnseen(operation: string, owner: string): boolean;
}
interface RunSoFar extends Pick<CheckWorld, 'contract' | 'plan'> {
  readonly sender: Pick<Sender, 'exchanges'>;
}

/** Reads each exchange once: a run has twenty thousand, and each check asks after each of its requests. */
export function createAnswersSoFar({ sender, plan, contract }: RunSoFar): AnswersSoFar {
  const operations = [...contract.operations, ...contract.mcp];
  const accepted = new Map(operations.map(({ id }): [string, LookCounts] => [id, new Map()]));
  const refused = new Set<string>();
  const ownFound = new Map<string, boolean>();
  // A page of a gateway can be the answer to a request that must be refused. So only the others tell the usual look.
  const mustBeAccepted = ({ step, case: id }: Exchange) =>
    step ? step.wanted === 'accepted' : plan.cases.get(id)?.expectation.kind === 'accept';
  let read = 0;
  const readOn = () => {
    for (const exchange of sender.exchanges.slice(read)) {
      const to = operations.find((operation) => isTo(operation)(exchange));
      if (to === undefined) continue;
      const { observation, step } = exchange;
      const sought = `${to.id} ${step?.finds}`;
      if (step?.finds !== undefined && isAnswer(observation) && transportReason(observation) === undefined)
        ownFound.set(sought, ownFound.get(sought) === true || showsMarker(exchange, step.finds));
      if (isRefusal(exchange)) refused.add(to.id);
      const counts = accepted.get(to.id);
      if (counts && isAnswer(observation) && isAccepted(observation) && mustBeAccepted(exchange))
        countLook(counts, observation);
    }
    read = sender.exchanges.length;
  };
  return {
    isAcceptance(observation, operation) {
      if (operation === undefined) return isAccepted(observation);
      readOn();
      return looksAccepted(observation, accepted.get(operation.id) ?? new Map());
    },
    wasRefused({ id }) {
      readOn();
      return refused.has(id);
    },
    isUnseen(operation, owner) {
      readOn();
      return ownFound.get(`${operation} ${owner}`) === false;
    },
  };
}
