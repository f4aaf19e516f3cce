import { loadContract } from '../contract/load-contract.ts';
import { expandOnce } from '../plan/expand.ts';
import { catalogueOf } from '../settings/catalogue.ts';

/** The real contract, loaded once for all test files of a worker. */
export const contract = await loadContract();
export const catalogue = catalogueOf(contract);
/** The cases of each depth, expanded once. */
export const casesAt = expandOnce(contract);
