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
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND' || !String(error).includes(`'${NAME}'`)) throw error;
    throw configurationError(
      `the reference service is the package ${NAME}, which is not installed here: in a clone of the suite, run npm ci --ignore-scripts and npm pack --workspace service, and install the file ${NAME}-*.tgz that this makes beside the suite (no registry has it yet)`,
    );
  }
}
