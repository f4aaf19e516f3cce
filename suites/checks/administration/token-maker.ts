import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
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
import { kindHeaders } from '../parts/kind-headers.ts';

/** A token that was made, with its credential. */
export interface Made {
  readonly kind: 'made';
  readonly secret: string;
  readonly terms: TokenTerms;
  readonly token: TokenRecord;
  readonly credential: Credential;
}
/** What became of a wish for a token. */
export type Making = Made | Exclude<AdministrationAnswer, { kind: 'done' }>;
/** Where tokens are asked for, and tried on the client API. */
export interface TokenMaker {
  readonly api: CheckApi;
  /** The operation on which tokens are tried, and another one that they do not cover. */
  readonly operation: Operation;
  readonly other: Operation | undefined;
  /** What a token is made of unless something else is said: for the person of USER_EMAIL, with one scope, for two days. */
  readonly ordinary: TokenTerms;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Every token that was made. */
  readonly made: readonly Made[];
  ask(action: Action, actor: Actor, token: TokenTerms): Promise<AdministrationAnswer>;
  make(actor: Actor, changes?: TokenTerms): Promise<Making>;
  /** Sends a request with a token, acting as somebody where one is named. */
  use(made: Made, options?: { on?: Operation | undefined; actAs?: string; query?: string }): Promise<CheckAnswer>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** YYYY-MM-DD, so many days after a moment in epoch milliseconds. */
export function dateAfter(moment: number, days: number): string {
  return new Date(moment + days * DAY_MS).toISOString().slice(0, 10);
}

export function createTokenMaker(
  api: CheckApi,
  administer: Administer,
  operation: Operation,
  userEmail: string,
): TokenMaker {
  const made: Made[] = [];
  let count = 0;
  const ordinary: TokenTerms = {
    permission: 'USER',
    scopes: [operation.scope],
    // Whatever becomes of the run, what it leaves behind comes to an end.
    expires: dateAfter(Date.now(), 2),
    userEmail,
  };
  const ask: TokenMaker['ask'] = (action, actor, token) => administer({ action, actor, token });
  return {
    api,
    operation,
    other: api.contract.operations.find(({ id }) => id !== operation.id),
    ordinary,
    startedAt: Date.now(),
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
      const done: Made = { kind: 'made', secret, terms, token, credential: api.made(secret, `the token "${what}"`) };
      made.push(done);
      return done;
    },
    use({ credential, terms }, { on = operation, actAs, query } = {}) {
      const headers = kindHeaders(api, terms.permission === 'GLOBAL' && actAs !== undefined ? 'GLOBAL' : 'USER', actAs);
      const body = query === undefined ? on.example : { ...on.example, query };
      return api.call({ operation: on, credential, headers, body });
    },
  };
}

/** The record of a token as it is now. */
export async function recordOf(maker: TokenMaker, { token }: Made): Promise<TokenRecord> {
  const answer = await maker.ask('read', 'super-admin', { id: token.id });
  return answer.kind === 'done' ? answer.token : {};
}
