import type { Operation } from '../contract/openapi.ts';
import type { WireRequest } from '../plan/request.ts';
import type { CheckAnswer } from './check.ts';

/** The accepted calls of a run to slow operations. Checks share them where the chat budget is tight. */
export interface AcceptedCalls {
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
