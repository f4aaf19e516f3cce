import { existsSync } from 'node:fs';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import { dotenvFor, writeDotenvFile } from '../harness/preview/write-dotenv.ts';
import { type Catalogue, catalogueOf } from '../harness/settings/catalogue.ts';
import { type Claims, readClaims } from '../harness/settings/claims.ts';
import { checks } from '../suites/checks/index.ts';

const FILE = '.env';

/** Writes a `.env` to fill in, for what is claimed. */
export async function initCommand({ claims }: { claims: string }, print: (text: string) => void): Promise<number> {
  const catalogue = catalogueOf(await loadContract());
  const claimed = claimsOf(catalogue, claims);
  // Said before the work, and held again when it is written.
  const text = existsSync(FILE) ? '' : await dotenvFor(catalogue, claimed, checks);
  writeDotenvFile(FILE, text);
  print(
    [
      `${FILE} is written, readable by you alone, for: ${claims}`,
      '  Fill it in from the top; each token says how to create it. Then:',
      '  client-api-conformance plan    what can be decided, and what to add next; sends nothing',
      '  client-api-conformance run     tests the implementation',
    ].join('\n'),
  );
  return 0;
}

function claimsOf(catalogue: Catalogue, claims: string): Claims {
  const problems: string[] = [];
  const variables = new Map([['CONFORMANCE_CLAIMS', { value: claims || 'nothing', origin: 'flag' } as const]]);
  const read = readClaims(catalogue, variables, problems);
  if (problems.length > 0) throw configurationError(problems.map((problem) => problem.replace(/^\w+/, '--claims')));
  return read;
}
