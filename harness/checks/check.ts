import type { Administer } from '../commands/administration.ts';
import type { CheckRow } from '../contract/check-row.ts';
import { inapplicable } from '../contract/check-row.ts';
import type { Contract, Dimension } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { Law, VariationKind } from '../contract/variations.ts';
import { OTHER_REQUESTS } from '../judge/alike-causes.ts';
import type { Judgement } from '../judge/miss.ts';
import type { Acting, Credential, People } from '../plan/credentials.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { WireRequest } from '../plan/request.ts';
import type { Breadth, CreatedRecord, Decision, Exchange, Step } from '../record/exchange.ts';
import { isAnswer } from '../record/observation.ts';
import type { Route, Routes } from '../send/routes.ts';
import type { Claims } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import type { Acceptance, Answered } from './acceptance.ts';
import type { CurlForm } from './check-curl.ts';

/** A test written by hand, for what takes several requests or more of an answer than a case of the matrix. */
export type CheckRun = (api: CheckApi) => Promise<readonly CheckResult[]>;

export interface Check extends CheckRow {
  readonly run: CheckRun;
}

/** A decision of a check. What each verdict needs as evidence is required by its type. */
export type CheckResult = Evidence &
  Pick<Decision, 'requirement' | 'operation' | 'kind'> & {
    /** One plain sentence. */
    readonly detail: string;
    /** Every answer that it rests on. */
    readonly steps: readonly Answered[];
    /** The variations with which it tried a law. */
    readonly varied?: { readonly law: Law; readonly with: readonly VariedBy[] };
  };

export interface VariedBy {
  readonly kind: VariationKind;
  /** The same, whatever its placeholders stand for. */
  readonly id: string;
}

/** The verdict of a check, with the evidence that it needs (outcomes 2). */
export type Evidence =
  /** `hides`: whose private markers it says were hidden. It counts only if their owners found them (outcomes 2). */
  | { readonly verdict: 'pass'; readonly acceptance: Acceptance; readonly hides?: readonly string[] }
  /**
   * If it says that something was refused, the acceptance that gives the refusal its meaning. `untried`: no answer of the target
   * had what the rest of the check needs.
   */
  | { readonly verdict: 'observed'; readonly acceptance: Acceptance | 'claims no refusal'; readonly untried?: true }
  /** `broke` is undefined if an answer of ADMINISTRATION_COMMAND broke the requirement. */
  | {
      readonly verdict: 'fail' | 'warn';
      readonly broke: Answered | undefined;
      /** By default what the step was to show. */
      readonly wanted?: string;
      /** By default the answer to the step. */
      readonly got?: string;
      /** What about the request made the difference, in words. What else it made a difference to is the same fault. */
      readonly influence?: string;
    }
  /** `unseen`: a person did not find their own document, so nothing decides what this token hides (outcomes 2). */
  | { readonly verdict: 'inconclusive'; readonly unseen?: true }
  | { readonly verdict: 'not-testable'; readonly variable?: string };

/** What a request is to show, in one sentence, and what is wanted of it. */
export type Aim = Pick<Step, 'shows' | 'wanted'>;

/** A request of a check. Everything that it leaves out is as in the neutral case of the kind. */
export interface Call extends Aim {
  readonly operation: Operation;
  readonly credential?: Credential | undefined;
  /** Header lines in addition to Authorization, Content-Type and the common ones. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The value of the line that carries the token. By default as the contract documents it, and no line without a token. No line if null. */
  readonly authorization?: string | null | undefined;
  /** It is sent as JSON. */
  readonly body?: unknown;
  readonly method?: string;
  /** Appended to the path. Starts with a question mark. */
  readonly query?: string;
  /** As for a raw request: many servers do not answer it, and it is not sent again after a timeout. */
  readonly patienceMs?: number;
  /** Whose private document it looks for, if it is a request of this person: `ACT_AS` or `USER`. */
  readonly finds?: string | undefined;
  /** By default the one that a client takes by itself. */
  readonly route?: Route | undefined;
}
/** A request to any server: GET, or POST if it has a body. */
export interface Visit extends Aim {
  readonly url: URL;
  readonly method?: 'DELETE';
  /** A token of that server, which is sent as a bearer token. */
  readonly credential?: Credential;
  /** It is sent as JSON. */
  readonly body?: object;
  /** Header lines in addition to Content-Type and the common ones. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}
/** A text that is sent as it is, and what writes a command line that sends it. */
export interface RawCall extends Aim {
  /** The operation whose answers it may get. */
  readonly operation: Operation;
  readonly text: string;
  /** @param write a command line for a request that curl can send. */
  readonly curl: (write: (request: WireRequest & CurlForm, credential: Credential | undefined) => string) => string;
  /** Milliseconds to wait for an answer, if silence is a likely one. By default the timeout of a search. */
  readonly patienceMs?: number;
}
export interface CheckAnswer extends Answered {
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
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
  readonly breadth: Breadth;
  /** The token that nobody issued, as the matrix sends it. */
  readonly unknownToken: string;
  variable(name: string): string | undefined;
  /** The valid token of a kind with every scope. */
  full(kind: string): Credential | undefined;
  /** Registers a token that was made from another one with the redactor. @param shell the token in a bash command line. */
  derive(from: Credential, token: string, how: string, shell?: string): Credential;
  /** Creates and revokes tokens with ADMINISTRATION_COMMAND. Undefined if it is not set. */
  readonly administer: Administer | undefined;
  /** The credential of a token that was created during the run. Its secret is already registered with the redactor. */
  made(secret: string, what: string): Credential;
  /** The credential of a secret that an answer contained. Registers it with the redactor, if it is long enough to be one. */
  given(secret: string, what: string): Credential;
  /** Records that the check created something on the target. @param name how the target names it. */
  created(what: CreatedRecord['what'], name: unknown): void;
  /** Records that it was removed. @param failed why it could not be. */
  removed(what: CreatedRecord['what'], name: unknown, failed?: string): void;
  /** Sends a request. All calls share one keep-alive connection. */
  call(call: Call): Promise<CheckAnswer>;
  /** Sends requests at the same moment, each over a connection of its own, if as many may be sent at once. */
  together(calls: readonly Call[]): Promise<readonly CheckAnswer[]>;
  /**
   * Sends a request to a slow operation only if the chat budget suffices for all, or if no check of this run was accepted
   * with the same request. Otherwise gives that answer.
   * @param body whether the body must be the same too, or may be any.
   */
  callOnce(call: Call, body: 'same body' | 'any body'): Promise<CheckAnswer>;
  /**
   * Sends a text as it is over a new connection, for requests that no HTTP client would send. `{base}` is replaced with
   * the path of TARGET_BASE_URL, `{common}` with the header lines of every request, starting with Host; `{common but User-Agent}` leaves
   * one out. The timeout is that of a search. A missing answer counts neither as a failure nor against the target, and
   * after a timeout the request is not sent again.
   */
  raw(call: RawCall): Promise<CheckAnswer>;
  /**
   * Sends a request to any server that the target names, such as its authorization server. The request contains no
   * values of variables. Only the host of the target gets the extra headers.
   */
  visit(visit: Visit): Promise<CheckAnswer>;
  /** The other ways to the target. */
  routes(): Promise<Routes>;
  /** Whether a target may send the suite to this address: never to one that it could not have meant. */
  mayVisit(url: URL): Promise<boolean>;
  /** Sends a case of the plan over the same connection and judges it. @param acting who a GLOBAL token acts as, if not as planned. */
  send(planned: PlannedCase, shows: string, acting?: Acting): Promise<Judged>;
  /** The last answer to a case in the matrix of this run. Undefined if it was not sent. */
  seen(planned: PlannedCase): Answered | undefined;
  /** Everything that this run has sent until now, with the id of its case or check and the recipe of its token. */
  recorded(): readonly Recorded[];
  /** What the checks before have decided. */
  decided(): readonly Decision[];
  /**
   * Evidence that an answer is an acceptance by this target. Undefined if it is not a 2xx, if it looks like a page of a
   * gateway, or if the target never refuses a request to this operation.
   */
  acceptance(answer: Answered): Promise<Acceptance | undefined>;
  /** The neutral case of a kind with these values changed. Undefined if it is not in the plan. */
  planned(operation: string, kind: string, values: Readonly<Record<Dimension, string>>): PlannedCase | undefined;
  /** The well-made request of a kind of token that may not use the operation. Undefined for the others. */
  barred(operation: string, kind: string): PlannedCase | undefined;
  readonly steps: readonly Answered[];
  /** The same API and connection with a list of steps of its own. */
  fork(): CheckApi;
  /** The same with connections for requests that do not wait for each other. */
  spread(): CheckApi;
  /** An API with another connection and the same list of steps. */
  connect(): CheckApi;
  /** Waits for some milliseconds, or until the run ends. What a target does in the background takes time. */
  wait(ms: number): Promise<void>;
}

export type Recorded = Answered & Pick<Exchange, 'case' | 'role' | 'credential'>;

/** An answer to a case of the plan. The judgement is undefined if no answer of the application came. */
export interface Judged {
  readonly answer: CheckAnswer;
  readonly judgement: Judgement | undefined;
}

/**
 * The checks of a run: those that are applicable to the contract, and whose capability is claimed. Decisions of the reference
 * service bind only the reference service, so other targets are checked without those requirements (outcomes 1).
 */
export function checksFor<C extends CheckRow>(
  contract: Contract,
  { claims, trusted }: Pick<Settings, 'claims' | 'trusted'>,
  checks: readonly C[],
): readonly C[] {
  const ours = new Set(contract.requirements.flatMap(({ id, source }) => (source === 'reference' ? [id] : [])));
  const claimed = checks.filter(
    (check) =>
      (!check.capability || claims.capabilities.includes(check.capability)) &&
      inapplicable(contract, check) === undefined,
  );
  if (trusted) return claimed;
  return claimed.map((check) => ({
    ...check,
    requirements: check.requirements.filter((id) => !ours.has(id)),
  }));
}

/** Whether an answer shows a private marker. @param owner `ACT_AS` or `USER`, as in the names of the variables. */
export function showsMarker({ observation }: Pick<Answered, 'observation'>, owner: string): boolean {
  return isAnswer(observation) && observation.markers?.includes(`${owner}_PRIVATE_MARKER`) === true;
}

/** What only other requests bring about, which came before or at the same time. */
export const byOthers = (result: CheckResult): CheckResult =>
  result.verdict === 'fail' || result.verdict === 'warn' ? { ...result, influence: OTHER_REQUESTS } : result;
