import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { plainChecks } from '../fixtures/plain/checks.ts';
import { acceptsExpired, commandLine } from './testing/command-line.ts';
import { awaitChange } from './watch.ts';

const cli = commandLine();

/** A port that leads to one target after another. Nobody listens between them, as while a process restarts. */
async function frontDoor() {
  let port = 0;
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  return {
    async open(target: string) {
      const to = Number(new URL(target).port);
      server = createServer((socket) => {
        const onward = connect(to, '127.0.0.1');
        for (const end of [socket, onward]) {
          sockets.add(end);
          end.on('error', () => undefined).on('close', () => sockets.delete(end));
        }
        socket.pipe(onward).pipe(socket);
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
      return `http://127.0.0.1:${port}`;
    },
    async shut() {
      server?.close();
      for (const socket of sockets) socket.destroy();
      if (server?.listening) await once(server, 'close');
    },
  };
}

/** Starts a watched run. */
function watched(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const { child, ended } = cli.start(['run', '--watch', ...args], env);
  let seen = '';
  child.stdout?.on('data', (chunk) => {
    seen += chunk;
  });
  return {
    /** Waits until it has printed this. */
    shows: async (text: RegExp) => {
      while (!text.test(seen)) await new Promise((done) => setTimeout(done, 20));
    },
    interrupted: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

test('a watched run sends again what failed when the target comes back, and everything once all of it passes', async () => {
  const door = await frontDoor();
  const broken = await cli.plain(acceptsExpired);
  const url = await door.open(broken['TARGET_BASE_URL'] ?? '');
  const env = { ...broken, TARGET_BASE_URL: url };
  const { shows, interrupted } = watched(['--claims', 'user', '--only', 'search/USER/**'], env);
  await shows(/waiting for a restart of the target to send F1 token\.expired again/);
  const mended = await cli.plain({ checks: plainChecks });
  await door.shut();
  // A process takes as long to restart. On a busy machine, a shorter absence is not noticed.
  await new Promise((done) => setTimeout(done, 2_000));
  await door.open(mended['TARGET_BASE_URL'] ?? '');
  await shows(/F1 token\.expired: no longer fails/);
  await shows(/partial: nothing deviates/);
  await shows(/nothing is left to send again/);
  const { code } = await interrupted();
  await door.shut();
  expect(code).toBe(0);
});

test('a watched run makes new tokens after a restart, and goes on where it gets none', async () => {
  const door = await frontDoor();
  const { TARGET_BASE_URL = '', USER_TOKEN_SEARCH, USER_TOKEN = '' } = await cli.plain();
  const url = await door.open(TARGET_BASE_URL);
  const answer = (written: string) => writeFileSync(cli.file('answer'), written);
  // The target has forgotten it, as after a restart.
  answer('{"token":"k9QwErTy7UiOp3AsDf5G"}');
  const TOKEN_COMMAND = cli.tokenCommand(`const has = validity === 'valid' && scopes.length === 19;
console.log(has ? readFileSync('answer', 'utf8') : '{"unsupported": "not here"}');`);
  const env = { TARGET_BASE_URL: url, USER_TOKEN_SEARCH, TOKEN_COMMAND, CONFORMANCE_CLAIMS: 'user' };
  const { shows, interrupted } = watched(['--only', 'search/USER/valid/all/**'], env);
  const restart = async () => {
    await door.shut();
    await new Promise((done) => setTimeout(done, 2_000));
    await door.open(TARGET_BASE_URL);
  };
  await shows(/waiting for a restart of the target to send F1 user\.accepted/);
  answer('not ready');
  await restart();
  await shows(/no tokens: TOKEN_COMMAND: line 1 of its output[\s\S]*waiting for a restart/);
  answer(JSON.stringify({ token: USER_TOKEN }));
  await restart();
  await shows(/F1 user\.accepted: no longer fails[\s\S]*nothing is left to send again/);
  const { code } = await interrupted();
  await door.shut();
  expect(code).toBe(0);
});

test('a target is down where something in front of it takes connections and closes them at once', async () => {
  let taken = 0;
  const front = createServer((socket) => {
    taken += 1;
    socket.destroy();
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const changed = awaitChange(`http://127.0.0.1:${port}`, process.stdin, new AbortController().signal);
  await new Promise((done) => setTimeout(done, 1_000));
  // It is asked about ten times a second.
  expect(taken).toBeLessThan(20);
  front.removeAllListeners('connection');
  expect(await changed).toBe('restarted');
  front.close();
});

test('a target that is down for long is asked again and again without a warning of Node', async () => {
  const warnings: string[] = [];
  const keep = ({ message }: Error) => warnings.push(message);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  const door = await frontDoor();
  const url = await door.open('http://127.0.0.1:1');
  await door.shut();
  const ended = new AbortController();
  const changed = awaitChange(url, process.stdin, ended.signal);
  await new Promise((done) => setTimeout(done, 1_500));
  ended.abort();
  expect([await changed, warnings]).toEqual(['ended', []]);
});

test('a target that was killed, so that its connections are reset, restarts as any other', async () => {
  const sockets: Socket[] = [];
  const listening = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  const server = createServer((socket) => sockets.push(socket));
  onTestFinished(() => void server.close());
  await listening(0);
  const { port } = server.address() as AddressInfo;
  const ended = new AbortController();
  const changed = awaitChange(`http://127.0.0.1:${port}`, process.stdin, ended.signal);
  const pause = () => new Promise((done) => setTimeout(done, 300));
  await pause();
  const closed = once(server.close(), 'close');
  for (const socket of sockets) socket.resetAndDestroy();
  await closed;
  await pause();
  await listening(port);
  expect(await changed).toBe('restarted');
});

test('Ctrl-C in the first run of a watched one ends it, with its report', async () => {
  const env = await cli.plain();
  const { interrupted } = watched(['--rate', '300'], env);
  await cli.journalHolds(100);
  const { code, output } = await interrupted();
  expect(output).toContain('stopped: interrupted');
  expect(output).not.toContain('waiting for a restart');
  expect(code).toBe(130);
});
