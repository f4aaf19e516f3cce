import type { Administer } from '../commands/administration.ts';
import { shownReason } from '../commands/shown-reason.ts';
import type { CheckWorld } from './check-world.ts';
import { RUN_STOPPED } from './deliver.ts';

/** Replaces the name of a variable for a token that was made during the run. */
export const MADE = 'a token of ADMINISTRATION_COMMAND';

/** Runs ADMINISTRATION_COMMAND through the gate. Registers a new secret with the redactor before the check sees it. */
export function administerFor({ gate, transport, redactor }: CheckWorld): Administer | undefined {
  const { administer } = transport;
  return (
    administer &&
    (async (request) => {
      const answer = await gate.pass(() => administer(request));
      if (answer === undefined) return { kind: 'failed', why: gate.closed ?? RUN_STOPPED };
      if (answer.kind !== 'done') return { ...answer, why: shownReason(redactor, answer.why) };
      if (answer.secret !== undefined) redactor.add(MADE, answer.secret);
      return answer;
    })
  );
}
