import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Confirmation } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { isInHeader, refusalsOf } from '../shared/refusals.ts';
import {
  begin,
  beginAgain,
  type Handshake,
  isFirst,
  isOfToken,
  linesOf,
  takeLeave,
  tell,
  WHOLE,
  wanted,
} from './handshake.ts';
import {
  advise,
  ask,
  challenged,
  confirmed,
  decide,
  type Lines,
  type Request,
  type scopeRequirement,
  statusOf,
  type Told,
} from './message.ts';
import { type NamedToken, tokensOf } from './tokens.ts';

/** A request with a token that should be refused. */
export interface Attempt {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly token: NamedToken;
}

/** The same beside an acceptance. Without one, only an acceptance of the wrong token shows something. */
interface Proven extends Attempt {
  readonly acceptance: Acceptance | undefined;
}

/** What a wrong token breaks, and the status that it should get. */
interface Wanted {
  readonly requirement: 'mcp.token' | ReturnType<typeof scopeRequirement>;
  readonly status: number;
}

/** That it is refused is a must, for an OAuth token without permission advice. The status and the challenge are advice. */
export async function refused(api: CheckApi, attempt: Proven, { requirement, status }: Wanted): Promise<CheckResult[]> {
  const { handshake, request, token, acceptance } = attempt;
  const { operation } = request;
  const where = { operation: operation.id, kind: handshake.kind };
  const shows = aimOf(attempt);
  const isAdvice = requirement === 'mcp.permission';
  const say = (decided: Decided) =>
    isAdvice ? advise(api, requirement, where, decided) : [decide(api, requirement, where, decided)];
  const { got } = await attempted(api, attempt);
  if (got.kind === 'lost') return say(inconclusive(got.why));
  if (got.kind === 'accepted') return say((isAdvice ? warn : fail)(got.answer, `${token.how} is accepted`));
  const came = statusOf(got);
  const advice = (requirement: string, isRight: boolean, problem: string) =>
    advise(api, requirement, where, isRight ? pass(acceptance, shows) : warn(got.answer, problem));
  const challenge = got.answer.headers['www-authenticate'];
  return [
    ...say(pass(acceptance, shows)),
    ...(mayBeOfSession(attempt, got)
      ? []
      : advice('mcp.status', came === status, `${token.how} gets ${came}, wanted ${status}`)),
    ...(came === 403
      ? advice(
          'mcp.challenge-scope',
          challenged(challenge, 'error') === 'insufficient_scope' && names(challenge, operation.scope),
          `${token.how} gets no challenge insufficient_scope that names ${operation.scope}`,
        )
      : []),
  ];
}

const names = (challenge: string | string[] | undefined, scope: string) =>
  challenged(challenge, 'scope')?.split(' ').includes(scope) === true;

/** RFC 8707 2: a token is for the resource that it was requested for. */
export async function audience(api: CheckApi, attempt: Proven): Promise<CheckResult[]> {
  const where = { operation: attempt.request.operation.id, kind: attempt.handshake.kind };
  const { kind: found, got } = await attempted(api, attempt);
  if (found === 'lost') return advise(api, 'mcp.audience', where, observed('no answer came'));
  const isRight = found === 'right';
  const problem = `${attempt.token.how} is accepted`;
  return advise(
    api,
    'mcp.audience',
    where,
    isRight ? pass(attempt.acceptance, aimOf(attempt)) : warn(got.answer, problem),
  );
}

/**
 * What became of a request that should be refused. In an MCP session that the server has ended, a refusal shows nothing.
 * @param send sends it in the session of this handshake.
 */
async function refusalOf(
  api: CheckApi,
  { handshake, request }: Pick<Attempt, 'handshake' | 'request'>,
  send: (handshake: Handshake) => Promise<Told>,
): Promise<Confirmation<Told>> {
  const found = await confirmed('refused', () => send(handshake));
  if (found.got.kind !== 'refused' || !mayBeOfSession({ handshake, request }, found.got)) return found;
  const { answer } = found.got;
  const lost = (why: string) => ({ kind: 'lost', got: { kind: 'lost', answer, why } }) as const;
  const fresh = await beginAgain(api, handshake);
  if (!fresh) return lost('no new MCP session began after a refusal that may be of the session');
  const token = { how: WHOLE, credential: fresh.credential };
  const control = await ask(api, wanted(request, token, linesOf(fresh, request.operation)));
  const again =
    control.kind === 'accepted'
      ? await confirmed('refused', () => send(fresh))
      : lost(`in a new MCP session, the request with ${WHOLE} is not accepted either (${control.why})`);
  await takeLeave(api, fresh);
  return again;
}

/** The server may have ended the session, or bound it to another token. A status for tokens is about the token. */
function mayBeOfSession({ handshake, request }: Pick<Attempt, 'handshake' | 'request'>, got: Told): boolean {
  return handshake.keepsSession && !isFirst(request.operation) && !isOfToken(got);
}

/** Sends a request with a token that should be refused. */
export function attempted(api: CheckApi, attempt: Attempt): Promise<Confirmation<Told>> {
  const { request, token } = attempt;
  const message = { ...request, credential: token.credential, shows: aimOf(attempt), wanted: 'refused' } as const;
  return refusalOf(api, attempt, (handshake) =>
    tell(api, { ...message, headers: linesOf(handshake, request.operation) }),
  );
}

const aimOf = (attempt: Attempt) =>
  `${attempt.token.how} is refused for ${attempt.request.operation.id}${within(attempt)}`;

/** Whether a request is in an MCP session, in words. */
const within = ({ handshake, request }: Attempt) =>
  handshake.keepsSession && !isFirst(request.operation) ? ' in an MCP session' : '';

/** The request headers of the client API, on every message. */
export async function mcpHeaders(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const kind of api.claims.kinds) {
    const { full } = tokensOf(api, kind);
    const begun = full && (await begin(api, kind, full));
    if (!begun) continue;
    const { handshake, initialize, list, call } = begun;
    const places: Place[] = [];
    for (const { own, request, found } of [initialize, list, ...(call ? [call] : [])]) {
      const acceptance = found.kind === 'right' ? await own.acceptance(found.got.answer) : undefined;
      // The check mcp-admission reports a refusal.
      if (acceptance) places.push({ handshake, request, acceptance });
    }
    // A server may end an MCP session after what it refuses. So everything that it accepts comes first.
    for (const changes of [[LOWER_CASE], lacking(api, kind)])
      for (const place of places)
        for (const change of changes) results.push(...(await onMessage(api.fork(), place, change)));
    await takeLeave(api.fork(), handshake);
  }
  return results;
}

/** A request that was accepted with the documented headers. */
interface Place {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly acceptance: Acceptance;
}

/** Other headers, and what they should get. */
interface Change {
  readonly requirement: 'mcp.header-names' | 'mcp.act-as' | 'mcp.auth-type';
  readonly what: string;
  readonly wanted: 'accepted' | 'refused';
  /** The header lines, that of the token included. */
  readonly change: (lines: Lines) => Lines;
}

const LOWER_CASE: Change = {
  requirement: 'mcp.header-names',
  what: 'header names in lower case',
  wanted: 'accepted',
  change: (lines) => lines.map(([name, value]) => [name.toLowerCase(), value]),
};

/** A wrong or missing header, for which a request to the client API must be refused. */
function lacking(api: CheckApi, kind: string): readonly Change[] {
  const { 'act-as': actAs, 'auth-type': authType } = api.contract.matrix.headers;
  const [operation] = api.contract.operations;
  const refusals = operation ? refusalsOf(api, operation, kind).filter(isInHeader) : [];
  return refusals.map(({ fault, what, headers }) => ({
    requirement: fault === 'act-as' ? 'mcp.act-as' : 'mcp.auth-type',
    what,
    wanted: 'refused',
    change: (lines) => [...lines.filter(([name]) => name !== actAs.name && name !== authType.name), ...headers],
  }));
}

async function onMessage(
  api: CheckApi,
  { handshake, request, acceptance }: Place,
  { requirement, what, wanted, change }: Change,
): Promise<CheckResult[]> {
  const { operation } = request;
  const where = { operation: operation.id, kind: handshake.kind };
  const shows = `a request with ${what} is ${wanted} for ${operation.id}`;
  const send = (current: Handshake): Promise<Told> => {
    const { credential } = current;
    const bearer = [api.contract.matrix.headers.authorization.name, `Bearer ${credential.token}`] as const;
    const headers = change([bearer, ...linesOf(current, operation)]);
    return tell(api, { ...request, credential, authorization: null, headers, shows, wanted });
  };
  const told = wanted === 'accepted' ? await send(handshake) : (await refusalOf(api, { handshake, request }, send)).got;
  if (told.kind === 'lost') return advise(api, requirement, where, inconclusive(told.why));
  const isRight = told.kind === wanted;
  const problem = `a request with ${what} is ${told.kind}`;
  return advise(api, requirement, where, isRight ? pass(acceptance, shows) : warn(told.answer, problem));
}
