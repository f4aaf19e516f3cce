import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { send } from '../fixtures/plain/answers.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

/** Four answers at once, each read to 8 MiB at most, as bytes and as text; what is packed or poured is a gigabyte each. */
const MOST_GROWTH = 256;
const MEGABYTE = 1024 * 1024;
const zeros = Buffer.alloc(MEGABYTE, '0');
/** A gigabyte in as many members, packed into one. */
const bomb = Buffer.concat(Array<Buffer>(16).fill(gzipSync(Buffer.alloc(64 * MEGABYTE))));

/** Goes on as long as anybody listens. */
function pour(response: ServerResponse, chunk: Buffer, everyMs: number) {
  const more = () => {
    if (!response.destroyed) response.write(chunk, () => setTimeout(more, everyMs));
  };
  more();
}

const BODIES: readonly (readonly [string, (response: ServerResponse, status: number) => void])[] = [
  [
    'a body without end',
    (response, status) => pour(response.writeHead(status, { 'Content-Type': 'application/json' }), zeros, 0),
  ],
  [
    'a body of a gigabyte',
    (response, status) => pour(response.writeHead(status, { 'Content-Length': 1024 * MEGABYTE }), zeros, 0),
  ],
  ['a slow drip', (response, status) => pour(response.writeHead(status), Buffer.from('0'), 100)],
  [
    'a decompression bomb',
    (response, status) => void response.writeHead(status, { 'Content-Encoding': 'gzip' }).end(bomb),
  ],
];

/** A run that tells the most memory it ever held, in megabytes. */
async function measure(env: Readonly<Record<string, string>>) {
  const hook = `process.on('exit',()=>process.stderr.write('most memory '+process.resourceUsage().maxRSS+'\\n'))`;
  const { code, output } = await cli.run(
    { ...env, CONFORMANCE_CLAIMS: 'user', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    ['--only', 'search/USER/{valid,expired}/**', '--timeout', '300', '--concurrency', '4'],
  );
  return { code, output, megabytes: Number(/most memory (\d+)/.exec(output)?.[1]) / 1024 };
}

let calm = 0;

test.each(BODIES)('%s behind every second answer ends in a verdict, with little memory', async (_what, reply) => {
  calm ||= (await measure(await cli.plain())).megabytes;
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
  expect(megabytes - calm).toBeLessThan(MOST_GROWTH);
});
