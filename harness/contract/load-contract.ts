import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtSpecs } from './built-specs.ts';
import type { Need } from './check-row.ts';
import { given } from './collections.ts';
import { closestName, configurationError } from './configuration-error.ts';
import { inconsistencies } from './consistency.ts';
import { ACT_AS, type Contract, dimensionsOf, OWN_NAME } from './contract.ts';
import { derivedSpecs } from './derived-contract.ts';
import { type ExtendedContract, extendedSpecs } from './extended-contract.ts';
import { neededScopes } from './holdings.ts';
import { operationsOf } from './openapi.ts';
import type { OpenApiDocument, OperationObject } from './openapi-document.ts';
import { installedAs, OPENAPI_FILE, ownContract } from './package-files.ts';
import type { Specs } from './read-specs.ts';
import type { WrittenContract } from './written-contract.ts';
import { type Placed, readPlacedFile } from './yaml-file.ts';

/** Reads and checks the contract in a folder, by default ours. @throws a configuration error that lists every problem. */
export async function loadContract(folder: string = ownContract): Promise<Contract> {
  const built = builtSpecs(folder);
  const contract = contractOf(folder, built?.specs ?? (await readAgain(folder)), built !== undefined);
  return built ? { ...contract, prepared: built.prepared } : contract;
}

/** Reads a contract that somebody wrote in a file, and runs no code. @throws a configuration error that lists every problem. */
export async function loadContractFile(file: string): Promise<Contract> {
  return contractWritten(readWritten(file), file);
}

/** What somebody wrote: a contract that stands alone, or one that extends ours. */
export type Written = ExtendedContract | WrittenContract;

/** Reads what somebody wrote in the file of a contract. @throws a configuration error with each place that the schema refuses. */
export function readWritten(file: string): Placed<Written> {
  return readPlacedFile(file, (data) => {
    const keys = Object.keys(Object(data));
    if (keys.includes('paths') && keys.some((key) => key === 'openapi' || key === 'swagger'))
      throw configurationError(
        `${file} is an OpenAPI document, and no contract: ${installedAs} init --openapi ${file} writes a first one`,
      );
    const own = keys.filter((key) => OF_ITS_OWN.includes(key));
    if (keys.includes('extends') && own.length > 0)
      throw configurationError(
        `${file}: a contract that extends the client API cannot have ${own.join(', ')}; remove extends to write a contract that stands alone`,
      );
    return keys.some((key) => closestName(key, ['extends'])) ? 'extended-contract' : 'contract';
  });
}

const OF_ITS_OWN: readonly string[] = ['openapi', 'credential', 'operations', 'kinds', 'acting', 'identity', 'rules'];

/** The contract that somebody wrote. @param file where it stands. @throws a configuration error that lists every problem. */
export async function contractWritten({ data, at }: Placed<Written>, file: string): Promise<Contract> {
  const own = builtSpecs(ownContract)?.specs ?? (await readAgain(ownContract));
  const specs =
    'extends' in data
      ? extendedSpecs(own, { data, at })
      : derivedSpecs(own, { data, at }, await openapiOf({ data, at }, file));
  // What stands alone says itself what a success is. The schema of a body may hold itself.
  const paths = 'extends' in data ? [] : Object.values(specs.document.paths ?? {});
  const answers = paths.flatMap(Object.values<OperationObject>).map(({ requestBody: _body, ...others }) => others);
  return { ...contractOf(dirname(file), specs, true, answers), name: data.name };
}

/**
 * The contract that specs describe. `folder` is for errors only.
 * @param isBuilt whether its schemas were compiled already.
 * @param more what its digest covers besides.
 */
export function contractOf(folder: string, specs: Specs, isBuilt = false, more: readonly unknown[] = []): Contract {
  const { matrix, requirements, rules, checks, has, people, identity, sections, document, variations } = specs;
  const { operations, mcp } = operationsOf(document, join(folder, OPENAPI_FILE), matrix.scopes, isBuilt);
  const shown = [...operations, ...mcp].map(({ id, method, path, scopes, example }) => {
    const [scope, ...others] = scopes;
    return { id, method, path, scope: others.length === 0 ? scope : scopes, example };
  });
  const digest = createHash('sha256')
    .update(JSON.stringify([shown, requirements, rules, matrix, ...(identity ? [identity] : []), ...more]))
    .digest('hex')
    .slice(0, 16);
  const decided = { operations, mcp, requirements, rules, checks, matrix, ...dimensionsOf(matrix), people, identity };
  const contract = {
    name: OWN_NAME,
    ...decided,
    has: thingsOf(decided, has),
    sections,
    variations,
    digest,
  };
  const problems = inconsistencies(contract);
  if (problems.length > 0) throw configurationError(problems);
  return contract;
}

/** What checks can need of a contract: what its folder says that it has, and what follows from the rest. */
function thingsOf(
  contract: Pick<Contract, 'operations' | 'matrix' | 'headers' | 'identity'>,
  said: readonly Need[],
): readonly Need[] {
  const { in: where, name, lines } = contract.matrix.headers.authorization;
  const isBearer = name === 'Authorization' && lines['bearer']?.[0] === 'Bearer {token}';
  return given<Need>([
    ...said,
    where === undefined && 'header-token',
    where === undefined && isBearer && 'bearer',
    neededScopes(contract).size > 0 && 'scopes',
    contract.headers.includes(ACT_AS) && 'acting',
    contract.identity !== undefined && 'identity',
  ]);
}

/** The OpenAPI document that a contract names. It lies beside the contract. */
async function openapiOf(
  { data: { openapi }, at }: Placed<WrittenContract>,
  file: string,
): Promise<OpenApiDocument | undefined> {
  if (openapi === undefined) return undefined;
  const { readOpenApi } = await import('./read-specs.ts');
  const document = join(dirname(file), openapi);
  if (!statSync(document, { throwIfNoEntry: false })?.isFile())
    throw configurationError(`${at('', 'openapi')}: openapi: there is no file ${openapi} beside this one`);
  return readOpenApi(document);
}

/** Loads the parsers only if they are needed. */
async function readAgain(folder: string): Promise<Specs> {
  const { readSpecs } = await import('./read-specs.ts');
  return readSpecs(folder);
}
