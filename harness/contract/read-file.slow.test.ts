import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What a process reads so from its standard input, which another writes to with this script. */
function readFrom(script: string, reading: string): string {
  const reader = `import('${resolve('dist/harness/contract/read-file.js')}').then((m) => {
    try { process.stdout.write(m.${reading}) } catch (error) { process.stdout.write(error.message) }
  })`;
  // A shell connects them by a pipe, and Node by a socket.
  return execFileSync('sh', ['-c', '"$0" -e "$1" | "$0" -e "$2"', process.execPath, script, reader]).toString();
}

test('a pipe of the operator is read to its end, as soon as somebody writes to it', () => {
  const slowly = `setTimeout(() => { console.log('A=1'); setTimeout(() => console.log('B=2'), 200) }, 200)`;
  expect(readFrom(slowly, `readOwnFile('/dev/stdin')`)).toBe('A=1\nB=2\n');
  expect(readFrom(slowly, `readRegularFile('/dev/stdin')`)).toContain('not a regular file');
  expect(readFrom('setTimeout(() => undefined, 1_500)', `readOwnFile('/dev/stdin', 500)`)).toContain(
    'a pipe whose writer did not finish within 0.5 seconds',
  );
}, 30_000);
