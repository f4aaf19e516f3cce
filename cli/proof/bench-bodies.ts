import type { Contract } from '../../harness/contract/contract.ts';
import { observe } from '../../harness/record/observation.ts';
import { createRedactor } from '../../harness/record/redact.ts';
import { hostileBodies } from '../../harness/testing/hostile-bodies.ts';
import { ratio, timed } from './figures.ts';

const ROUNDS = 5;
const MEBIBYTE = 1024 * 1024;
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
  for (const [what, text] of Object.entries(hostileBodies(MEBIBYTE)))
    for (const status of [200, 401]) {
      const rounds: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(
          await timed(async () => observe(observer, { status, headers: {}, text, truncated: false }, operations[0])),
        );
      times.push([`${what}, as a ${status}`, Math.min(...rounds)]);
    }
  const [slowest] = times.sort(([, a], [, b]) => b - a);
  if (process.env['DEBUG']) console.log(times.slice(0, 12));
  return slowest === undefined
    ? []
    : [
        ['slowest mebibyte of a hostile body', slowest[0]],
        ['milliseconds for it', ratio(slowest[1], MOST_MS, 'most')],
      ];
}
