import { readFileSync } from 'node:fs';

const PARTS = ['palette', 'base', 'layout', 'controls', 'content', 'sign-in'];

/** The look of every page, the console's and the authorization server's: one stylesheet from all files in assets/. */
export const style = PARTS.map((part) => readFileSync(new URL(`./assets/${part}.css`, import.meta.url), 'utf8')).join(
  '\n',
);
