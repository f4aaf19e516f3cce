import { configurationError } from '../harness/contract/configuration-error.ts';
import type { Contract } from '../harness/contract/contract.ts';
import { loadContract, loadContractFile } from '../harness/contract/load-contract.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';

const VARIABLE = 'CONFORMANCE_CONTRACT';
/** What --contract names. */
let flag: string | undefined;

export function chooseContract(file: string | undefined): void {
  flag = file;
}

/** The contract that --contract or CONFORMANCE_CONTRACT names, which may be in a `.env`; ours if nothing names one. */
export async function chosenContract(): Promise<Contract> {
  const file = flag ?? process.env[VARIABLE] ?? readDotenvFile('.env')[VARIABLE];
  if (file === undefined) return loadContract();
  if (file === '')
    throw configurationError(`${VARIABLE} is empty; name the file of a contract, or remove the variable`);
  return loadContractFile(file);
}
