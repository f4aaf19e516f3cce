// Starts one of the two implementations, faithful or with a fault.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  python: ['python3', '-B', fileURLToPath(new URL('python/server.py', import.meta.url))],
  perl: ['perl', fileURLToPath(new URL('perl/server.pl', import.meta.url))],
};

/** All faults that were drawn, of both implementations. */
export const FAULTS = JSON.parse(readFileSync(new URL('faults.json', import.meta.url), 'utf8'));

/**
 * Starts an implementation on a free loopback port, with its .env in a new folder. `use` gets that folder; afterwards
 * the process is ended and the folder deleted.
 */
export async function withImplementation(implementation, fault, use) {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  const [command, ...args] = COMMANDS[implementation];
  const options = ['--port', '0', '--write-env', join(folder, '.env'), ...(fault ? ['--fault', fault] : [])];
  const server = spawn(command, [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await readiness(server);
    return await use(folder);
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

function readiness(server) {
  return new Promise((resolve, reject) => {
    createInterface(server.stdout).once('line', resolve);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`The implementation ended with ${code} before it was ready.`)));
  });
}
