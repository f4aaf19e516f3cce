import { errorMessage } from '../contract/error-text.ts';
import type { Decision } from '../record/exchange.ts';
import type { Redactor } from '../record/redact.ts';
import type { Gate } from '../send/gate.ts';
import type { Check, CheckApi, CheckResult } from './check.ts';

export interface CheckRun {
  readonly gate: Pick<Gate, 'closed'>;
  readonly redactor: Redactor;
  readonly connect: () => CheckApi & { close(): void };
}

/** Runs a check. If it does not run to its end, its requirements stay undecided, so that they cannot pass. */
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
    // The check may take missing answers for refusals, so that its passes do not count.
    return [
      ...found.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'),
      ...undecided(`stopped early: ${closed}`),
    ];
  } catch (error) {
    return undecided(`the check threw an error: ${errorMessage(error)}`);
  } finally {
    api.close();
  }
}

/** The decisions of a check that did not run to its end: all its requirements are inconclusive. */
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
