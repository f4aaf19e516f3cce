import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationError } from '../harness/contract/configuration-error.ts';
import type { Contract } from '../harness/contract/contract.ts';
import { firstContract } from '../harness/contract/first-contract.ts';
import { calledAs } from '../harness/contract/package-files.ts';
import { readOpenApi } from '../harness/contract/read-specs.ts';
import { dotenvFor, writeToFillIn } from '../harness/preview/write-dotenv.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { type Claims, claimsInWords, readClaims } from '../harness/settings/claims.ts';
import { checksOf } from '../suites/checks/index.ts';
import { chosenContract, chosenFile } from './chosen-contract.ts';
import { print } from './terminal.ts';

const FILE = '.env';

/** Writes a `.env` to fill in, for these claims, or a first contract for an OpenAPI document. */
export async function initCommand({ claims: stated, openapi }: { claims?: string; openapi?: string }): Promise<number> {
  if (openapi !== undefined) return initContract(openapi);
  // It throws if the file exists. Nothing else is read then: the file may be damaged.
  if (existsSync(FILE)) writeToFillIn(FILE, '');
  const contractFile = chosenFile();
  const { catalogue } = await chosenContract();
  const claims = stated ?? kindsOf(catalogue.contract).join(' ');
  const claimed = claimsOf(catalogue, claims);
  const checks = checksOf(catalogue.contract);
  writeToFillIn(FILE, await dotenvFor(catalogue, claimed, { checks, contractFile }), 0o600);
  print(
    [
      `Wrote ${FILE} for: ${claimsInWords(claimed)}. Only you can read it.`,
      '  Fill it in from the top. The comment above each token says how to create it. Then run:',
      `  ${calledAs} plan    shows what can be decided and what to add next; sends nothing`,
      `  ${calledAs} run     tests your implementation`,
    ].join('\n'),
  );
  return 0;
}

/** Writes a first contract beside the OpenAPI document. It never overwrites a file. */
async function initContract(file: string): Promise<number> {
  const { name, text } = firstContract(await readOpenApi(file), file);
  const contract = join(dirname(file), `${name}.contract.yaml`);
  writeToFillIn(contract, text);
  print(
    [
      `Wrote ${contract}, a first contract for ${file}.`,
      '  Decide each line that says decide:, then run:',
      `  ${calledAs} init --contract ${contract}    writes a .env with the tokens that it needs`,
      `  ${calledAs} plan --contract ${contract}    shows what can be decided; sends nothing`,
    ].join('\n'),
  );
  return 0;
}

/** The kinds of token that the API itself issues. A contract that stands alone has no others. */
function kindsOf({ matrix }: Contract): readonly string[] {
  const kinds = Object.keys(matrix.kinds).filter((kind) => kind !== 'none' && kind !== 'unknown');
  const issued = kinds.filter((kind) => matrix.kinds[kind]?.family === 'service');
  return (issued.length > 0 ? issued : kinds).map((kind) => kind.toLowerCase());
}

function claimsOf(catalogue: Catalogue, claims: string): Claims {
  const problems: string[] = [];
  const variables = new Map([['CONFORMANCE_CLAIMS', { value: claims || 'nothing', origin: 'flag' } as const]]);
  const read = readClaims(catalogue, variables, problems);
  if (problems.length > 0) throw configurationError(problems);
  return read;
}
