import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The program that opens an address as its user would, and its first arguments. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a file in the browser of this machine, and does not wait for it. @returns what to say if nothing can open it. */
export async function openFile(file: string): Promise<string | undefined> {
  const [command, ...first] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...first, pathToFileURL(resolve(file)).href], { detached: true, stdio: 'ignore' });
  const started = await new Promise<boolean>((done) => {
    opener.once('spawn', () => done(true)).once('error', () => done(false));
  });
  opener.unref();
  return started ? undefined : `--open needs ${command}, which this machine does not have: open ${file} yourself`;
}
