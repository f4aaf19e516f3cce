import type { Operation } from '../contract/openapi.ts';
import type { Observation } from '../record/observation.ts';

/** How long a run waits for an answer of an operation (outcomes 6). */
export interface Patience {
  /** Milliseconds to wait for the next answer. */
  waitMs(operation: Operation): number;
  /** Whether this may come for good, so that the request is not sent again at once. */
  isKnown(operation: Operation | undefined, got: Observation): boolean;
  /** Notes what came at last. @param request the same for each send of one request. */
  note(operation: Operation | undefined, request: string, got: Observation, ms: number): void;
}
interface PatienceOptions {
  /** Milliseconds to wait for an answer at first. */
  readonly timeoutMs: number;
  /** The same for a slow operation. */
  readonly chatTimeoutMs: number;
}

/**
 * So many requests to an operation must have got no answer in full time, or so many requests 429, each time that they were
 * sent. Chance hardly does that.
 */
const SILENT_REQUESTS = 3;
/** After that, an answer may take so many times as long as the slowest one until then, */
const TIMES_SLOWEST = 10;
/** and at least so many milliseconds. */
const LEAST_MS = 2_000;

/**
 * A target may leave requests of one sort without an answer, such as those with one header. A run has hundreds of them, and would
 * wait for hours.
 */
export function createPatience({ timeoutMs, chatTimeoutMs }: PatienceOptions): Patience {
  const silent = new Map<string, Set<string>>();
  const limited = new Set<string>();
  const slowest = new Map<string, number>();
  const isSilent = ({ id }: Operation) => (silent.get(id)?.size ?? 0) >= SILENT_REQUESTS;
  return {
    waitMs(operation) {
      const full = operation.isSlow ? chatTimeoutMs : timeoutMs;
      if (!isSilent(operation)) return full;
      return Math.min(full, Math.max(LEAST_MS, TIMES_SLOWEST * (slowest.get(operation.id) ?? 0)));
    },
    isKnown: (operation, got) =>
      isLimited(got)
        ? limited.size >= SILENT_REQUESTS
        : operation !== undefined && isTimeout(got) && isSilent(operation),
    note(operation, request, got, ms) {
      if (isLimited(got)) limited.add(request);
      else if (operation === undefined) return;
      else if (isTimeout(got)) silent.set(operation.id, (silent.get(operation.id) ?? new Set()).add(request));
      else if (got.kind === 'answer') slowest.set(operation.id, Math.max(slowest.get(operation.id) ?? 0, ms));
    },
  };
}

const isTimeout = (got: Observation) => got.kind === 'failure' && got.failure === 'timeout';
const isLimited = (got: Observation) => got.kind === 'answer' && got.status === 429;
