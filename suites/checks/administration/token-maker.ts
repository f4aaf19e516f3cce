import { type Acceptance, type CheckOutcome, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type {
  Action,
  Actor,
  Administer,
  AdministrationAnswer,
  TokenRecord,
  TokenTerms,
} from '../../../harness/commands/administration.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { tokenProblem } from '../../../harness/settings/token-problems.ts';
import { ACCEPT } from '../mcp/message.ts';
import { confirm } from '../shared/confirm.ts';
import { kindHeaders } from '../shared/refusals.ts';

/** What makes tokens, and sends requests to the client API with them. */
export interface TokenMaker {
  readonly api: CheckApi;
  readonly administer: Administer;
  /** The operation that ordinary tokens cover. */
  readonly operation: Operation;
  /** Another operation, which they do not cover. */
  readonly other: Operation | undefined;
  /** The fields of an ordinary token: for USER_EMAIL, with one scope, for two days. */
  readonly ordinary: TokenTerms;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The description of every token that was requested. */
  readonly requested: string[];
  readonly made: MadeToken[];
  /** That the first token is accepted. It is the control of every token that is not made or refused (outcomes 2). */
  readonly control?: Acceptance | undefined;
}

export interface MadeToken {
  readonly kind: 'made';
  readonly secret: string;
  readonly actor: Actor;
  readonly terms: TokenTerms;
  readonly token: TokenRecord;
  readonly credential: Credential;
}

export type Unmade = Exclude<AdministrationAnswer, { kind: 'done' }>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The date (YYYY-MM-DD, UTC) some days after a time in epoch milliseconds. */
export const dateAfter = (moment: number, days: number) => new Date(moment + days * DAY_MS).toISOString().slice(0, 10);

/** @param userEmail the person for whom ordinary tokens are. */
export function tokenMaker(api: CheckApi, administer: Administer, operation: Operation, userEmail: string): TokenMaker {
  const other = api.contract.operations.find(({ id }) => id !== operation.id);
  const startedAt = Date.now();
  // If the run ends early, the tokens that it leaves behind expire.
  const expires = dateAfter(startedAt, 2);
  const ordinary = { permission: 'USER', scopes: operation.scopes, expires, userEmail };
  return { api, administer, operation, other, ordinary, startedAt, requested: [], made: [] };
}

export async function ask(
  { api, administer }: TokenMaker,
  action: Action,
  token: TokenTerms,
  actor: Actor = 'super-admin',
): Promise<AdministrationAnswer> {
  const answer = await administer({ action, actor, token });
  if (answer.kind === 'done' && action === 'create') api.created('token', answer.token.id);
  if (answer.kind === 'done' && action === 'revoke') api.removed('token', token.id);
  return answer;
}

/** Requests a token with the ordinary fields, except for `changes`. */
export async function make(
  maker: TokenMaker,
  changes: TokenTerms = {},
  actor: Actor = 'super-admin',
): Promise<MadeToken | Unmade> {
  const { api, ordinary, requested, made } = maker;
  const what = `conformance test ${(api.seed >>> 0).toString(36)}-${requested.length + 1}`;
  requested.push(what);
  const terms = { ...ordinary, description: what, ...changes };
  const answer = await ask(maker, 'create', terms, actor);
  if (answer.kind !== 'done') return answer;
  const { secret, token } = answer;
  const problem = secret === undefined ? 'is missing' : tokenProblem(secret);
  if (secret === undefined || problem !== undefined)
    return { kind: 'failed', why: `the secret of the created token ${problem}` };
  const done: MadeToken = {
    kind: 'made',
    secret,
    actor,
    terms,
    token,
    credential: api.made(secret, `the token "${what}"`),
  };
  made.push(done);
  return done;
}

/** A request with a token that was made. By default to the operation that ordinary tokens cover. */
interface Use extends Aim {
  readonly on?: Operation;
  /** Without the X-Service-ActAs that a GLOBAL token needs. */
  readonly namesNobody?: true;
  readonly query?: string;
}

export function use(
  { api, operation }: TokenMaker,
  { credential, terms }: MadeToken,
  asked: Use,
): Promise<CheckAnswer> {
  const { on = operation, namesNobody = false, query, shows, wanted } = asked;
  const own = kindHeaders(api, terms.permission === 'GLOBAL' && !namesNobody ? 'GLOBAL' : 'USER');
  const headers = api.contract.mcp.includes(on) ? [ACCEPT, ...own] : own;
  const body = query === undefined ? on.example : { ...on.example, query };
  return api.call({ operation: on, credential, headers, body, shows, wanted });
}

export interface Used {
  readonly outcome: CheckOutcome;
  readonly answer: CheckAnswer;
}

/** Sends a request with a token that must work. A refusal counts if it comes again (outcomes 3). */
export async function confirmUse(maker: TokenMaker, made: MadeToken, asked: Use): Promise<Used> {
  const { kind, got: answer } = await confirm(
    () => use(maker, made, asked),
    (one) => (({ accepted: 'right', refused: 'wrong', lost: 'lost' }) as const)[outcomeOf(one).kind],
  );
  const fleeting = { kind: 'lost', why: 'the token was refused once; it did not happen again' } as const;
  return { outcome: kind === 'fleeting' ? fleeting : outcomeOf(answer), answer };
}

/** The record of a token, or why it is not known. A failed read is no answer: it says nothing about the record. */
export type RecordRead =
  | { readonly kind: 'record'; readonly record: TokenRecord }
  | { readonly kind: 'unsupported' | 'lost'; readonly why: string };

/** Reads the current record of a token, and reads it again if that fails. */
export async function recordOf(maker: TokenMaker, made: MadeToken, retries = 1): Promise<RecordRead> {
  const answer = await ask(maker, 'read', { id: made.token.id });
  if (answer.kind === 'done') return { kind: 'record', record: answer.token };
  if (answer.kind === 'unsupported') return { kind: 'unsupported', why: answer.why };
  return retries > 0 ? recordOf(maker, made, retries - 1) : { kind: 'lost', why: `read got no record: ${answer.why}` };
}
