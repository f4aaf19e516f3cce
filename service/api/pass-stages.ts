import { Refusal } from '../terms/refusal.ts';
import { identityOf } from './rate-limit.ts';
import { type Call, type Stage, stages } from './steps.ts';

/** Passes the call through these stages, in this order. A stage refuses it by throwing a `Refusal`. */
export async function passStages(call: Call, order: readonly Stage[]): Promise<void> {
  for (const stage of order) await pass(stage, call);
}

async function pass(stage: Stage, call: Call): Promise<void> {
  const { steps } = call;
  switch (stage) {
    case 'authenticate': {
      const token = steps.readBearer(call);
      call.credential = await steps.authenticate(call, token);
      // Only genuine tokens are counted: invented tokens must not fill the memory of the rate limit.
      const retryAfter = call.rateLimit?.(identityOf(call.credential));
      if (retryAfter !== undefined) throw new Refusal('too-many-requests', { retryAfter });
      return;
    }
    case 'checkExpiry':
      return steps.checkExpiry(call, present(call.credential, 'credential'));
    case 'identify':
      call.person = await steps.identify(call, present(call.credential, 'credential'));
      return;
    case 'requireScope':
      return steps.requireScope(call, present(call.credential, 'credential'));
    case 'validateBody':
      call.body = steps.validateBody(call, call.payload);
      return;
  }
}

/** @throws when a stage comes before the stage that it depends on */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) {
    throw new Error(`There is no ${what} yet. In steps.order, a stage comes before the stage that it depends on.`);
  }
  return value;
}

/** @throws when the order does not name every stage once */
export function checkOrder(order: readonly Stage[]): void {
  const once = stages.every((stage) => order.filter((named) => named === stage).length === 1);
  if (once && order.length === stages.length) return;
  throw new Error(`steps.order must name each of these stages once: ${stages.join(', ')}. It is ${order.join(', ')}.`);
}
