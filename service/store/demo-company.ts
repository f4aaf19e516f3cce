import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Company } from './seed.ts';

const file = new URL('./assets/demo-company.yaml', import.meta.url);

/** The people of a new service that somebody tries out, and their documents. */
export const demoCompany: Company = parse(readFileSync(file, 'utf8'));
