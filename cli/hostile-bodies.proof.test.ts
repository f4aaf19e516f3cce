import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

/**
 * How much memory a run may use in addition, in megabytes. It reads four answers at the same time, each up to 8 MiB as
 * bytes and as text. The bodies below have a gigabyte each.
 */
const MOST_GROWTH = 256;
const MEGABYTE = 1024 * 1024;
const zeros = Buffer.alloc(MEGABYTE, '0');
/** A gigabyte of zeros, compressed. */
const bomb = Buffer.concat(Array<Buffer>(16).fill(gzipSync(Buffer.alloc(64 * MEGABYTE))));

/** Sends a chunk again and again until the connection is closed. */
function pour(response: ServerResponse, chunk: Buffer, everyMs: number) {
  const more = () => {
    if (!response.destroyed) response.write(chunk, () => setTimeout(more, everyMs));
  };
  more();
}

const BODIES: readonly (readonly [string, (response: ServerResponse, status: number) => void])[] = [
  [
    'an endless body',
    (response, status) => pour(response.writeHead(status, { 'Content-Type': 'application/json' }), zeros, 0),
  ],
  [
    'a body of a gigabyte',
    (response, status) => pour(response.writeHead(status, { 'Content-Length': 1024 * MEGABYTE }), zeros, 0),
  ],
  ['a slow endless body', (response, status) => pour(response.writeHead(status), Buffer.from('0'), 100)],
  [
    'a decompression bomb',
    (response, status) => void response.writeHead(status, { 'Content-Encoding': 'gzip' }).end(bomb),
  ],
];

/** Runs the suite and measures its peak memory, in megabytes. */
async function measure(env: Readonly<Record<string, string>>) {
  const hook = `process.on('exit',()=>process.stderr.write('peak memory '+process.resourceUsage().maxRSS+'\\n'))`;
  const { code, output } = await cli.start(
    ['run', '--only', 'search/USER/{valid,expired}/**', '--timeout', '150', '--concurrency', '4'],
    { ...env, CONFORMANCE_CLAIMS: 'user', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
  ).ended;
  return { code, output, megabytes: Number(/peak memory (\d+)/.exec(output)?.[1]) / 1024 };
}

/** The peak memory of a run against a conforming target, in megabytes. */
let usual = 0;

test.each(BODIES)('%s in every second answer ends in a verdict and needs little memory', async (_what, reply) => {
  usual ||= (await measure(await cli.plain())).megabytes;
  let answers = 0;
  const env = await cli.plain({
    send: (given, response) => {
      answers += 1;
      if (answers > 2 && answers % 2 === 0) reply(response, given.status);
      else send(given, response);
    },
  });
  const { code, megabytes, output } = await measure(env);
  expect([0, 1, 3]).toContain(code);
  expect(output).toMatch(/exit code/);
  expect(megabytes - usual).toBeLessThan(MOST_GROWTH);
});
