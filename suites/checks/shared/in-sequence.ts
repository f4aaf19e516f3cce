import type { Answered } from '../../../harness/checks/acceptance.ts';
import type { Call, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Acting } from '../../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { stays } from './stays.ts';

export interface Turn {
  readonly planned: PlannedCase;
  readonly acting: Acting;
}

/** A turn, or a request that no rule is about. A connection may remember either. */
export type Sent = Turn | (Call & { readonly id: string; readonly planned?: undefined });

/**
 * Each case gets its answer whatever came before it on its connection. The first that does not ends the sequence: what is left
 * behind breaks many requests, and after one without an answer, the others would wait as long. What passes is decided once.
 * @param mostBefore the requests that come again before one with a wrong answer, by default all before it.
 */
export async function inSequence(
  parent: CheckApi,
  sequence: readonly Sent[],
  mostBefore = sequence.length,
): Promise<readonly CheckResult[]> {
  const connection = parent.connect();
  const passed = new Map<string, CheckResult>();
  let lastAccepted: Answered | undefined;
  const send = async (api: CheckApi, one: Sent, shows = 'the requests before come again') =>
    one.planned ? api.send(one.planned, shows, one.acting) : { answer: await api.call(one), judgement: undefined };
  for (const [at, one] of sequence.entries()) {
    const api = connection.fork();
    if (!one.planned) {
      await send(api, one);
      continue;
    }
    const earlier = sequence.slice(Math.max(0, at - mostBefore), at);
    const before = earlier.at(-1);
    const last = before ? (before.planned ?? before).id : 'nothing';
    const ask = async (over = api) => {
      const judged = await send(over, one, `${one.planned.id} after ${last}`);
      if (judged.answer.accepted) lastAccepted = judged.answer;
      return judged;
    };
    const again = async () => {
      const another = api.connect();
      for (const each of earlier) await send(another, each);
      return ask(another);
    };
    const plainly = () => send(api.connect(), one, `${one.planned.id} gets the same answer on a new connection`);
    const how = `sent after ${last} on the same connection`;
    const results = await stays({ api, planned: one.planned, how, ask, again, plainly, beside: () => lastAccepted });
    if (results.some(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive'))
      return [...passed.values(), ...results];
    for (const result of results) passed.set(`${result.requirement} ${result.operation} ${result.kind}`, result);
  }
  return [...passed.values()];
}
