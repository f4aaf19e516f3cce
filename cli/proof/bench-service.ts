import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pMap from 'p-map';
import { Pool } from 'undici';
import type { Part, ServiceTarget } from '../../service/testing/bench-target.ts';
import { perSecond, ratio, timed } from './bench-bodies.ts';

const ROUNDS = 5;
/** Requests in each round. The fast parts get more, so that each part takes long enough to be measured. */
const REQUESTS: Readonly<Record<Part, number>> = { constant: 4000, authenticated: 1000, whole: 300 };
const CONCURRENCY = 16;

/** Measures an authenticated search of the reference service, with ten thousand documents and a thousand tokens. */
export async function benchService(): Promise<[name: string, value: string][]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-service-'));
  const worker = new Worker(new URL('../../service/testing/bench-target.js', import.meta.url), {
    workerData: { database: `file:${join(folder, 'bench.db')}` },
  });
  try {
    const [target] = (await once(worker, 'message')) as [ServiceTarget];
    // Several rounds, of which the shortest time counts: other work on the machine only adds to a time.
    const shortest: Record<Part, number> = { constant: Infinity, authenticated: Infinity, whole: Infinity };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const part of ['constant', 'authenticated', 'whole'] as const) {
        const each = (await timed(() => searches(target, part))) / REQUESTS[part];
        shortest[part] = Math.min(shortest[part], each);
      }
    }
    const { constant, authenticated, whole } = shortest;
    const share = (ms: number) => `${Math.round((ms / whole) * 100)}%, ${Math.round(ms * 1000)} µs`;
    return [
      ['Fastify answering a constant', `${perSecond(1, constant)} requests/s`],
      ['search, 10,000 documents and 1,000 tokens', `${perSecond(1, whole)} requests/s`],
      ['ratio of search to the constant', ratio(constant / whole, 0.005, 'least')],
      ['share of connection, HTTP and JSON', share(constant)],
      ['share of token, person, scope and body', share(authenticated - constant)],
      ['share of finding and ranking', share(whole - authenticated)],
    ];
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function searches({ urls, tokens, queries }: ServiceTarget, part: Part): Promise<void> {
  const pool = new Pool(urls[part], { connections: CONCURRENCY, pipelining: 1 });
  const search = async (number: number) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/rest/api/v1/search',
      headers: {
        authorization: `Bearer ${tokens[number % tokens.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: queries[number % queries.length] }),
    });
    await body.text();
    if (statusCode !== 200) throw new Error(`wanted 200 from the part "${part}" of the bench, got ${statusCode}`);
  };
  await pMap(Array(REQUESTS[part]).keys(), search, { concurrency: CONCURRENCY });
  await pool.destroy();
}
