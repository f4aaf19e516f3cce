import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The folder specs/ of this package. The path is right for the sources and for dist/. */
export const specsFolder = dirname(createRequire(import.meta.url).resolve('#specs/matrix.yaml'));

/** The name of the OpenAPI document in a specs folder. */
export const OPENAPI_FILE = 'client-api.openapi.yaml';
