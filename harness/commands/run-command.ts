import { type ChildProcess, spawn } from 'node:child_process';
import type { Contract } from '../contract/contract.ts';
import { knownVariables } from '../settings/variables.ts';

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
type Answered = { readonly output: string } | { readonly failed: string };

/** Runs the command for one request; whatever it started ends with the time that it has, or with this process. */
export function ask({ name, line, environment }: Command, request: object): Promise<Answered> {
  return new Promise((resolve) => {
    // In a group of its own, which holds what the shell starts as well: one of those would outlive a shell that is ended.
    const child = spawn(line, { shell: true, detached: true, env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
    const settle = (answer: Answered) => {
      clearTimeout(late);
      underWay.delete(child);
      if (underWay.size === 0) for (const signal of SIGNALS) process.off(signal, passOn);
      resolve(answer);
    };
    let output = '';
    const late = setTimeout(() => {
      endGroup(child, 'SIGKILL');
      // Whoever left the group may hold them open still, and this process with them.
      child.stdout.destroy();
      child.stdin.destroy();
      settle({ failed: `${name} gave no answer within ${TIMEOUT_MS / 1000} s` });
    }, TIMEOUT_MS);
    // First of all listeners: one that listens once is no longer counted when its turn is over.
    if (underWay.size === 0) for (const signal of SIGNALS) process.prependListener(signal, passOn);
    underWay.add(child);
    child.stdout.on('data', (chunk: Buffer) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString();
    });
    // A command that reads nothing closes its end early; that is no failure of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(request));
    child.once('error', () => settle({ failed: `${name} could not be started` }));
    child.once('close', (code) => settle(code === 0 ? { output } : { failed: `${name} ended with code ${code}` }));
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const underWay = new Set<ChildProcess>();

/** A terminal tells its own group alone of Ctrl-C: the commands hear of it from us. */
function passOn(signal: NodeJS.Signals): void {
  for (const child of underWay) endGroup(child, signal);
  if (process.listenerCount(signal) > 1) return;
  // Nobody else waits for it, so it ends this process, as it does where there is no listener.
  process.off(signal, passOn);
  process.kill(process.pid, signal);
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
  }
}
