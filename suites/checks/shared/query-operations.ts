import type { Contract } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';

/**
 * The operations that take a query, search and chat. Hand-written checks look for documents with them. An operation that is
 * added as data gets the matrix only.
 */
export function queryOperations({ operations }: Contract): readonly Operation[] {
  return operations.filter(({ field }) => field?.name === 'query');
}
