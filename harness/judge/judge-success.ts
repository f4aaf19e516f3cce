import { type Answered, type Judgement, type Miss, suspectOf } from './miss.ts';

/** Judges a 2xx to a request that may succeed: its status, its body and its content type. */
export function judgeSuccess(answered: Answered): Judgement {
  const { operation, expectation, answer } = answered;
  const { documentsBody } = operation;
  const { status } = operation.success;
  const response = `${operation.id}.response`;
  const shown = expectation.kind === 'accept' ? expectation.suspects.map(({ requirement }) => requirement) : [];
  const blame = (requirement: string, wanted: string, got: string, template = requirement): Miss => {
    const suspect = suspectOf(answered, requirement, template);
    const satisfied = shown.filter((other) => other !== requirement);
    return { kind: 'miss', suspects: [suspect], level: suspect.level, wronglyAccepted: false, satisfied, wanted, got };
  };
  if (answer.status !== status) {
    const [wanted, got] = [String(status), String(answer.status)];
    return documentsBody
      ? blame(`${operation.id}.success`, wanted, got, '{operation}.success')
      : blame(response, wanted, got);
  }
  const errors = answer.truncated ? [] : (answer.schemaErrors ?? []);
  if (errors.length > 0)
    return blame(
      response,
      `${answer.status} with the documented body`,
      `${answer.status}, but ${errors.slice(0, 3).join('; ')}`,
    );
  const { leftOut = [] } = answer;
  if (leftOut.length > 0) {
    const wanted = `${answer.status} with the documented body, also where a list is empty`;
    return { ...blame(response, wanted, `${answer.status} without ${leftOut.join(', ')}`), level: 'should', leftOut };
  }
  if (documentsBody && !/json/i.test(answer.contentType ?? '')) {
    const got = answer.contentType === undefined ? 'no content type' : `content type ${answer.contentType}`;
    return blame('response.content-type', `${answer.status} with a JSON content type`, `${answer.status} with ${got}`);
  }
  if (expectation.kind === 'open') return { kind: 'observed', silent: expectation.silent };
  // A body that was not read to its end decides nothing about the body. The request was accepted nevertheless.
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
