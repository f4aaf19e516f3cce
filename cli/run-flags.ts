import { configurationError } from '../harness/contract/configuration-error.ts';
import type { Narrowing } from '../harness/plan/narrowing.ts';
import { readShard } from '../harness/plan/shard.ts';
import { DEFAULT_REPORT_DIR } from '../harness/settings/variables.ts';
import { variable } from './chosen-contract.ts';

/** Flags of `run`, as the command line names them. */
export interface RunFlags {
  readonly embedded?: boolean;
  readonly insecure?: boolean;
  readonly intrusive?: boolean;
  readonly depth?: string;
  readonly rate?: string;
  readonly refusedPerMinute?: string;
  readonly budget?: string;
  readonly concurrency?: string;
  readonly timeout?: string;
  readonly claims?: string;
  readonly reportDir?: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly requirement?: readonly string[];
  readonly shard?: string;
  readonly run?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly since?: string;
  readonly maxLatency?: readonly string[];
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly open?: boolean;
}

/** @throws a configuration error for anything but a whole number above 0. */
export function readBudget(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw configurationError(`--budget must be a whole number above 0, such as 100, not ${JSON.stringify(text)}`);
  return Number(text);
}

export function narrowingOf({ only = [], except = [], requirement = [], shard }: RunFlags): Narrowing {
  return { only, except, requirements: requirement, ...(shard !== undefined && { shard: readShard(shard) }) };
}

/** The variables for which a flag stands in. */
const VARIABLES = {
  depth: 'CONFORMANCE_DEPTH',
  rate: 'CONFORMANCE_RATE',
  refusedPerMinute: 'CONFORMANCE_REFUSED_PER_MINUTE',
  concurrency: 'CONFORMANCE_CONCURRENCY',
  timeout: 'CONFORMANCE_TIMEOUT_MS',
  claims: 'CONFORMANCE_CLAIMS',
  reportDir: 'CONFORMANCE_REPORT_DIR',
} as const;

export function flagVariables(flags: RunFlags): Record<string, string> {
  const names = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];
  return Object.fromEntries(
    names.flatMap((flag) => (flags[flag] === undefined ? [] : [[VARIABLES[flag], flags[flag]]])),
  );
}

/** The folder that a run writes to if no flag names one. */
export function defaultFolder(): string {
  return variable('CONFORMANCE_REPORT_DIR') ?? DEFAULT_REPORT_DIR;
}
