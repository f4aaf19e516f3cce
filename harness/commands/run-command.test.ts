import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LocalServer, serveSocket } from '../testing/local-server.ts';
import { createCommand } from './run-command.ts';

describe('a command', () => {
  let server: LocalServer | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await server?.close();
  });

  /** A command whose shell waits for a program that never ends and holds a connection as long as it lives. */
  async function startHanging() {
    let connected: (socket: Socket) => void = () => undefined;
    const connection = new Promise<Socket>((resolve) => (connected = resolve));
    server = await serveSocket((socket) => connected(socket.resume()));
    const { port } = new URL(server.url);
    const program = `require('node:net').connect(${port}, '127.0.0.1'); process.stdout.write('half an answer')`;
    const line = `"${process.execPath}" -e "${program}"; echo done`;
    const answer = createCommand({ name: 'TOKEN_COMMAND', line, environment: {} }).ask({});
    return { answer, gone: once(await connection, 'close') };
  }

  test('that hangs is ended with all that it started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { answer, gone } = await startHanging();
    vi.advanceTimersByTime(30_000);
    expect(await answer).toEqual({ failed: 'TOKEN_COMMAND gave no answer within 30 s' });
    await gone;
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hears of %s that this process outlives', async (signal) => {
    process.once(signal, () => undefined);
    const { answer, gone } = await startHanging();
    process.emit(signal, signal);
    expect(await answer).toEqual({ failed: expect.stringContaining('TOKEN_COMMAND ended') });
    await gone;
    expect(process.listeners(signal).map(({ name }) => name)).not.toContain('passOn');
  });
});
