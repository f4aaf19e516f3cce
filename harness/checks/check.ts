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

/**
 * A check written by hand, as data: what the matrix cannot say because it takes several requests or reads more of an
 * answer. Both front ends hand it to the session.
 */
export interface Check extends CheckHead {
  readonly title: string;
  /** Only for targets that claim it. */
  readonly capability?: Capability;
  /** Sends bursts, fuzz or many requests: only to a loopback target, or with --intrusive (OUTCOMES 6). */
  readonly intrusive: boolean;
  run(api: CheckApi): Promise<readonly CheckResult[]>;
}

export type CheckResult = Omit<Decision, 'type' | 'check'>;

/** One request of a check; what is not said is as in the kind's neutral case. */
export interface Call {
  readonly operation: Operation;
  readonly credential?: Credential | undefined;
  /** Header lines besides Authorization, Content-Type and the common ones. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The Authorization line; `Bearer` and the credential when absent, no line when null. */
  readonly authorization?: string | null;
  readonly body?: unknown;
  readonly method?: string;
  /** Appended to the path, with its question mark. */
  readonly query?: string;
}
/** GET, unless something is sent. */
export interface Visit {
  readonly type: string;
  readonly body: string;
}
/** An answer as a check sees it: the text in full, and what was recorded of it. */
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
  /** For seeded randomness; printed with every finding that rests on it. */
  readonly seed: number;
  /** The disposable nature of the tokens: fixtures minted them for this run. */
  readonly trusted: boolean;
  /** The token that was never issued, as the matrix sends it. */
  readonly unknownToken: string;
  variable(name: string): string | undefined;
  /** The valid token of a kind that holds everything. */
  full(kind: string): Credential | undefined;
  /** Registers a token made from another with the redactor. */
  derive(from: Credential, token: string, how: string): Credential;
  /** Asks for tokens to be administered, as ADMINISTRATION_COMMAND does; undefined where nobody can be asked. */
  readonly administer: Administer | undefined;
  /** A token that somebody made during the run. Its secret is registered with the redactor already. */
  made(secret: string, what: string): Credential;
  /** Sends; all calls of one api share one kept-alive connection. */
  call(call: Call): Promise<CheckAnswer>;
  /**
   * Sends a request as it is written, over a connection of its own: what no HTTP client lets through. `{base}` in it
   * stands for the path of TARGET_BASE_URL, `{common}` for the header lines of every request, Host first. An answer is
   * waited for as long as for a search; that none comes counts neither as a failure nor against the target.
   */
  raw(text: string): Promise<CheckAnswer>;
  /**
   * Sends a request to whichever server the target names, its authorization server say. It carries nothing that the
   * variables hold; only the target's own host gets the extra headers.
   */
  visit(url: URL, request?: Visit): Promise<CheckAnswer>;
  /** Sends a case of the plan over the same connection and judges it. */
  send(planned: PlannedCase): Promise<{ answer: CheckAnswer; judgement: Judgement | undefined }>;
  /** What the matrix of this run last got for a case of the plan; undefined where it did not send it. */
  seen(planned: PlannedCase): Observation | undefined;
  /** The planned case with these values different from the kind's neutral ones; undefined when it is not in the plan. */
  planned(operation: string, kind: string, values: Partial<Case['values']>): PlannedCase | undefined;
  /** Another connection of its own. */
  connect(): CheckApi;
  curl(planned: PlannedCase): string;
}

/** The checks of what a target claims, with the requirements that bind it: our own decisions bind the fixtures alone. */
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

/** Whether an answer shows the private marker of the person whom the variables call ACT_AS or USER. */
export function showsMarker({ observation }: CheckAnswer, owner: string): boolean {
  return isAnswer(observation) && observation.markers?.includes(`${owner}_PRIVATE_MARKER`) === true;
}
