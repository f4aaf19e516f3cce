import { createHash } from 'node:crypto';
import { configurationError } from './configuration-error.ts';
import { inconsistencies } from './consistency.ts';
import type { Contract, Matrix, Requirement, Rules } from './contract.ts';
import { loadOperations } from './openapi.ts';
import type { Section } from './sections.ts';
import { readDataFile, specsFolder } from './yaml-file.ts';

/**
 * Reads and checks the contract.
 * @param folder the folder with the YAML files; by default the specs/ of this package.
 * @throws a configuration error that lists every problem, with its file and place.
 */
export async function loadContract(folder: string = specsFolder): Promise<Contract> {
  const matrix = readDataFile<Matrix>(folder, 'matrix');
  const { requirements } = readDataFile<{ requirements: Requirement[] }>(folder, 'requirements');
  const rules = readDataFile<Rules>(folder, 'rules');
  const { sections } = readDataFile<{ sections: Section[] }>(folder, 'sections');
  const { operations, mcp } = await loadOperations(folder, matrix.scopes);
  const shown = [...operations, ...mcp].map(({ id, method, path, scope, example }) => ({
    id,
    method,
    path,
    scope,
    example,
  }));
  const digest = createHash('sha256')
    .update(JSON.stringify([shown, requirements, rules, matrix]))
    .digest('hex')
    .slice(0, 16);
  const contract = { operations, mcp, requirements, rules, matrix, sections, digest };
  const problems = inconsistencies(contract);
  if (problems.length > 0) throw configurationError(problems);
  return contract;
}
