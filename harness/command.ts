import { spawn } from 'node:child_process';
import type { Contract } from './contract.ts';
import { knownVariables } from './variables.ts';

/** A command that the operator supplies: it reads one JSON request on its standard input and writes one answer. */
export interface Command {
  /** The variable that holds it. */
  readonly name: string;
  readonly line: string;
  readonly environment: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 30_000;
const MOST_OUTPUT = 64 * 1024;

/** The environment as a command may see it: without any variable of ours. */
export function withoutSecrets(contract: Contract): NodeJS.ProcessEnv {
  const ours = new Set(knownVariables(contract));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.has(name)));
}

/** What the command wrote, or why it gave no answer. Its output may hold a secret. */
export function ask(
  { name, line, environment }: Command,
  request: object,
): Promise<{ readonly output: string } | { readonly failed: string }> {
  return new Promise((resolve) => {
    const child = spawn(line, { shell: true, env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ failed: `${name} gave no answer within ${TIMEOUT_MS / 1000} s` });
    }, TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString();
    });
    // A command that reads nothing closes its end early; that is no failure of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(request));
    child.once('error', () => resolve({ failed: `${name} could not be started` }));
    child.once('close', (code) => {
      clearTimeout(late);
      resolve(code === 0 ? { output } : { failed: `${name} ended with code ${code}` });
    });
  });
}
