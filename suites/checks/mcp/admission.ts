import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { kindsOfFamilies, onePerFamily } from '../shared/breadth.ts';
import {
  blame,
  type Decided,
  decisionsOn,
  fail,
  inconclusive,
  notTestable,
  observed,
  pass,
} from '../shared/decision.ts';
import {
  acceptanceOf,
  asItIs,
  type Begun,
  beginAgain,
  eachClient,
  endSession,
  isFirst,
  linesOf,
  noTool,
  type Tried,
  takeLeave,
  tell,
  tryOut,
  wanted,
  whyUntried,
} from './handshake.ts';
import { mcpSideDoors } from './laws.ts';
import { messageOf, statusOf, type Told } from './message.ts';
import { attempt, isOfToken, type Place, refused, verdictOf } from './refusals.ts';
import {
  forgedFrom,
  type McpRefusal,
  type McpTokens,
  scopeRequirement,
  WHOLE,
  withoutBearer,
  withoutToken,
} from './tokens.ts';

/** Every kind, validity and scope on every message. */
export function mcpAdmission(api: CheckApi): Promise<readonly CheckResult[]> {
  return eachClient(api, async (tokens, begun) => {
    const { kind, variable } = tokens;
    if (begun) return ofClient(api, tokens, begun);
    return ['mcp.token', scopeRequirement(api, kind), 'mcp.accepted'].flatMap((requirement) =>
      decisionsOn(api, { requirement, operation: 'any', kind }, notTestable(variable)),
    );
  });
}

async function ofClient(api: CheckApi, tokens: McpTokens, begun: Begun): Promise<CheckResult[]> {
  const { kind } = tokens;
  const { handshake, initialize, call } = begun;
  const [none, unknown] = withoutToken(api, kind);
  if (!none || !unknown) return [];
  const doors = await doorsOf(begun, none);
  // A token that is accepted nowhere may be wrong itself (outcomes 2).
  const isKnownGood = api.trusted || tokens.isAcceptedElsewhere || doors.some(({ acceptance }) => acceptance);
  const results = doors.flatMap((door) => ofDoor(door, tokens, isKnownGood));
  // A server reads the tokens of a family in the same way, so that without the whole breadth one kind tries every message.
  const triesAll = kindsOfFamilies(api).includes(kind);
  const closed = doors.filter(({ bare, isPublic }) => bare && !isPublic);
  // Every scope is tried with one message, and one scope with every message.
  const held = new Map<string, McpRefusal>();
  for (const [at, { request, acceptance }] of (triesAll ? closed : closed.slice(0, 1)).entries()) {
    const withoutMcp = at === 0 ? scopesFor(api, tokens) : tokens.withoutMcp.slice(0, 1);
    const forged = at === 0 ? forgedFrom(api, tokens) : [];
    const invalid = [...tokens.outOfForce, ...forged, ...(triesAll ? [unknown, ...withoutBearer(api, tokens)] : [])];
    for (const refusal of [...invalid, ...withoutMcp, ...tokens.otherAudience]) {
      const decided = await refused(api.fork(), { handshake, request, acceptance }, refusal);
      results.push(...decided);
      // Who takes one form of a call takes it with the tokens of any requirement.
      const isHeld = request === call?.request && decided[0]?.verdict === 'pass' && refusal.headers === undefined;
      if (isHeld && !held.has(refusal.requirement)) held.set(refusal.requirement, refusal);
    }
  }
  const ofCall = closed.find(({ request }) => request === call?.request);
  const trying = api.breadth === 'whole' ? onePerFamily(api) : api.claims.kinds.slice(0, 1);
  const tried = trying.includes(kind) ? [...(kind === trying[0] ? [none] : []), ...held.values()] : [];
  if (ofCall?.bare?.told.kind === 'refused') {
    const accepted = { handshake, request: ofCall.request, accepted: ofCall.found.got.answer };
    results.push(...(await mcpSideDoors(api, accepted, tried, { ...begun, isPublic: doors[0]?.isPublic === true })));
  }
  if (triesAll) results.push(...(await notEnded(api.fork(), begun, none)));
  const accepted = (operation: string) => ({ requirement: 'mcp.accepted', operation, kind });
  if (!call) results.push(...decisionsOn(api, accepted(messageOf(api, 'tools/call').id), observed(noTool(api))));
  const { operation } = initialize.request;
  for (const token of tokens.alsoGood) {
    const tried = await tryOut(api.fork(), wanted(asItIs(operation), token, handshake.own), tell);
    const verdict = acceptedVerdict({ ...tried, acceptance: await acceptanceOf(tried) }, isKnownGood);
    results.push(...decisionsOn(tried.own, accepted(operation.id), doors[0]?.isPublic ? observed(PUBLIC) : verdict));
  }
  return results;
}

/** Nobody ends the MCP session of somebody without a token (spec 5.1). A server may end one after a refusal. */
async function notEnded(api: CheckApi, { handshake, list }: Begun, { what }: McpRefusal): Promise<CheckResult[]> {
  const fresh = handshake.keepsSession ? await beginAgain(api, handshake) : undefined;
  if (!fresh?.keepsSession) return [];
  const shows = `${what} does not end the MCP session of the ${fresh.kind} token`;
  const answer = await endSession(api, { ...fresh, credential: undefined }, shows);
  const { operation } = list.request;
  const again = { what: WHOLE, credential: handshake.credential };
  const tried = await tryOut(api, wanted(list.request, again, linesOf(fresh, operation)));
  const isEnded = tried.found.kind === 'wrong' && !isOfToken(tried.found.got) && isSuccess(answer);
  await takeLeave(api, fresh);
  if (!isEnded && tried.found.kind !== 'right') return [];
  const ended = fail(answer, `${what} ended the MCP session of the ${fresh.kind} token`);
  const decided = isEnded ? ended : pass(await acceptanceOf(tried), shows);
  return decisionsOn(api, { requirement: 'mcp.token', operation: operation.id, kind: fresh.kind }, decided);
}

const isSuccess = (answer: CheckAnswer): boolean => Math.floor((statusOf({ answer }) ?? 0) / 100) === 2;

/** A request that was tried with a good token, and then without any. */
interface Door extends Tried {
  /** Undefined if it was not accepted with the token. */
  readonly bare: { readonly told: Told; readonly decided: Decided } | undefined;
  readonly acceptance: Acceptance | undefined;
  /**
   * The server takes it from everybody. MCP lets a server have no authorization, so it may let everybody begin and see its
   * tools. A tool runs for a person (spec 5.2), and what wants a token at first wants it with every message.
   */
  readonly isPublic: boolean;
}

const PUBLIC = 'the server takes this message from everybody, so that no token shows anything';

/** Sends each request that was accepted once more, without a token and, if there is one, in the same MCP session. */
async function doorsOf({ handshake, messages, call }: Begun, none: McpRefusal): Promise<readonly Door[]> {
  const doors: Door[] = [];
  for (const tried of messages) {
    const { own, request, found } = tried;
    const isAccepted = found.got.kind === 'accepted';
    const told = isAccepted ? await attempt(own, { handshake, request }, none) : undefined;
    const acceptance = await acceptanceOf(tried);
    const letsBegin = isFirst(request.operation) || doors[0]?.isPublic === true;
    const isPublic = told?.kind === 'accepted' && letsBegin && tried !== call;
    const place = { handshake, request, acceptance };
    const isRefused = told?.kind === 'refused' && doors[0]?.isPublic === true;
    const begun = isRefused ? await inOwnSession(own, place, none) : undefined;
    const bare = told && { told, decided: verdictOf(place, none, begun ?? told) };
    doors.push({ ...tried, bare, acceptance, isPublic });
  }
  return doors;
}

/** Where everybody may begin, the same request in an MCP session that nobody's token began. Undefined without such sessions. */
async function inOwnSession(
  api: CheckApi,
  { handshake: { kind, own }, request }: Place,
  { what }: McpRefusal,
): Promise<Told | undefined> {
  const nobody = await beginAgain(api, { kind, own, credential: undefined });
  if (!nobody?.keepsSession) return undefined;
  const shows = `${what} is refused for ${request.operation.id} in an MCP session that nobody's token began`;
  const headers = linesOf(nobody, request.operation);
  const told = await tell(api, { ...request, credential: undefined, headers, shows, wanted: 'refused' });
  await takeLeave(api, nobody);
  return told.kind === 'accepted' ? told : undefined;
}

/** What a request with a good token, and the same request without any, show. */
function ofDoor(door: Door, { kind, withoutMcp }: McpTokens, isKnownGood: boolean): CheckResult[] {
  const { own, request, bare, isPublic } = door;
  const say = (requirement: string, decided: Decided) =>
    decisionsOn(own, { requirement, operation: request.operation.id, kind }, isPublic ? observed(PUBLIC) : decided);
  const why = whyUntried(door);
  // What could not be tried is not decided by what other messages show.
  const open = why === undefined ? [] : ['mcp.token', ...(withoutMcp.length > 0 ? [scopeRequirement(own, kind)] : [])];
  return [
    ...say('mcp.accepted', acceptedVerdict(door, isKnownGood)),
    ...(bare ? say('mcp.token', bare.decided) : []),
    ...open.flatMap((id) => say(id, inconclusive(why ?? ''))),
  ];
}

function acceptedVerdict(
  { found: { kind, got }, acceptance, ...tried }: Tried & Pick<Door, 'acceptance'>,
  isKnownGood: boolean,
): Decided {
  switch (kind) {
    case 'right':
      return pass(acceptance, 'the token is accepted');
    case 'wrong':
    case 'fleeting':
      if (!isKnownGood) return inconclusive('the token is accepted nowhere, so its refusal may be right');
      // Any other refusal may be of something that the suite and the server do not agree on.
      if (!isOfToken(got)) return inconclusive(whyUntried({ ...tried, found: { kind, got } }) ?? '');
      return blame(kind, fail(got.answer, 'a token in force that has MCP is refused'));
    case 'lost':
      return inconclusive(got.kind === 'lost' ? got.why : 'no answer came');
  }
}

/** Without the whole breadth, the kinds of a family share the scopes. */
function scopesFor(api: CheckApi, { kind, withoutMcp }: McpTokens): readonly McpRefusal[] {
  const familyOf = (name: string) => api.contract.matrix.kinds[name]?.family;
  const sharing = api.breadth === 'whole' ? [kind] : api.claims.kinds.filter((one) => familyOf(one) === familyOf(kind));
  return withoutMcp.filter((_one, at) => withoutMcp.length < 3 || at % sharing.length === sharing.indexOf(kind));
}
