import { randomBytes } from 'node:crypto';
import { visible } from '../contract/visible-text.ts';

/** Of a line. */
export const MOST_CHARACTERS = 2_000;

/** A workflow command. Its message may have several lines; its title must not contain `::`. */
export function workflowCommand(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const lines = message.split('\n').map((line) => visible(line).slice(0, MOST_CHARACTERS));
  return `::${level} title=${property(visible(title).slice(0, 200))}::${data(lines.join('\n'))}`;
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

/** Between these two lines the runner ignores workflow commands: the rest of the output can contain one that a target wrote. */
export function withoutCommands(): { readonly stop: string; readonly resume: string } {
  const token = randomBytes(16).toString('hex');
  return { stop: `::stop-commands::${token}`, resume: `::${token}::` };
}
