import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Caller } from '../shared/caller.ts';
import { byLevel } from '../shared/decision.ts';
import { type Handshake, linesOf } from './handshake.ts';
import { ACCEPT, type Request, toldIn, whyLost } from './message.ts';

/** A call of a tool that the server accepted. */
export interface ToolCall {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly accepted: CheckAnswer;
}

/** The call as what `vary.ts` varies: its fields are those of the message, and a result of the protocol serves it by default. */
export async function callerOf(
  api: CheckApi,
  { handshake, request, accepted }: ToolCall,
  serves: (answer: CheckAnswer) => boolean = isResult,
): Promise<Caller> {
  const { operation, body } = request;
  const { kind, credential } = handshake;
  const base = {
    ...{ credential, headers: [ACCEPT, ...linesOf(handshake, operation)] },
    message: { fields: Object(body), around: (fields: object) => fields },
  };
  return {
    ...{ api: api.spread(), operation, kind, base, like: accepted, control: await api.acceptance(accepted) },
    ...{ seeks: false, protocol: { serves, whyLost, isolation: 'mcp.isolation' } },
  };
}

const isResult = (answer: CheckAnswer): boolean => toldIn(answer).kind === 'accepted';

export const levelled = (api: CheckApi, results: readonly CheckResult[]): CheckResult[] =>
  results.flatMap((one) => byLevel(api, one));
