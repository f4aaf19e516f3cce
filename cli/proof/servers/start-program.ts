import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

const PAUSE_MS = 100;
const MOST_PAUSES = 600;

export type CommandLine = readonly [program: string, ...args: string[]];

/**
 * Starts a program in a folder and waits until an address answers. Returns what ends it.
 * @throws an error with the last of what it printed, if it ends or never answers.
 */
export async function startProgram(
  line: CommandLine,
  folder: string,
  url: string,
  env: NodeJS.ProcessEnv = {},
): Promise<() => Promise<void>> {
  const [program, ...args] = line;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  const ended = once(child, 'close');
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  for (let pauses = 0; !(await answers()); pauses += 1) {
    if (child.exitCode !== null || pauses === MOST_PAUSES) {
      child.kill();
      throw new Error(`${line.join(' ')} does not answer: ${text.slice(-500)}`);
    }
    await pause(PAUSE_MS);
  }
  return async () => {
    child.kill();
    await ended;
  };
}
