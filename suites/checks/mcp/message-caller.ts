import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Caller } from '../shared/caller.ts';
import { byLevel } from '../shared/decision.ts';
import type { MustRefuse } from '../shared/vary.ts';
import { type Handshake, linesOf } from './handshake.ts';
import { ACCEPT, type Request, toldIn, whyLost } from './message.ts';
import type { McpRefusal } from './tokens.ts';

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

/** The call with what the server should refuse. A place has the token of the call, also where that has none in Authorization. */
export function wrongly(
  { base, kind, operation }: Caller,
  { agreed }: Handshake,
  { credential, headers, requirement, what }: McpRefusal,
): MustRefuse {
  const own = headers && { headers: [ACCEPT, ...linesOf({ own: headers, agreed }, operation)] };
  const token = credential ? { credential } : { authorization: null };
  return { ...base, ...own, ...token, requirement, what, kind };
}

export const levelled = (api: CheckApi, results: readonly CheckResult[]): CheckResult[] =>
  results.flatMap((one) => byLevel(api, one));
