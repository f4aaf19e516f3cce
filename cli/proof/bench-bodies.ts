import { createHash } from 'node:crypto';
import type { Contract } from '../../harness/contract/contract.ts';
import { markerOf } from '../../harness/record/marker-places.ts';
import { observe } from '../../harness/record/observation.ts';
import { createRedactor } from '../../harness/record/redact.ts';
import { readAnswer } from '../../harness/send/raw-socket.ts';
import { MOST_BYTES } from '../../harness/send/read-body.ts';
import { hostileAnswers, hostileBodies, hostileEchoes } from '../../harness/testing/hostile-bodies.ts';

const ROUNDS = 12;
const MEBIBYTE = 1024 * 1024;
/** Milliseconds to read a mebibyte of the worst body. */
const MOST_MS = 50;
const SECRETS = 300;

/** Measures how long it takes to read hostile bodies, and names the slowest. */
export async function benchBodies({ rules, operations }: Contract): Promise<[name: string, value: string][]> {
  const redactor = createRedactor();
  const secrets = Array.from({ length: SECRETS }, (_, at) =>
    createHash('sha512').update(`secret ${at}`).digest('base64url'),
  );
  for (const [at, secret] of secrets.entries()) redactor.add(`SECRET_${at}`, secret);
  const observer = { messages: rules.messages, redactor, markers: [markerOf('MARKER', 'nowhere-to-be-found')] };
  const times: (readonly [what: string, ms: number])[] = [];
  const measure = async (what: string, work: () => unknown, share = 1) => {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push((await timed(async () => work())) / share);
    times.push([what, Math.min(...rounds)]);
  };
  for (const [what, text] of Object.entries(hostileBodies(MEBIBYTE)))
    for (const status of [200, 401])
      await measure(`${what}, as a ${status}`, () =>
        observe(observer, { status, headers: {}, text, truncated: false }, operations[0]),
      );
  for (const [what, text] of Object.entries(hostileAnswers(MOST_BYTES.other)))
    await measure(`${what}, on the wire`, () => readAnswer(text, true), MOST_BYTES.other / MEBIBYTE);
  const read = slowestOf(times);
  times.length = 0;
  let turn = 0;
  // What was read before is not read again.
  for (const [what, text] of Object.entries(hostileEchoes(MEBIBYTE, secrets)))
    await measure(what, () => {
      turn += 1;
      return redactor.text(`${'so '.repeat(turn % 99)}${text}`);
    });
  const redacted = slowestOf(times);
  return [
    ['slowest mebibyte of a hostile body', read.what],
    ['milliseconds for it', ratio(read.ms, MOST_MS, 'most')],
    [`slowest mebibyte to redact, with ${SECRETS} secrets`, redacted.what],
    ['milliseconds for it', ratio(redacted.ms, MOST_MS, 'most')],
  ];
}

function slowestOf(times: readonly (readonly [what: string, ms: number])[]) {
  const [what, ms] = times.toSorted(([, a], [, b]) => b - a)[0] ?? ['nothing', 0];
  return { what, ms };
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1000);
}

/** A figure with its bound, and whether the bound is kept. */
export function ratio(value: number, bound: number, kind: 'least' | 'most'): string {
  const kept = kind === 'least' ? value >= bound : value <= bound;
  return `${Number.isInteger(value) ? value : value.toFixed(value < 0.1 ? 4 : 2)} (at ${kind} ${bound}: ${kept ? 'kept' : 'NOT KEPT'})`;
}
