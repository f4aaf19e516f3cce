import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configurationError, errorCode } from '../harness/contract/configuration-error.ts';
import type * as Embedded from '../service/embedded/embedded-target.ts';
import type * as Service from '../service/main.ts';

const NAME = 'client-api-reference';

/** The reference service. It is a package of its own, so that who tests an implementation needs no database and no web framework. */
export function loadService(): Promise<typeof Service> {
  return load(NAME);
}

export function loadEmbedded(): Promise<typeof Embedded> {
  return load(`${NAME}/embedded`);
}

async function load(name: string) {
  try {
    return await import(name);
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    if (!String(error).includes(`'${NAME}'`)) throw isBuilt(name) ? error : configurationError(NOT_BUILT);
    throw configurationError(
      `the reference service is the package ${NAME}, which is not installed here: in a clone of the suite, run npm ci --ignore-scripts and npm pack --workspace service, and install the file ${NAME}-*.tgz that this makes beside the suite (no registry has it yet)`,
    );
  }
}

const NOT_BUILT = `the reference service (${NAME}) is here, and not built: run npm run build in the clone that it is part of`;

/** Whether the file is there that Node would load. Otherwise a package of the service itself is missing. */
const isBuilt = (name: string) => existsSync(fileURLToPath(import.meta.resolve(name)));
