import type { MarkerPlace } from '../record/marker-places.ts';
import type { Answer, Failure, Observation } from '../record/observation.ts';

/** What came back to a request: an answer, as far as it may be shown, or the reason why none came. */
export type ReportedResponse = ReportedAnswer | ReportedFailure;

interface ReportedAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Milliseconds from the request to the end of what was read. Absent in journals of earlier versions. */
  readonly ms?: number;
  /** The headers that are recorded, by their usual names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a refusal: the body as it came, redacted, up to 2 KiB, in lines. */
  readonly excerpt?: readonly string[];
  /** Of a 2xx: its documented keys, types and lengths. */
  readonly skeleton?: string;
  /** Of a 2xx with a documented body: how it differs from the schema. */
  readonly schemaErrors?: readonly string[];
  /** Where the answer shows a private marker. */
  readonly places?: readonly MarkerPlace[];
}
interface ReportedFailure {
  readonly kind: 'failure';
  readonly ms?: number;
  /** Why no answer came. */
  readonly detail: string;
}

export function reportResponse(observation: Observation, ms: number | undefined): ReportedResponse {
  const time = ms === undefined ? {} : { ms };
  return observation.kind === 'failure'
    ? { ...failureOf(observation), ...time }
    : { ...answerOf(observation), ...time };
}

function failureOf({ kind, detail }: Failure): ReportedFailure {
  return { kind, detail };
}

function answerOf(answer: Answer): ReportedAnswer {
  const {
    kind,
    status,
    contentType,
    challenge,
    retryAfter,
    excerpt,
    skeleton,
    schemaErrors = [],
    places = [],
  } = answer;
  const known = { 'Content-Type': contentType, 'WWW-Authenticate': challenge, 'Retry-After': retryAfter };
  const set = Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return {
    kind,
    status,
    headers: { ...Object.fromEntries(set), ...answer.headers },
    ...(excerpt !== undefined && excerpt !== '' && { excerpt: excerpt.split(/\r\n|\r|\n/) }),
    ...(skeleton !== undefined && { skeleton }),
    ...(schemaErrors.length > 0 && { schemaErrors }),
    ...(places.length > 0 && { places }),
  };
}
