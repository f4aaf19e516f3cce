import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRedactor } from '../record/redact.ts';
import { type LocalServer, serveSocket } from '../testing/local-server.ts';
import { createCommand, shownReason } from './run-command.ts';

describe('a command', () => {
  let server: LocalServer | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await server?.close();
  });

  /** A command whose shell waits for a program that never ends. The program keeps a connection open while it runs. */
  async function startHanging() {
    let connected: (socket: Socket) => void = () => undefined;
    const connection = new Promise<Socket>((resolve) => (connected = resolve));
    server = await serveSocket((socket) => connected(socket.resume()));
    const { port } = new URL(server.url);
    const program = `require('node:net').connect(${port}, '127.0.0.1'); process.stdout.write('half an answer')`;
    const line = `"${process.execPath}" -e "${program}"; echo done`;
    const answer = createCommand({ name: 'TOKEN_COMMAND', line, environment: {} }).ask({});
    return { answer, ended: once(await connection, 'close') };
  }

  test('that hangs is killed with all processes that it started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { answer, ended } = await startHanging();
    vi.advanceTimersByTime(30_000);
    expect(await answer).toEqual({ failed: 'TOKEN_COMMAND gave no answer within 30 s' });
    await ended;
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('receives %s if this process handles it', async (signal) => {
    process.once(signal, () => undefined);
    const { answer, ended } = await startHanging();
    process.emit(signal, signal);
    expect(await answer).toEqual({ failed: expect.stringMatching(/^TOKEN_COMMAND (was ended by|exited with code) /) });
    await ended;
    expect(process.listeners(signal).map(({ name }) => name)).not.toContain('forwardSignal');
  });
});

test.each([
  ['no application has the scope CHAT_ADMINISTRATION', 'no application has the scope CHAT_ADMINISTRATION'],
  ['see https://idp.example/applications', 'see https://idp.example/applications'],
  ['made f3q8Zk1LmN0pR5sTuV7w instead', 'made <may be a token> instead'],
  ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1bWEifQ.c2lnbmF0dXJl', '<may be a token>'],
  ['it is "QmFzaWMgYXV0aDo0Mg=="', 'it is "<may be a token>"'],
])('the reason of a command %s is shown as %s', (reason, shown) => {
  expect(shownReason(createRedactor(), reason)).toBe(shown);
});
