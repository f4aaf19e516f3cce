import type { Scope } from './operations.ts';

interface Row {
  readonly status: number;
  readonly detail: string;
  /** The answer has a `WWW-Authenticate: Bearer` header. A request without credentials gets no error code (RFC 6750 3.1). */
  readonly challenge?: { readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' };
}

/** Every refusal of the API. Four details are the exact messages of spec 7. The others are ours and say what to do. */
const table = {
  'no-token': { status: 401, detail: 'Send an access token as "Authorization: Bearer <token>".', challenge: {} },
  'malformed-authorization': {
    status: 400,
    detail: 'The Authorization header must be "Bearer <token>", with one token and no spaces in it.',
    challenge: { error: 'invalid_request' },
  },
  'doubled-header': {
    status: 400,
    detail: 'A header that may appear only once was sent more than once. Send it once.',
  },
  'other-auth-type': {
    status: 400,
    detail: 'This authentication type is unknown. Send OAUTH in capital letters, or leave the header out.',
  },
  'auth-type-missing': {
    status: 401,
    detail: 'Missing X-Service-Auth-Type header',
    challenge: { error: 'invalid_token' },
  },
  'invalid-secret': { status: 401, detail: 'Invalid Secret', challenge: { error: 'invalid_token' } },
  'invalid-token': {
    status: 401,
    detail: 'The access token is not valid for this service. Use one that was issued for it.',
    challenge: { error: 'invalid_token' },
  },
  'expired-token': {
    status: 401,
    detail: 'The access token has expired. Get a new one.',
    challenge: { error: 'invalid_token' },
  },
  'unknown-person': {
    status: 401,
    detail: 'The access token belongs to a person that this service does not know.',
    challenge: { error: 'invalid_token' },
  },
  'act-as-missing': { status: 400, detail: 'Required header missing: X-Service-ActAs' },
  'invalid-identity': { status: 401, detail: 'Invalid identity', challenge: {} },
  'insufficient-scope': {
    status: 403,
    detail: 'The access token does not cover this operation.',
    challenge: { error: 'insufficient_scope' },
  },
  'invalid-body': { status: 400, detail: 'The request body is not valid for this operation.' },
  'media-type': { status: 415, detail: 'Send the request body as application/json.' },
  'body-too-large': { status: 413, detail: 'The request body is too large.' },
  'unknown-conversation': {
    status: 404,
    detail: 'You have no conversation with this conversationId. Leave it out to start a new one.',
  },
  'unknown-path': { status: 404, detail: 'This path does not exist.' },
  'other-method': { status: 405, detail: 'This path does not support that method.' },
  'too-many-requests': {
    status: 429,
    detail: 'This access token was used too often in one minute. Wait for the number of seconds in Retry-After.',
  },
  'foreign-host': { status: 403, detail: 'The Host header does not name this service.' },
  'foreign-origin': {
    status: 403,
    detail: 'Pages of this origin may not use the remote MCP server. Use https, or http on this device.',
  },
  'too-many-at-once': {
    status: 429,
    detail: 'Too many requests with this access token are under way. Wait until some are answered.',
  },
  overloaded: { status: 503, detail: 'Too many requests are under way. Try again later.' },
  'too-slow': { status: 503, detail: 'The answer took too long. Try again later.' },
  'provider-unreachable': {
    status: 503,
    detail: 'The access token could not be checked, because its identity provider does not respond. Try again later.',
  },
  internal: { status: 500, detail: 'Something went wrong in this service. Include the requestId when you report it.' },
} as const satisfies Record<string, Row>;

export type Reason = keyof typeof table;

/** Details of one refusal. They override or complete its row in the table. */
export interface RefusalParts {
  status?: number;
  detail?: string;
  scope?: Scope;
  /** Value of the `Allow` header (RFC 9110 15.5.6). */
  allow?: string;
  /** Value of the `Retry-After` header, in seconds (RFC 9110 10.2.3). */
  retryAfter?: number;
  /** For the log only, never part of an answer. */
  cause?: unknown;
}

/** A step throws this to refuse a request. It never contains a secret. */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly status: number;
  readonly detail: string;
  readonly challenge: Row['challenge'];
  readonly scope: Scope | undefined;
  readonly allow: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(reason: Reason, parts: RefusalParts = {}) {
    const row: Row = table[reason];
    super(`${reason}: ${parts.detail ?? row.detail}`, { cause: parts.cause });
    this.name = 'Refusal';
    this.reason = reason;
    this.status = parts.status ?? row.status;
    this.detail = parts.detail ?? row.detail;
    this.challenge = row.challenge;
    this.scope = parts.scope;
    this.allow = parts.allow;
    this.retryAfter = parts.retryAfter;
  }
}
