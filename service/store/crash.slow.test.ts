import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { openStore } from './store.ts';

const writer = resolve('dist/service/testing/crash.js');
const kills = 20;

interface Told {
  readonly secret: string;
  state: 'shown' | 'revoking' | 'revoked';
}

/** Lets the writer work until it has said so many lines, kills it as nothing can be prepared for, and notes what it said. */
async function writeUntilKilled(url: string, lines: number, told: Map<string, Told>): Promise<void> {
  const child = spawn(process.execPath, [writer, url], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const ended = new Promise<string | null>((done) => child.once('close', (_code, signal) => done(signal)));
  let said = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, state, id = '', secret = ''] = /^(shown|revoking|revoked) (\S+) (svc_[\w-]{43})$/.exec(line) ?? [];
    // The last line may be cut: what nobody could read was not shown.
    if (state === 'shown' || state === 'revoking' || state === 'revoked') told.set(id, { secret, state });
    said += 1;
    if (said === lines) child.kill('SIGKILL');
  }
  expect(await ended, complaint).toBe('SIGKILL');
}

test(`killed ${kills} times while it writes, it loses no token that was shown and revives none that was revoked`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'service.db')}`;
  const first = await openStore(url, Date.now);
  await first.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  first.close();

  const told = new Map<string, Told>();
  for (let kill = 0; kill < kills; kill += 1) {
    // From the very first write to some way on, so that each kind of write is the one that is cut.
    await writeUntilKilled(url, 1 + ((kill * 7) % 23), told);

    const store = await openStore(url, Date.now);
    // By their ids: a secret has no place in a report.
    const wrong: string[] = [];
    for (const [id, { secret, state }] of told) {
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
  // Every change stands in the audit trail, and nothing does that was not done.
  const [counts] = await rows(`SELECT
    (SELECT count(*) FROM service_tokens) - (SELECT count(*) FROM audit_events WHERE action = 'token created') AS created,
    (SELECT count(revoked_at) FROM service_tokens) - (SELECT count(*) FROM audit_events WHERE action = 'token revoked') AS revoked`);
  expect(counts).toEqual({ created: 0, revoked: 0 });
  expect([...told.values()].map(({ state }) => state)).toEqual(expect.arrayContaining(['shown', 'revoked']));
  expect(told.size).toBeGreaterThan(kills);
});
