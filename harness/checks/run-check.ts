import { errorMessage } from '../contract/error-text.ts';
import type { Decision } from '../record/exchange.ts';
import type { Redactor } from '../record/redact.ts';
import type { Gate } from '../send/gate.ts';
import type { Check, CheckApi, CheckResult } from './check.ts';

export interface CheckRun {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redactor: Redactor;
  /** Makes what the check sends through. */
  readonly connect: () => CheckApi & { close(): void };
}

/**
 * Runs a hand-written check. One that is not run, or not to its end, leaves its requirements undecided, so that they do
 * not pass for want of a decision.
 */
export async function runCheck({ gate, redactor, connect }: CheckRun, check: Check): Promise<readonly Decision[]> {
  const decided = (result: CheckResult): Decision => ({
    type: 'decision',
    check: check.id,
    ...result,
    detail: redactor.text(result.detail),
  });
  const undecided = (reason: string) => notRun(check, redactor.text(reason));
  if (gate.closed !== undefined) return undecided(`not run: ${gate.closed}`);
  const api = connect();
  try {
    const found = (await check.run(api)).map(decided);
    const closed: string | undefined = gate.closed;
    if (closed === undefined) return found;
    // What was not answered any more may look like a refusal: only what was surely seen counts.
    return [
      ...found.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'),
      ...undecided(`cut short: ${closed}`),
    ];
  } catch (error) {
    return undecided(`ended with an error: ${errorMessage(error)}`);
  } finally {
    api.close();
  }
}

/** What a check leaves undecided that was not run, or not to its end. */
export function notRun({ id, requirements }: Pick<Check, 'id' | 'requirements'>, reason: string): readonly Decision[] {
  return requirements.map((requirement) => ({
    type: 'decision',
    check: id,
    requirement,
    operation: 'any',
    kind: 'any',
    verdict: 'inconclusive',
    detail: reason,
  }));
}
