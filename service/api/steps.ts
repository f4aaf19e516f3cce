import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Claims, IssuerClient } from '../issuers/issuer-client.ts';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import type { Store } from '../store/store.ts';
import type { Operation, Scope } from '../terms/operations.ts';
import type { Refusal } from '../terms/refusal.ts';
import type { Credential, OAuthCredential } from './credential.ts';
import type { ProtectedResource } from './protected-resource.ts';
import type { RateLimit } from './rate-limit.ts';

/** What every request of one service has in common. */
export interface ServiceContext {
  readonly steps: Steps;
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number;
  readonly store: Store;
  readonly issuers: readonly IssuerClient[];
  /** What refusals point to, for clients that have no token yet. Absent: nothing. */
  readonly protectedResource?: ProtectedResource;
  /** Absent: a token may be used as often as one likes. */
  readonly rateLimit?: RateLimit;
  readonly log: Logger;
}

/** One request, before it is known what it asks for. */
export interface RequestContext extends ServiceContext {
  readonly requestId: string;
  /** The request as it came, for header lines in their own spelling and number. */
  readonly request: IncomingMessage;
}

/** A request to an operation, with what the stages so far have found out. */
export interface Call extends RequestContext {
  readonly operation: Operation;
  headers: AuthHeaders;
  credential?: Credential;
  person?: Person;
  /** The body as it was parsed, not yet checked. */
  payload?: unknown;
  body?: Body;
}

/** The three headers of spec 5.1 as sent, or undefined where a header did not come. */
export interface AuthHeaders {
  readonly authorization: string | undefined;
  readonly actAs: string | undefined;
  readonly authType: 'OAUTH' | undefined;
}

/** The request bodies of spec 2.3 and 2.4. */
export interface Body {
  readonly query: string;
  readonly pageSize?: number;
  readonly conversationId?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
}

/** Steps that a request must pass, in an order that the policy sets. */
export const stages = ['authenticate', 'checkExpiry', 'identify', 'requireScope', 'validateBody'] as const;
export type Stage = (typeof stages)[number];

type Awaitable<T> = T | Promise<T>;

/**
 * The named steps of which the service consists. A step that objects throws a `Refusal`. Steps reach one another through
 * `call.steps` only, so that replacing one of them in the table changes exactly that step, wherever it is used.
 */
export interface Steps {
  /** Every stage once. The stages before `validateBody` run before the body is read, the others after it. */
  readonly order: readonly Stage[];

  // What the request says
  /** Whether to serve the request at all, before anything else is looked at. */
  admit(context: RequestContext): Awaitable<void>;
  readHeaders(context: RequestContext): AuthHeaders;
  readBearer(call: Call): string;

  // authenticate: what the token is, and who vouches for it
  authenticate(call: Call, token: string): Promise<Credential>;
  findServiceToken(call: Call, token: string): Promise<ServiceToken | undefined>;
  /** Whose OAuth token it says it is; nothing is verified yet. */
  recogniseIssuer(call: Call, token: string): IssuerClient | undefined;
  requireAuthType(call: Call, issuer: IssuerClient | undefined): Awaitable<void>;
  verifyOAuthToken(call: Call, issuer: IssuerClient, token: string): Promise<OAuthCredential>;
  verifySignature(call: Call, issuer: IssuerClient, token: string): Promise<Claims>;
  askTokeninfo(call: Call, issuer: IssuerClient, token: string): Promise<Claims>;
  checkAudience(call: Call, issuer: IssuerClient, claims: Claims): Awaitable<void>;
  checkClient(call: Call, issuer: IssuerClient, claims: Claims): Awaitable<void>;
  readScopes(call: Call, issuer: IssuerClient, claims: Claims): readonly Scope[];

  // checkExpiry: one place for tokens of every kind
  checkExpiry(call: Call, credential: Credential): Awaitable<void>;

  // identify: whom the request runs as
  identify(call: Call, credential: Credential): Promise<Person>;
  /** The person that X-Service-ActAs names, for a GLOBAL token. */
  resolveActAs(call: Call, token: ServiceToken): Promise<Person>;
  identifyOAuth(call: Call, credential: OAuthCredential): Promise<Person>;
  askUserinfo(call: Call, credential: OAuthCredential): Promise<Claims>;
  findPerson(call: Call, email: string): Promise<Person | undefined>;

  requireScope(call: Call, credential: Credential): Awaitable<void>;
  validateBody(call: Call, body: unknown): Body;

  // The operations
  search(call: Call, person: Person, body: Body): Promise<object>;
  chat(call: Call, person: Person, body: Body): Promise<object>;

  // The answer
  renderSuccess(call: Call, result: object): Answer;
  renderError(context: RequestContext, refusal: Refusal): Answer;
}
