import { parentPort, workerData } from 'node:worker_threads';
import { jsonReply, succeed } from '../../fixtures/plain/answers.ts';
import { type PlainOperation, plainOperations } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';

export interface BenchTarget {
  /** Serve search and chat this many times: a copy has its number behind the path. The default is once. */
  readonly times?: number;
  /** Refuse everything, in a way that no case admits. */
  readonly failing?: boolean;
  /** Refuse with the field `message` of a JSON body, and not with two lines of text. */
  readonly refusesWithJson?: boolean;
}

const { times = 1, failing, refusesWithJson }: BenchTarget = workerData;
const refuse = { id: 'refuse-all', check: () => ({ status: 418, message: 'Short and stout' }) };
const asJson: PlainOptions['render'] = ({ message, ...refusal }) => jsonReply({ ...refusal, body: { message } });
const copies = Array.from({ length: times - 1 }, (_, index) => index + 2);
const target = await startPlainTarget({
  operations: plainOperations.flatMap((one) => [
    one,
    ...copies.map((copy) => ({ ...one, path: `${one.path}${copy}` })),
  ]),
  succeed: (request, person) => succeed({ ...request, operation: originalOf(request.operation) }, person),
  ...(failing && { checks: [refuse] }),
  ...(refusesWithJson && { render: asJson }),
});
function originalOf(copy: PlainOperation | undefined): PlainOperation | undefined {
  return plainOperations.find(({ scope }) => scope === copy?.scope);
}

parentPort?.postMessage(target.env);
