import { join } from 'node:path';
import { packageFolder } from './package-files.ts';

/** The folder specs/ of this package: our own contract, and what serves every contract: schemas and variations. */
export const specsFolder = join(packageFolder, 'specs');

export const ownContract = join(specsFolder, 'client-api');

export const OPENAPI_FILE = 'openapi.yaml';
