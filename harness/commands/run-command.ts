import { type ChildProcess, spawn } from 'node:child_process';
import type { Settings } from '../settings/settings.ts';
import type { COMMAND_VARIABLES } from '../settings/variables.ts';

/** A command that the operator supplies: it reads one JSON request on its standard input and writes one answer. */
export interface Command {
  /** Runs it for one request; whatever it started ends with the time that it has, or with this process. */
  ask(request: object): Promise<CommandAnswer>;
}
/** What the command wrote, or why it gave no answer. Its output may hold a secret. */
export type CommandAnswer = { readonly output: string } | { readonly failed: string };

export interface CommandLine {
  /** The variable that holds it. */
  readonly name: string;
  readonly line: string;
  readonly environment: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 30_000;
const MOST_OUTPUT = 64 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The command that a variable holds; undefined where it is not set. It sees no variable of ours. */
export function commandOf(
  { catalogue, variables }: Pick<Settings, 'catalogue' | 'variables'>,
  name: (typeof COMMAND_VARIABLES)[number],
): Command | undefined {
  const line = variables.get(name)?.value;
  if (line === undefined) return undefined;
  const ours = new Set(catalogue.names);
  const environment = Object.fromEntries(Object.entries(process.env).filter(([known]) => !ours.has(known)));
  return createCommand({ name, line, environment });
}

export function createCommand({ name, line, environment }: CommandLine): Command {
  const underWay = new Set<ChildProcess>();
  /** A terminal tells its own group alone of Ctrl-C: the commands hear of it from us. */
  const passOn = (signal: NodeJS.Signals) => {
    for (const child of underWay) endGroup(child, signal);
    if (process.listenerCount(signal) > 1) return;
    // Nobody else waits for it, so it ends this process, as it does where there is no listener.
    process.off(signal, passOn);
    process.kill(process.pid, signal);
  };
  const begin = (child: ChildProcess) => {
    // First of all listeners: one that listens once is no longer counted when its turn is over.
    if (underWay.size === 0) for (const signal of SIGNALS) process.prependListener(signal, passOn);
    underWay.add(child);
  };
  const end = (child: ChildProcess) => {
    underWay.delete(child);
    if (underWay.size === 0) for (const signal of SIGNALS) process.off(signal, passOn);
  };

  return {
    ask: (request) =>
      new Promise((resolve) => {
        // In a group of its own, which holds what the shell starts as well: one of those would outlive a shell that is ended.
        const child = spawn(line, { shell: true, detached: true, env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
        const settle = (answer: CommandAnswer) => {
          clearTimeout(late);
          end(child);
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
        begin(child);
        child.stdout.on('data', (chunk: Buffer) => {
          if (output.length < MOST_OUTPUT) output += chunk.toString();
        });
        // A command that reads nothing closes its end early; that is no failure of ours.
        child.stdin.on('error', () => undefined);
        child.stdin.end(JSON.stringify(request));
        child.once('error', () => settle({ failed: `${name} could not be started` }));
        child.once('close', (code) => settle(code === 0 ? { output } : { failed: `${name} ended with code ${code}` }));
      }),
  };
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
  }
}
