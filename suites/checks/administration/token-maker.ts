import type { Acceptance } from '../../../harness/checks/acceptance.ts';
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
import { kindHeaders } from '../shared/refusals.ts';

/** A token that was made, with its credential. */
export interface MadeToken {
  readonly kind: 'made';
  readonly secret: string;
  readonly terms: TokenTerms;
  readonly token: TokenRecord;
  readonly credential: Credential;
}
/** The result of a request for a token. */
export type MakeResult = MadeToken | Exclude<AdministrationAnswer, { kind: 'done' }>;
/** Makes tokens, and sends requests to the client API with them. */
export interface TokenMaker {
  readonly api: CheckApi;
  /** The operation that ordinary tokens cover. */
  readonly operation: Operation;
  /** Another operation, which they do not cover. */
  readonly other: Operation | undefined;
  /** The fields of an ordinary token: for USER_EMAIL, with one scope, for two days. */
  readonly ordinary: TokenTerms;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Every token that was made. */
  readonly made: readonly MadeToken[];
  /** That the first token is accepted. It is the control of every token that is not made or refused (outcomes 2). */
  readonly control: Acceptance | undefined;
  ask(action: Action, actor: Actor, token: TokenTerms): Promise<AdministrationAnswer>;
  /** Requests a token with the ordinary fields, except for `changes`. */
  make(actor: Actor, changes?: TokenTerms): Promise<MakeResult>;
  /** Sends a request with a token; with X-Service-ActAs if `actAs` is given. */
  use(made: MadeToken, options: Use): Promise<CheckAnswer>;
  /** The same maker, with the control, for a part of the check that has a list of steps of its own. */
  fork(control: Acceptance): TokenMaker;
}
/** A request with a token that was made. By default to the operation that ordinary tokens cover. */
export interface Use extends Aim {
  readonly on?: Operation | undefined;
  readonly actAs?: string;
  readonly query?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The date (YYYY-MM-DD, UTC) some days after a time in epoch milliseconds. */
export function dateAfter(moment: number, days: number): string {
  return new Date(moment + days * DAY_MS).toISOString().slice(0, 10);
}

export function createTokenMaker(
  api: CheckApi,
  administer: Administer,
  operation: Operation,
  userEmail: string,
): TokenMaker {
  const made: MadeToken[] = [];
  const startedAt = Date.now();
  let count = 0;
  const ordinary: TokenTerms = {
    permission: 'USER',
    scopes: [operation.scope],
    // If the run ends early, the tokens that it leaves behind expire.
    expires: dateAfter(Date.now(), 2),
    userEmail,
  };
  const ask: TokenMaker['ask'] = async (action, actor, token) => {
    const answer = await administer({ action, actor, token });
    if (answer.kind === 'done' && action === 'create') api.created('token', answer.token.id);
    if (answer.kind === 'done' && action === 'revoke') api.removed('token', token.id);
    return answer;
  };
  const makerOn = (api: CheckApi, control: Acceptance | undefined): TokenMaker => ({
    api,
    control,
    fork: (accepted) => makerOn(api.fork(), accepted),
    operation,
    other: api.contract.operations.find(({ id }) => id !== operation.id),
    ordinary,
    startedAt,
    made,
    ask,
    async make(actor, changes = {}) {
      count += 1;
      const what = `conformance test ${(api.seed >>> 0).toString(36)}-${count}`;
      const terms = { ...ordinary, description: what, ...changes };
      const answer = await ask('create', actor, terms);
      if (answer.kind !== 'done') return answer;
      const { secret, token } = answer;
      const problem = secret === undefined ? 'is missing' : tokenProblem(secret);
      if (secret === undefined || problem !== undefined)
        return { kind: 'failed', why: `the secret of the created token ${problem}` };
      const done: MadeToken = {
        kind: 'made',
        secret,
        terms,
        token,
        credential: api.made(secret, `the token "${what}"`),
      };
      made.push(done);
      return done;
    },
    use({ credential, terms }, { on = operation, actAs, query, shows, wanted }) {
      const headers = kindHeaders(api, terms.permission === 'GLOBAL' && actAs !== undefined ? 'GLOBAL' : 'USER', actAs);
      const body = query === undefined ? on.example : { ...on.example, query };
      return api.call({ operation: on, credential, headers, body, shows, wanted });
    },
  });
  return makerOn(api, undefined);
}

/** The record of a token, or why it is not known. */
export type RecordRead =
  | { readonly kind: 'record'; readonly record: TokenRecord }
  /** The administration cannot show records. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /** A failed read is no answer. It says nothing about the record. */
  | { readonly kind: 'lost'; readonly why: string };

/** Reads the current record of a token, and reads it again if that fails. */
export async function recordOf(maker: TokenMaker, made: Pick<MadeToken, 'token'>, retries = 1): Promise<RecordRead> {
  const answer = await maker.ask('read', 'super-admin', { id: made.token.id });
  switch (answer.kind) {
    case 'done':
      return { kind: 'record', record: answer.token };
    case 'unsupported':
      return { kind: 'unsupported', why: answer.why };
    case 'refused':
    case 'failed':
      return retries > 0
        ? recordOf(maker, made, retries - 1)
        : { kind: 'lost', why: `read got no record: ${answer.why}` };
  }
}
