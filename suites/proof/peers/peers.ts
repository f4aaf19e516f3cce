import {
  type AssertedRequest,
  brunoFiles,
  dreddFiles,
  type Files,
  hurlFiles,
  newmanFiles,
  stepCiFiles,
  supertestFiles,
} from './peer-files.ts';

/** A program that others wrote, which sends requests and checks the answers. */
export interface Peer {
  readonly name: string;
  /** The packages that it is, as the lock file names them. None is a program of this machine. */
  readonly packages: readonly string[];
  readonly program: string;
  /** The requests in its own format. */
  readonly files: (requests: readonly AssertedRequest[]) => Files;
  /** The arguments that run these files, from their folder, against an origin. */
  readonly args: (files: readonly string[], origin: string) => readonly string[];
  /** How many of the requests it says that it verified, from what it printed. */
  readonly verified: (printed: string) => number;
}

/** The number that a pattern captures; 0 if the text has no such number. */
const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);

export const peers: readonly Peer[] = [
  {
    name: 'Step CI',
    packages: ['stepci'],
    program: 'stepci',
    files: stepCiFiles,
    args: () => ['run', 'workflow.yml'],
    verified: (printed) => numberIn(printed, /Steps:.*?(\d+) passed/),
  },
  {
    name: 'Bruno',
    packages: ['@usebruno/cli'],
    program: 'bru',
    files: brunoFiles,
    args: () => ['run'],
    verified: (printed) => numberIn(printed, /Requests\D+\d+ \((\d+) Passed/),
  },
  {
    name: 'Dredd',
    packages: ['dredd'],
    program: 'dredd',
    files: dreddFiles,
    args: (_, origin) => ['api.apib', origin],
    verified: (printed) => numberIn(printed, /complete: (\d+) passing/),
  },
  {
    name: 'Newman',
    packages: ['newman'],
    program: 'newman',
    files: newmanFiles,
    args: () => ['run', 'collection.json'],
    // Each request has one assertion, of both.
    verified: (printed) => {
      const [, all = '0', failed = '0'] = /assertions\D+(\d+)\D+(\d+)/.exec(printed) ?? [];
      return Number(all) - Number(failed);
    },
  },
  {
    name: 'vitest with supertest',
    packages: ['vitest', 'supertest'],
    program: 'vitest',
    files: supertestFiles,
    args: () => ['run'],
    verified: (printed) => numberIn(printed, /^ *Tests .*?(\d+) passed/m),
  },
  {
    name: 'Hurl',
    packages: [],
    program: 'hurl',
    files: hurlFiles,
    args: (files) => ['--test', '--continue-on-error', ...files],
    // It counts requests, not those that it verified. Each assertion that fails is one error.
    verified: (printed) => numberIn(printed, /Executed requests:\s+(\d+)/) - [...printed.matchAll(/^error: /gm)].length,
  },
];
