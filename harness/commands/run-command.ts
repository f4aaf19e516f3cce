import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Redactor } from '../record/redact.ts';
import type { Settings } from '../settings/settings.ts';
import type { COMMAND_VARIABLES } from '../settings/variables.ts';

/** A command that the operator wrote. It reads one JSON request on standard input and writes one answer. */
interface Command {
  /** Runs the command for one request. After 30 s it is killed, with all processes that it started. */
  ask(request: object): Promise<CommandAnswer>;
}
/** The output of the command, which may contain a secret, or why there is none. */
export type CommandAnswer = { readonly output: string } | { readonly failed: string };

interface CommandLine {
  /** The variable that holds the line. */
  readonly name: string;
  /** The line that the shell runs. */
  readonly line: string;
  readonly environment: NodeJS.ProcessEnv;
}

const TIMEOUT_MS = 30_000;
/** Characters of output to keep. */
const MAX_OUTPUT = 64 * 1024;
/** Windows has no process groups. There `taskkill /T` ends a process and all that it started. */
const HAS_PROCESS_GROUPS = process.platform !== 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The command of a variable; undefined if it is not set. Its environment has none of the suite's variables. */
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
  const running = new Set<ChildProcess>();
  /** Ctrl-C reaches only the process group of the terminal, so this forwards it to the groups of the commands. */
  const forwardSignal = (signal: NodeJS.Signals) => {
    for (const child of running) signalGroup(child, signal);
    if (process.listenerCount(signal) > 1) return;
    // This is the only listener, so the signal must end this process, as it does without a listener.
    process.off(signal, forwardSignal);
    process.kill(process.pid, signal);
  };
  const track = (child: ChildProcess) => {
    // It must run first: a `once` listener that ran before would be removed already and not be counted above.
    if (running.size === 0) for (const signal of SIGNALS) process.prependListener(signal, forwardSignal);
    running.add(child);
  };
  const untrack = (child: ChildProcess) => {
    running.delete(child);
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, forwardSignal);
  };

  return {
    ask: (request) =>
      new Promise((resolve) => {
        // In a process group of its own: killing the group also kills what the shell started.
        const child = spawn(line, {
          shell: true,
          detached: HAS_PROCESS_GROUPS,
          windowsHide: true,
          env: environment,
          stdio: ['pipe', 'pipe', 'ignore'],
        });
        const settle = (answer: CommandAnswer) => {
          clearTimeout(timer);
          untrack(child);
          resolve(answer);
        };
        let output = '';
        const timer = setTimeout(() => {
          signalGroup(child, 'SIGKILL');
          // A process that left the group may keep the pipes open, and they would keep this process alive.
          child.stdout.destroy();
          child.stdin.destroy();
          settle({ failed: `${name} gave no answer within ${TIMEOUT_MS / 1000} s` });
        }, TIMEOUT_MS);
        track(child);
        child.stdout.on('data', (chunk: Buffer) => {
          if (output.length < MAX_OUTPUT) output += chunk.toString();
        });
        // A command that does not read its input closes the pipe early, which is not an error.
        child.stdin.on('error', () => undefined);
        child.stdin.end(JSON.stringify(request));
        child.once('error', () => settle({ failed: `${name} could not be started` }));
        child.once('close', (code, signal) => {
          if (code === 0) settle({ output });
          else
            settle({ failed: code === null ? `${name} was ended by ${signal}` : `${name} exited with code ${code}` });
        });
      }),
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (HAS_PROCESS_GROUPS) process.kill(-pid, signal);
    else spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // The group has ended already.
  }
}

/** Characters of a reason to show. */
const MAX_LENGTH = 200;

/** What nobody says to a person: a token that the suite does not know, or a part of one. A path or a name has no digits. */
const TOKEN = /(?=[\w.~+/=-]*\d)(?=[\w.~+/=-]*[A-Za-z])[\w.~+/=-]{16,}/g;

/** A reason that a command gave, safe to show: without secrets and what may be one, and at most 200 characters. */
export function shownReason(redactor: Redactor, reason: string): string {
  // Cut after redacting: the redactor would not recognize an address that is cut in half.
  return redactor.text(reason).replace(TOKEN, '<may be a token>').slice(0, MAX_LENGTH);
}
