import type { Administer } from '../commands/administration.ts';
import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Judgement } from '../judge/judgement.ts';
import type { Case } from '../plan/case.ts';
import type { Credential } from '../plan/credentials.ts';
import type { CheckHead } from '../plan/narrowing.ts';
import type { People } from '../plan/people.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { isAnswer } from '../record/observation.ts';
import type { Claims } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import type { Capability } from '../settings/variables.ts';

/** A test written by hand, for what takes several requests or more of an answer than a case of the matrix. */
export interface Check extends CheckHead {
  readonly title: string;
  /** Runs only for targets that claim this capability. */
  readonly capability?: Capability;
  /** Sends bursts, fuzz or many requests. Runs only against this machine, or with --intrusive (outcomes 6). */
  readonly intrusive: boolean;
  run(api: CheckApi): Promise<readonly CheckResult[]>;
}

export type CheckResult = Omit<Decision, 'type' | 'check'>;

/** A request of a check. Everything that it leaves out is as in the neutral case of the kind. */
export interface Call {
  readonly operation: Operation;
  readonly credential?: Credential | undefined;
  /** Header lines in addition to Authorization, Content-Type and the common ones. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The value of the Authorization line. By default `Bearer` and the credential. No line if null. */
  readonly authorization?: string | null;
  readonly body?: unknown;
  readonly method?: string;
  /** Appended to the path. Starts with a question mark. */
  readonly query?: string;
}
/** The body of a POST request to any server. */
export interface Visit {
  /** The content type. */
  readonly type: string;
  readonly body: string;
}
/** An answer to a check: its full text, and the recorded observation. */
export interface CheckAnswer {
  readonly observation: Observation;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly accepted: boolean;
}
export interface CheckApi {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly claims: Claims;
  readonly people: People;
  /** The seed for random values. Findings that depend on it print it. */
  readonly seed: number;
  /** The tokens were made for this run, so that a refusal of one is the target's fault (outcomes 2). */
  readonly trusted: boolean;
  /** The token that nobody issued, as the matrix sends it. */
  readonly unknownToken: string;
  variable(name: string): string | undefined;
  /** The valid token of a kind with every scope. */
  full(kind: string): Credential | undefined;
  /** Registers a token that was made from another one with the redactor. */
  derive(from: Credential, token: string, how: string): Credential;
  /** Creates and revokes tokens with ADMINISTRATION_COMMAND. Undefined if it is not set. */
  readonly administer: Administer | undefined;
  /** The credential of a token that was created during the run. Its secret is already registered with the redactor. */
  made(secret: string, what: string): Credential;
  /** Sends a request. All calls share one keep-alive connection. */
  call(call: Call): Promise<CheckAnswer>;
  /**
   * Sends a text as it is over a new connection, for requests that no HTTP client would send. `{base}` is replaced with
   * the path of TARGET_BASE_URL, `{common}` with the header lines of every request, starting with Host. The timeout is
   * that of a search. A missing answer counts neither as a failure nor against the target.
   */
  raw(text: string): Promise<CheckAnswer>;
  /**
   * Sends a request to any server that the target names, such as its authorization server. The request contains no
   * values of variables. Only the host of the target gets the extra headers. Sends GET if there is no `request`.
   */
  visit(url: URL, request?: Visit): Promise<CheckAnswer>;
  /** Whether a target may send the suite to this address: never to one that it could not have meant. */
  mayVisit(url: URL): Promise<boolean>;
  /** Sends a case of the plan over the same connection and judges it. */
  send(planned: PlannedCase): Promise<{ answer: CheckAnswer; judgement: Judgement | undefined }>;
  /** The last observation of a case in the matrix of this run. Undefined if it was not sent. */
  seen(planned: PlannedCase): Observation | undefined;
  /** The neutral case of a kind with these values changed. Undefined if it is not in the plan. */
  planned(operation: string, kind: string, values: Partial<Case['values']>): PlannedCase | undefined;
  /** An API with another connection. */
  connect(): CheckApi;
  curl(planned: PlannedCase): string;
}

/**
 * The checks of a run: those whose capability is claimed. Decisions of the reference service bind only the reference
 * service, so other targets are checked without those requirements (outcomes 1).
 */
export function checksFor(
  { requirements }: Contract,
  { claims, trusted }: Pick<Settings, 'claims' | 'trusted'>,
  checks: readonly Check[],
): readonly Check[] {
  const ours = new Set(requirements.flatMap(({ id, source }) => (source === 'reference' ? [id] : [])));
  const claimed = checks.filter(({ capability }) => !capability || claims.capabilities.includes(capability));
  if (trusted) return claimed;
  return claimed.map((check) => ({ ...check, requirements: check.requirements.filter((id) => !ours.has(id)) }));
}

/** Whether an answer shows a private marker. @param owner `ACT_AS` or `USER`, as in the names of the variables. */
export function showsMarker({ observation }: CheckAnswer, owner: string): boolean {
  return isAnswer(observation) && observation.markers?.includes(`${owner}_PRIVATE_MARKER`) === true;
}
