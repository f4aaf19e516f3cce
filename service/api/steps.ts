import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Claims, IssuerClient } from '../issuers/issuer-client.ts';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import type { Store } from '../store/store.ts';
import type { Endpoint, Scope } from '../terms/operations.ts';
import type { Refusal } from '../terms/refusal.ts';
import type { Credential, OAuthCredential } from './credential.ts';
import type { ProtectedResource } from './protected-resource.ts';
import type { RateLimit } from './rate-limit.ts';

export interface ServiceContext {
  readonly steps: Steps;
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number;
  readonly store: Store;
  readonly issuers: readonly IssuerClient[];
  /** Challenges contain the address of its metadata. Absent: they do not. */
  readonly protectedResource?: ProtectedResource;
  /** Absent: requests are not limited. */
  readonly rateLimit?: RateLimit;
  readonly log: Logger;
}

/** One request, before its operation is known. */
export interface RequestContext extends ServiceContext {
  readonly requestId: string;
  /** The raw request, which keeps the number and spelling of header lines. */
  readonly request: IncomingMessage;
}

/** A request to an operation or to the remote MCP server. Each stage adds what it has found out. */
export interface Call extends RequestContext {
  readonly operation: Endpoint;
  headers: AuthHeaders;
  credential?: Credential;
  person?: Person;
  /** The parsed body, not validated yet. */
  payload?: unknown;
  body?: Body;
}

/** The three headers of spec 5.1; undefined where the request lacks one. */
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

/** The stages that every request must pass. The policy sets their order. */
export const stages = ['authenticate', 'checkExpiry', 'identify', 'requireScope', 'validateBody'] as const;
export type Stage = (typeof stages)[number];

type Awaitable<T> = T | Promise<T>;

/**
 * The named steps of the service. A step refuses a request by throwing a `Refusal`. Steps call each other only through
 * `call.steps`, so that replacing one step changes exactly that step, wherever it is used.
 */
export interface Steps {
  /** Every stage once. The stages before `validateBody` run before the body is read, the others after it. */
  readonly order: readonly Stage[];

  // Reading the request
  /** Runs before everything else. The policy admits every request. */
  admit(context: RequestContext): Awaitable<void>;
  readHeaders(context: RequestContext): AuthHeaders;
  readBearer(call: Call): string;

  // authenticate: verify the token
  authenticate(call: Call, token: string): Promise<Credential>;
  findServiceToken(call: Call, token: string): Promise<ServiceToken | undefined>;
  /** The issuer that the token claims to come from. Nothing is verified yet. */
  recogniseIssuer(call: Call, token: string): IssuerClient | undefined;
  requireAuthType(call: Call, issuer: IssuerClient | undefined): Awaitable<void>;
  verifyOAuthToken(call: Call, issuer: IssuerClient, token: string): Promise<OAuthCredential>;
  verifySignature(call: Call, issuer: IssuerClient, token: string): Promise<Claims>;
  askTokeninfo(call: Call, issuer: IssuerClient, token: string): Promise<Claims>;
  checkAudience(call: Call, issuer: IssuerClient, claims: Claims): Awaitable<void>;
  checkClient(call: Call, issuer: IssuerClient, claims: Claims): Awaitable<void>;
  checkGrant(call: Call, issuer: IssuerClient, claims: Claims): Awaitable<void>;
  readScopes(call: Call, issuer: IssuerClient, claims: Claims): readonly Scope[];

  // checkExpiry: one step for tokens of every kind
  checkExpiry(call: Call, credential: Credential): Awaitable<void>;

  // identify: find the person the request runs as
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

  // Rendering the answer
  renderSuccess(call: Call, result: object): Answer;
  renderError(context: RequestContext, refusal: Refusal): Answer;
}
