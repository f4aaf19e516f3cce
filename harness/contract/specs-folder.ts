import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of our own contract. The path is right for the sources and for dist/. */
export const ownContract = dirname(createRequire(import.meta.url).resolve('#specs/client-api/matrix.yaml'));

/** The folder specs/ of this package: our own contract, and what serves every contract: schemas and variations. */
export const specsFolder = join(ownContract, '..');

/** The name of the OpenAPI document in the folder of a contract. */
export const OPENAPI_FILE = 'openapi.yaml';
