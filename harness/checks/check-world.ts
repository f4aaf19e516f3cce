import type { Contract } from '../contract/contract.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Breadth, LeftRecord } from '../record/exchange.ts';
import type { Observer } from '../record/observation.ts';
import type { Redactor } from '../record/redact.ts';
import type { ChatBudget } from '../send/chat-budget.ts';
import type { Gate } from '../send/gate.ts';
import type { Lockout } from '../send/lockout.ts';
import type { Sender } from '../send/sender.ts';
import type { Transport } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import type { AcceptedCalls } from './accepted-calls.ts';
import type { AnswersSoFar } from './answers-so-far.ts';

/** Everything in a session that the API for checks needs. */
export interface CheckWorld {
  readonly acceptedCalls: AcceptedCalls;
  readonly contract: Contract;
  readonly plan: Plan;
  readonly settings: Settings;
  readonly breadth: Breadth;
  readonly gate: Gate;
  readonly chats: ChatBudget;
  readonly sender: Pick<Sender, 'record' | 'send' | 'exchanges'>;
  readonly lockout: Lockout;
  readonly soFar: AnswersSoFar;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly transport: Transport;
  /** Records what a check created on the target, and what it removed again. */
  note(entry: LeftRecord): void;
}
