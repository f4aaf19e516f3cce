import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The version of this suite, from package.json. */
export const suiteVersion: string = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('#package'), 'utf8'),
).version;
