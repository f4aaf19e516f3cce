import { parentPort, workerData } from 'node:worker_threads';
import type { PlainOperation } from '../../fixtures/plain/request.ts';
import { startPlainTarget } from '../../fixtures/plain/target.ts';

// The plain target in a thread of its own, so that only the harness is measured.
const { operations, failing } = workerData as { operations: readonly PlainOperation[]; failing: boolean };
const refuse = { id: 'refuse-all', check: () => ({ status: 418, message: 'Short and stout' }) };
const target = await startPlainTarget({ operations, ...(failing && { checks: [refuse] }) });
parentPort?.once('message', () => void target.close());
parentPort?.postMessage(target.env);
