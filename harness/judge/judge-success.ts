import type { Judgement } from './judgement.ts';
import { type Answered, type Miss, statedSuspect } from './miss.ts';

/** Judges a 2xx where one is admitted: its status, its body and what it is declared as. */
export function judgeSuccess({ contract, operation, expectation, answer }: Answered): Judgement {
  const { documentsBody } = operation;
  const { status } = operation.success;
  const response = `${operation.id}.response`;
  const shown = expectation.kind === 'accept' ? expectation.suspects.map(({ requirement }) => requirement) : [];
  const blame = (requirement: string, wanted: string, got: string, template = requirement): Miss => {
    const suspect = statedSuspect(contract, requirement, template);
    const satisfied = shown.filter((other) => other !== requirement);
    return { kind: 'miss', suspects: [suspect], level: suspect.level, wronglyAccepted: false, satisfied, wanted, got };
  };
  if (answer.status !== status) {
    const [requirement, template] = documentsBody ? [`${operation.id}.success`, '{operation}.success'] : [response];
    return blame(requirement ?? response, String(status), String(answer.status), template);
  }
  const errors = answer.truncated ? [] : (answer.schemaErrors ?? []);
  if (errors.length > 0)
    return blame(
      response,
      `${answer.status} with the documented body`,
      `${answer.status}, but ${errors.slice(0, 3).join('; ')}`,
    );
  if (documentsBody && !/json/i.test(answer.contentType ?? ''))
    return blame(
      'response.content-type',
      `${answer.status} declared as JSON`,
      `${answer.status} declared as ${answer.contentType ?? 'nothing'}`,
    );
  if (expectation.kind === 'open') return { kind: 'observed', silent: expectation.silent };
  // A body that was not read to its end decides nothing of itself; that the request was accepted is seen all the same.
  const unread = documentsBody && answer.truncated === true;
  return {
    kind: 'pass',
    satisfied: [
      ...expectation.suspects.map(({ requirement }) => requirement),
      ...(unread ? [] : [response]),
      ...(documentsBody ? ['response.content-type'] : []),
    ],
    ...(unread && { unread: [response] }),
  };
}
