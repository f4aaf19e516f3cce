import { onTestFinished } from 'vitest';
import { openAuthorizationRecords } from '../store/authorization-records.ts';
import { openDatabase } from '../store/database/database.ts';
import { noSeal } from '../store/encryption.ts';

/** The records of an authorization server in memory, with a clock that the test sets. */
export async function recordsForTest() {
  const db = await openDatabase(':memory:');
  onTestFinished(() => db.$client.close());
  const clock = { now: 1_000_000_000 };
  const records = openAuthorizationRecords(db, noSeal, { now: () => clock.now });
  const of = (model: string) => {
    const adapter = records.adapter(model);
    if (!adapter) throw new Error('no adapter');
    return adapter;
  };
  /** Adds so many records in one step. They expire after this lifetime, in seconds. */
  const fill = (model: string, count: number, lifetime: number) =>
    db.$client.execute(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO authorization_records (model, key, payload, expires_at) SELECT ?, 'filled ' || n, '{}', ? FROM numbers`,
      [count, model, Math.floor(clock.now / 1000) + lifetime],
    );
  const allRows = async () => JSON.stringify((await db.$client.execute('SELECT * FROM authorization_records')).rows);
  return { clock, records, of, fill, allRows };
}
