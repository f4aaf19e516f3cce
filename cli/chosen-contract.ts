import { configurationError } from '../harness/contract/configuration-error.ts';
import { loadContract, loadContractFile } from '../harness/contract/load-contract.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';

const VARIABLE = 'CONFORMANCE_CONTRACT';
/** What --contract names. */
let flag: string | undefined;
let dotenv: ReturnType<typeof readDotenvFile> | undefined;

/** Begins a command. */
export function chooseContract(file: string | undefined): void {
  flag = file;
  dotenv = undefined;
}

/** The variables of `.env`. It is read once, when something asks: it may be a pipe, which gives its text only once. */
export function readDotenv(): ReturnType<typeof readDotenvFile> {
  dotenv ??= readDotenvFile('.env');
  return dotenv;
}

/** The file that --contract or CONFORMANCE_CONTRACT names, which may be in a `.env`. Undefined if nothing names one. */
export function chosenFile(): string | undefined {
  const file = flag ?? process.env[VARIABLE] ?? readDotenv()[VARIABLE];
  if (file === '')
    throw configurationError(`${VARIABLE} is empty; name the file of a contract, or remove the variable`);
  return file;
}

/** The contract that somebody chose, ours if nobody did, with its catalogue and the cases of each depth. */
export async function chosenContract() {
  const file = chosenFile();
  const contract = await (file === undefined ? loadContract() : loadContractFile(file));
  return { contract, catalogue: catalogueOf(contract), casesAt: expandOnce(contract) };
}
