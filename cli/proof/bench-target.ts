import { parentPort, workerData } from 'node:worker_threads';
import { jsonReply } from '../../fixtures/plain/answers.ts';
import type { PlainOperation } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';

export interface BenchTarget {
  /** The default is search and chat. */
  readonly operations?: readonly PlainOperation[];
  /** Refuse everything, in a way that no case admits. */
  readonly failing?: boolean;
  /** Refuse with the field `message` of a JSON body, and not with two lines of text. */
  readonly refusesWithJson?: boolean;
}

// The plain target in a thread of its own, so that only the harness is measured.
const { operations, failing, refusesWithJson }: BenchTarget = workerData;
const refuse = { id: 'refuse-all', check: () => ({ status: 418, message: 'Short and stout' }) };
const asJson: PlainOptions['render'] = ({ message, ...refusal }) => jsonReply({ ...refusal, body: { message } });
const target = await startPlainTarget({
  ...(operations && { operations }),
  ...(failing && { checks: [refuse] }),
  ...(refusesWithJson && { render: asJson }),
});
parentPort?.once('message', () => void target.close());
parentPort?.postMessage(target.env);
