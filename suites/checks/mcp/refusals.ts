import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { actsAs, headerOf } from '../../../harness/contract/contract.ts';
import { addressOf, challenged, covers, resourceBehind } from '../authorization-server/discovery.ts';
import { followsForgery } from '../authorization-server/metadata.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { byOutcome, type Decided, decisionsOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { kindHeaders } from '../shared/refusals.ts';
import {
  acceptanceOf,
  asItIs,
  beginAgain,
  eachClient,
  type Handshake,
  isFirst,
  linesOf,
  takeLeave,
  tell,
  wanted,
} from './handshake.ts';
import { ask, messageOf, type Request, statusOf, type Told, toldIn } from './message.ts';
import { type McpRefusal, tokensOf, WHOLE, withWrongHeader } from './tokens.ts';

/** A request of a client, and that it is accepted. Without that, only the acceptance of what is wrong shows something. */
export interface Place {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly acceptance: Acceptance | undefined;
}

/** Whether a refusal is of the token. Any other status may be of the session, the revision or the message (RFC 6750 3.1). */
export const isOfToken = (told: Told): boolean => [401, 403].includes(statusOf(told) ?? 0);

/** The server may have ended the session, or bound it to another token. A status for tokens is about the token. */
const mayBeOfSession = (place: Omit<Place, 'acceptance'>, told: Told): boolean =>
  isInSession(place) && !isOfToken(told);

const isInSession = ({ handshake, request }: Omit<Place, 'acceptance'>) =>
  handshake.keepsSession && !isFirst(request.operation);

/** Sends a request with what should be refused. In an MCP session that the server has ended, a refusal shows nothing. */
export async function attempt(api: CheckApi, place: Omit<Place, 'acceptance'>, refusal: McpRefusal): Promise<Told> {
  const { handshake, request } = place;
  const { credential, headers } = refusal;
  const send = (client: Handshake) => {
    const lines = linesOf({ ...client, ...(headers && { own: headers }) }, request.operation);
    const message = { ...request, credential, headers: lines, shows: aimOf(place, refusal) };
    return tell(api, { ...message, wanted: 'refused' });
  };
  const told = await send(handshake);
  if (told.kind !== 'refused' || !mayBeOfSession(place, told)) return told;
  const lost = (why: string): Told => ({ kind: 'lost', answer: told.answer, why });
  const fresh = await beginAgain(api, handshake);
  if (!fresh) return lost('no new MCP session began after a refusal that may be of the session');
  const token = { what: WHOLE, credential: fresh.credential };
  const control = await ask(api, wanted(request, token, linesOf(fresh, request.operation)));
  const again =
    control.kind === 'accepted'
      ? await send(fresh)
      : lost(`in a new MCP session, the request with ${WHOLE} is not accepted either (${control.why})`);
  await takeLeave(api, fresh);
  return again;
}

const aimOf = (place: Omit<Place, 'acceptance'>, { what }: McpRefusal) =>
  `${what} is refused for ${place.request.operation.id}${isInSession(place) ? ' in an MCP session' : ''}`;

export function verdictOf(place: Place, refusal: McpRefusal, told: Told): Decided {
  const accepted = fail(told.answer, `${refusal.what} is accepted`);
  return byOutcome(told, { accepted, refused: pass(place.acceptance, aimOf(place, refusal)) });
}

/** Decides on what should be refused. The status of the refusal and its challenge are advice. */
export async function refused(api: CheckApi, place: Place, refusal: McpRefusal): Promise<CheckResult[]> {
  const { operation } = place.request;
  const told = await attempt(api, place, refusal);
  const say = (requirement: string, decided: Decided) =>
    decisionsOn(api, { requirement, operation: operation.id, kind: place.handshake.kind }, decided);
  const decided = verdictOf(place, refusal, told);
  if (told.kind === 'lost' && refusal.requirement === 'mcp.audience')
    return say(refusal.requirement, observed('no answer came'));
  const results = say(refusal.requirement, decided);
  const { what, status } = refusal;
  if (told.kind !== 'refused' || status === undefined) return results;
  const came = statusOf(told);
  const advise = (requirement: string, isRight: boolean, problem: string) =>
    results.push(...say(requirement, isRight ? decided : fail(told.answer, problem)));
  const isFree = mayBeOfSession(place, told) || (status === 401 && mayBeExternal(api, place, told));
  if (!isFree) advise('mcp.status', came === status, `${what} gets ${came}, wanted ${status}`);
  const isLed = challenged(told.answer, 'resource_metadata') !== undefined;
  if (came === 401) advise('mcp.challenge', isLed, `a 401 to ${what} has no resource_metadata`);
  const [scope = ''] = operation.scopes;
  const isNamed =
    challenged(told.answer, 'error') === 'insufficient_scope' &&
    challenged(told.answer, 'scope')?.split(' ').includes(scope) === true;
  if (came === 403 && status === 403)
    advise('mcp.challenge-scope', isNamed, `${what} gets no challenge insufficient_scope that names ${scope}`);
  return results;
}

/** Without X-Service-Auth-Type, a token that nobody knows may be one of another issuer, and then any 4xx says so (spec 7). */
function mayBeExternal({ contract }: CheckApi, { handshake: { own } }: Place, { answer: { text } }: Told): boolean {
  const { name } = headerOf(contract, 'auth-type');
  const messages = Object.values(contract.rules.messages).filter(
    ({ requirement }) => requirement === 'message.auth-type',
  );
  return !own.some(([line]) => line === name) && messages.some((message) => text.includes(message.text));
}

/** The request headers of the client API, on every message. */
export function mcpHeaders(api: CheckApi): Promise<readonly CheckResult[]> {
  return eachClient(api, async (tokens, begun) => {
    const places: Place[] = [];
    for (const tried of begun?.messages ?? []) {
      const acceptance = await acceptanceOf(tried);
      // The check mcp-admission reports a refusal.
      if (begun && acceptance) places.push({ handshake: begun.handshake, request: tried.request, acceptance });
    }
    const results: CheckResult[] = [];
    // A server may end an MCP session after what it refuses. So everything that it accepts comes first.
    for (const place of places) results.push(...(await inLowerCase(api.fork(), place)));
    for (const [at, place] of places.entries()) {
      // Who reads the headers of one message reads those of the others, and of one kind of token those of its family.
      const isFirst = kindsOfFamilies(api).includes(tokens.kind) || actsAs(api.contract, tokens.kind);
      const refusals = withWrongHeader(api, tokens, api.breadth === 'whole' || (isFirst && at === 0) ? 'every' : 'one');
      for (const refusal of refusals) results.push(...(await refused(api.fork(), place, refusal)));
    }
    return results;
  });
}

async function inLowerCase(api: CheckApi, { handshake, request, acceptance }: Place): Promise<CheckResult[]> {
  const { credential, kind } = handshake;
  const { operation } = request;
  const bearer = [api.contract.matrix.headers.authorization.name, `Bearer ${credential?.token}`] as const;
  const lines = [bearer, ...linesOf(handshake, operation)];
  const headers = lines.map(([name, value]) => [name.toLowerCase(), value] as const);
  const shows = `a request with header names in lower case is accepted for ${operation.id}`;
  const told = await tell(api, { ...request, credential, authorization: null, headers, shows, wanted: 'accepted' });
  const decided = byOutcome(told, {
    accepted: pass(acceptance, shows),
    refused: fail(told.answer, 'a request with header names in lower case is refused'),
  });
  return decisionsOn(api, { requirement: 'mcp.header-names', operation: operation.id, kind }, decided);
}

/** What a client finds out that knows only the address of the remote MCP server. */
export async function mcpDiscovery(api: CheckApi): Promise<readonly CheckResult[]> {
  const initialize = asItIs(messageOf(api, 'initialize'));
  for (const kind of api.claims.kinds) {
    const { full: credential } = tokensOf(api, kind);
    if (!credential) continue;
    const control = await tell(api, wanted(initialize, { what: WHOLE, credential }, kindHeaders(api, kind)));
    const acceptance = control.kind === 'accepted' ? await api.acceptance(control.answer) : undefined;
    if (!acceptance) continue;
    const shows = 'a request without a token leads to the metadata of the server';
    const answer = await refusedBare(api, kind, shows);
    const problem = answer && ((await problemOf(api, answer)) ?? (await underForgedHost(api)));
    const decided = typeof problem === 'string' ? fail(answer, problem) : (problem ?? pass(acceptance, shows));
    const unit = { requirement: 'mcp.challenge', operation: 'any', kind };
    return decisionsOn(api, unit, answer ? decided : observed('no request without a token got 401'));
  }
  return [];
}

/** The refusal of a request without a token: the first 401, where everybody may begin. Undefined if nothing gets one. */
async function refusedBare(api: CheckApi, kind: string, shows: string): Promise<CheckAnswer | undefined> {
  const bare = { credential: undefined, shows, wanted: 'refused' } as const;
  const first = await tell(api, { ...asItIs(messageOf(api, 'initialize')), ...bare, headers: [] });
  if (first.kind !== 'accepted') return first.answer;
  const nobody = await beginAgain(api, { kind, own: [], credential: undefined });
  const answers: Told[] = [];
  for (const method of nobody ? ['tools/list', 'tools/call'] : []) {
    const request = asItIs(messageOf(api, method));
    const told = nobody && (await tell(api, { ...request, ...bare, headers: linesOf(nobody, request.operation) }));
    if (told) answers.push(told);
  }
  if (nobody) await takeLeave(api, nobody);
  return answers.find((told) => statusOf(told) === 401)?.answer;
}

/** Where the first message is refused, its challenge leads to the same metadata whatever host somebody names. */
function underForgedHost(api: CheckApi): Promise<Decided | undefined> {
  const message = { ...asItIs(messageOf(api, 'initialize')), credential: undefined, wanted: 'refused' } as const;
  return followsForgery(async (headers, shows) => (await tell(api, { ...message, headers, shows })).answer);
}

/** RFC 9728 5.1 and 3.3: the challenge names metadata, and that describes the resource at whose address it is. */
async function problemOf(api: CheckApi, refused: CheckAnswer): Promise<string | Decided | undefined> {
  const told = toldIn(refused);
  if (told.kind === 'lost') return inconclusive(told.why);
  if (statusOf(told) !== 401) return `a request without a token gets ${statusOf(told)}, wanted 401`;
  const asked = addressOf(api, messageOf(api, 'initialize'));
  const resource = await resourceBehind(api, refused, asked);
  if (!resource) return 'the challenge has no resource_metadata';
  if (resource.lost !== undefined) return inconclusive(resource.lost);
  const isOther = !covers(resource.json?.['resource'], asked);
  const problem = resource.problem ?? (isOther ? 'it names another resource than the remote MCP server' : undefined);
  return problem && `metadata of the resource: ${problem}`;
}
