import type { Scope } from './operations.ts';

interface Row {
  readonly status: number;
  readonly detail: string;
  /** The request is answered with `WWW-Authenticate: Bearer`; the error code is left out where RFC 6750 3.1 says so. */
  readonly challenge?: { readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' };
}

/** Every refusal of the API. The four details of spec 7 are literal; the others are ours and say what to do. */
const table = {
  'no-token': { status: 401, detail: 'Send an access token as "Authorization: Bearer <token>".', challenge: {} },
  'malformed-authorization': {
    status: 400,
    detail: 'The Authorization header is not "Bearer <token>" with one token and no blanks in it.',
    challenge: { error: 'invalid_request' },
  },
  'doubled-header': { status: 400, detail: 'A header that may come once came more than once. Send one line of it.' },
  'other-auth-type': {
    status: 400,
    detail: 'The authentication type is not one this service knows. Send OAUTH, in capitals, or leave the header out.',
  },
  'auth-type-missing': {
    status: 401,
    detail: 'Missing X-Service-Auth-Type header',
    challenge: { error: 'invalid_token' },
  },
  'invalid-secret': { status: 401, detail: 'Invalid Secret', challenge: { error: 'invalid_token' } },
  'invalid-token': {
    status: 401,
    detail: 'The access token is not valid here. Use one that was issued for this service.',
    challenge: { error: 'invalid_token' },
  },
  'expired-token': {
    status: 401,
    detail: 'The access token has expired. Use a newer one.',
    challenge: { error: 'invalid_token' },
  },
  'unknown-person': {
    status: 401,
    detail: 'The access token belongs to nobody who is known here.',
    challenge: { error: 'invalid_token' },
  },
  'act-as-missing': { status: 400, detail: 'Required header missing: X-Service-ActAs' },
  'invalid-identity': { status: 401, detail: 'Invalid identity', challenge: {} },
  'insufficient-scope': {
    status: 403,
    detail: 'The access token does not cover this operation.',
    challenge: { error: 'insufficient_scope' },
  },
  'invalid-body': { status: 400, detail: 'The request body is not what this operation takes.' },
  'media-type': { status: 415, detail: 'Send the request body as application/json.' },
  'body-too-large': { status: 413, detail: 'The request body is too large.' },
  'unknown-conversation': { status: 404, detail: 'There is no such conversation of yours. Leave conversationId out.' },
  'unknown-path': { status: 404, detail: 'Nothing is served at this path.' },
  'other-method': { status: 405, detail: 'This path does not take that method.' },
  'too-many-requests': {
    status: 429,
    detail: 'This access token was used too often within a minute. Wait as long as Retry-After says.',
  },
  'provider-unreachable': {
    status: 503,
    detail: 'The identity provider that could vouch for the access token does not answer. Try again later.',
  },
  internal: { status: 500, detail: 'Something went wrong here. Quote the requestId when you report it.' },
} as const satisfies Record<string, Row>;

export type Reason = keyof typeof table;

/** What an answer says beyond its row. `allow` is the value of the header of that name (RFC 9110 15.5.6). */
export interface RefusalParts {
  status?: number;
  detail?: string;
  scope?: Scope;
  allow?: string;
  /** Seconds, for the header of that name (RFC 9110 10.2.3). */
  retryAfter?: number;
  /** Why, for the log only. Never part of an answer. */
  cause?: unknown;
}

/** Thrown by a step that will not let a request pass. Never holds a secret. */
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
