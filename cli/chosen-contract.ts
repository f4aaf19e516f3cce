import { configurationError } from '../harness/contract/configuration-error.ts';
import { loadContract, loadContractFile } from '../harness/contract/load-contract.ts';
import { shellWord } from '../harness/contract/visible-text.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { refuseCarriageReturns } from '../harness/settings/read-settings.ts';

const VARIABLE = 'CONFORMANCE_CONTRACT';
/** What --contract names. */
let flag: string | undefined;
let read: ReturnType<typeof readDotenvFile> | undefined;

/** Begins a command. */
export function chooseContract(file: string | undefined): void {
  flag = file;
  read = undefined;
}

/** The variables of `.env`, and their lines. It is read once, when something asks: it may be a pipe, which gives its text only once. */
export function readDotenv(): ReturnType<typeof readDotenvFile> {
  read ??= readDotenvFile('.env');
  return read;
}

/** The variables that are set, as far as the command has read them. */
export function variablesSoFar(): readonly (readonly [name: string, value: string])[] {
  return [...Object.entries(process.env), ...Object.entries(read?.dotenv ?? {})].map(([name, value = '']) => [
    name,
    value,
  ]);
}

/** The file that --contract or CONFORMANCE_CONTRACT names, which may be in a `.env`. Undefined if nothing names one. */
export function chosenFile(): string | undefined {
  return flag ?? variable(VARIABLE);
}

/** ` --contract acme.yaml`, for the commands that a hint names, if this one has it. */
export function contractFlag(): string {
  return flag === undefined ? '' : ` --contract ${shellWord(flag)}`;
}

/** A variable that commands read that need no others. */
export function variable(name: string): string | undefined {
  const value = process.env[name] ?? readDotenv().dotenv[name];
  refuseCarriageReturns([[name, value ?? '']]);
  if (value?.trim() === '') throw configurationError(`${name} is set but empty; give it a value or unset it`);
  return value;
}

/** The contract that somebody chose, ours if nobody did, with its catalogue and the cases of each depth. */
export async function chosenContract() {
  const file = chosenFile();
  const contract = await (file === undefined ? loadContract() : loadContractFile(file));
  return { contract, catalogue: catalogueOf(contract), casesAt: expandOnce(contract) };
}
