import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database/database.ts';
import { openStore } from './store.ts';

const writer = resolve('dist/service/testing/crash.js');
const kills = 6;

/** What the writer printed last about a token. */
interface Printed {
  readonly secret: string;
  state: 'shown' | 'revoking' | 'revoked';
}

/** Kills the writer with SIGKILL after this number of lines, and collects what it printed, by the id of the token. */
async function writeUntilKilled(url: string, lines: number, printed: Map<string, Printed>): Promise<void> {
  const child = spawn(process.execPath, [writer, url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const ended = new Promise<string | null>((done) => child.once('close', (_code, signal) => done(signal)));
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, state, id = '', secret = ''] = /^(shown|revoking|revoked) (\S+) (svc_[\w-]{43})$/.exec(line) ?? [];
    // The last line may be cut. A token that nobody could read was not shown.
    if (state === 'shown' || state === 'revoking' || state === 'revoked') printed.set(id, { secret, state });
    count += 1;
    if (count === lines) child.kill('SIGKILL');
  }
  expect(await ended, errors).toBe('SIGKILL');
}

test(`after ${kills} kills during writes, every shown token exists and every revoked token stays revoked`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'service.db')}`;
  const first = await openStore(url, Date.now);
  await first.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  first.close();

  const printed = new Map<string, Printed>();
  for (let kill = 0; kill < kills; kill += 1) {
    // The number of lines varies, so that the kills hit every kind of write.
    await writeUntilKilled(url, 1 + ((kill * 7) % 23), printed);

    const store = await openStore(url, Date.now);
    // A failure names ids, because a test report must not contain secrets.
    const wrong: string[] = [];
    for (const [id, { secret, state }] of printed) {
      const isValid = (await store.serviceTokens.find(secret)) !== undefined;
      if (state === 'shown' && !isValid) wrong.push(`${id} was shown and is lost`);
      if (state === 'revoked' && isValid) wrong.push(`${id} was revoked and is valid`);
    }
    store.close();
    expect(wrong).toEqual([]);
  }

  const { $client: client } = await openDatabase(url);
  onTestFinished(() => client.close());
  const rows = async (sql: string) => (await client.execute(sql)).rows;
  expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  // The audit trail has exactly one event for each change.
  const [counts] = await rows(`SELECT
    (SELECT count(*) FROM service_tokens) - (SELECT count(*) FROM audit_events WHERE action = 'token created') AS created,
    (SELECT count(revoked_at) FROM service_tokens) - (SELECT count(*) FROM audit_events WHERE action = 'token revoked') AS revoked`);
  expect(counts).toEqual({ created: 0, revoked: 0 });
  expect([...printed.values()].map(({ state }) => state)).toEqual(expect.arrayContaining(['shown', 'revoked']));
  expect(printed.size).toBeGreaterThan(kills);
});
