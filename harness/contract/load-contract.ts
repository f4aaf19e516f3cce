import { createHash } from 'node:crypto';
import { configurationError } from './configuration-error.ts';
import { inconsistencies } from './consistency.ts';
import type { Contract, Matrix, Requirement, Rules } from './contract.ts';
import { loadOperations } from './openapi.ts';
import { readDataFile, specsFolder } from './yaml-file.ts';

/**
 * The contract, read and checked.
 * @param folder where the four YAML files are; the package's own specs/ by default.
 * @throws a configuration error that lists every problem with file, place and the likely meant name.
 */
export async function loadContract(folder: string = specsFolder): Promise<Contract> {
  const matrix = readDataFile<Matrix>(folder, 'matrix');
  const { requirements } = readDataFile<{ requirements: Requirement[] }>(folder, 'requirements');
  const rules = readDataFile<Rules>(folder, 'rules');
  const operations = await loadOperations(folder, matrix.scopes);
  const shown = operations.map(({ id, method, path, scope, example }) => ({ id, method, path, scope, example }));
  const digest = createHash('sha256')
    .update(JSON.stringify([shown, requirements, rules, matrix]))
    .digest('hex')
    .slice(0, 16);
  const contract = { operations, requirements, rules, matrix, digest };
  const problems = inconsistencies(contract);
  if (problems.length > 0) throw configurationError(problems);
  return contract;
}
