import { join } from 'node:path';
import { packageFolder } from './package-files.ts';

/** The folder specs/ of this package: our own contract, and what serves every contract: schemas and variations. */
export const specsFolder = join(packageFolder, 'specs');

/** The folder of our own contract. */
export const ownContract = join(specsFolder, 'client-api');

/** The name of the OpenAPI document in the folder of a contract. */
export const OPENAPI_FILE = 'openapi.yaml';
