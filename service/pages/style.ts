import { readFileSync } from 'node:fs';

const PARTS = ['palette', 'base', 'layout', 'controls', 'content', 'sign-in'];

/** The stylesheet of all pages, the console's and the authorization server's. */
export const style = PARTS.map((part) => readFileSync(new URL(`./assets/${part}.css`, import.meta.url), 'utf8')).join(
  '\n',
);
