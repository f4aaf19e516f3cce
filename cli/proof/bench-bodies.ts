import type { Contract } from '../../harness/contract/contract.ts';
import { observe } from '../../harness/record/observation.ts';
import { createRedactor } from '../../harness/record/redact.ts';
import { readAnswer } from '../../harness/send/raw-socket.ts';
import { hostileAnswers, hostileBodies } from '../../harness/testing/hostile-bodies.ts';
import { ratio, timed } from './figures.ts';

const ROUNDS = 12;
const MEBIBYTE = 1024 * 1024;
/** A raw answer is read up to this length (raw-socket.ts). */
const MOST_RAW = 64 * 1024;
/** Milliseconds to read a mebibyte of the worst body. */
const MOST_MS = 50;
const SECRETS = 100;

/** Measures how long it takes to read hostile bodies, and names the slowest. */
export async function benchBodies({ rules, operations }: Contract): Promise<[name: string, value: string][]> {
  const redactor = createRedactor();
  for (let at = 0; at < SECRETS; at += 1)
    redactor.add(
      `SECRET_${at}`,
      `${at}-${Math.sin(at + 1)
        .toString(36)
        .repeat(20)}`,
    );
  const observer = { messages: rules.messages, redactor, markers: new Map([['MARKER', 'nowhere-to-be-found']]) };
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
  for (const [what, text] of Object.entries(hostileAnswers(MOST_RAW)))
    await measure(`${what}, on the wire`, () => readAnswer(text, true), MOST_RAW / MEBIBYTE);
  const [slowest] = times.sort(([, a], [, b]) => b - a);
  return slowest === undefined
    ? []
    : [
        ['slowest mebibyte of a hostile body', slowest[0]],
        ['milliseconds for it', ratio(slowest[1], MOST_MS, 'most')],
      ];
}
