import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { blame, type Decided, fail, inconclusive, notTestable, observed, pass, warn } from '../shared/decision.ts';
import {
  asItIs,
  type Begun,
  begin,
  type Handshake,
  isFirst,
  isOfToken,
  NO_TOOL,
  type Tried,
  takeLeave,
  tell,
  tryOut,
  wanted,
  whyUntried,
} from './handshake.ts';
import { advise, decide, messageOf, scopeRequirement, type Told, wholeServer } from './message.ts';
import { type Attempt, attempted, audience, refused } from './refusals.ts';
import { type McpTokens, tokensOf, unknownToken } from './tokens.ts';

/** Every kind, validity and scope on every message. */
export async function mcpAdmission(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const kind of api.claims.kinds) {
    const tokens = tokensOf(api, kind);
    const { full, variable } = tokens;
    if (full) results.push(...(await ofKind(api, { kind, tokens, full })));
    else
      results.push(
        ...['mcp.token', scopeRequirement(api, kind)].map((id) =>
          decide(api, id, wholeServer(kind), notTestable(variable)),
        ),
        ...advise(api, 'mcp.accepted', wholeServer(kind), notTestable(variable)),
      );
  }
  return results;
}

interface OfKind {
  readonly kind: string;
  readonly tokens: McpTokens;
  readonly full: Credential;
}

async function ofKind(api: CheckApi, { kind, tokens, full }: OfKind): Promise<CheckResult[]> {
  const begun = await begin(api, kind, full);
  if (!begun) return [];
  const { handshake, initialize, call } = begun;
  const doors = await doorsOf(begun);
  // A token that is accepted nowhere may be wrong itself (outcomes 2).
  const isKnownGood = api.trusted || tokens.isAcceptedElsewhere || doors.some(({ acceptance }) => acceptance);
  const closed = doors.filter(({ bare, isPublic }) => bare && !isPublic);
  const results = doors.flatMap((door) => ofDoor(door, { kind, tokens, isKnownGood }));
  // A server reads the tokens of a family in the same way, so that without the whole breadth one kind tries every message.
  const isFirst = kindsOfFamilies(api).includes(kind);
  // Every scope is tried with one message, and one scope with every message.
  for (const door of isFirst ? closed : closed.slice(0, 1)) {
    const withoutMcp = door === closed[0] ? scopesFor(api, kind, tokens.withoutMcp) : tokens.withoutMcp.slice(0, 1);
    const outOfForce = [...tokens.outOfForce, ...(isFirst ? [unknownToken(api)] : [])];
    results.push(...(await refusals(api, { ...tokens, withoutMcp, outOfForce }, { handshake, door })));
  }
  const tool = messageOf(api, 'tools/call');
  if (!call && tool)
    results.push(...advise(api, 'mcp.accepted', { operation: tool.id, kind }, observed(NO_TOOL(tool))));
  const { operation } = initialize.request;
  for (const token of tokens.alsoGood) {
    const tried = await tryOut(api.fork(), wanted(asItIs(operation), token, handshake.own), tell);
    const acceptance = await tried.own.acceptance(tried.found.got.answer);
    const verdict = doors[0]?.isPublic ? observed(PUBLIC) : acceptedVerdict(tried, acceptance, isKnownGood);
    results.push(...advise(tried.own, 'mcp.accepted', { operation: operation.id, kind }, verdict));
  }
  await takeLeave(api.fork(), handshake);
  return results;
}

interface Known extends Pick<OfKind, 'kind' | 'tokens'> {
  readonly isKnownGood: boolean;
}

/** What a request with a good token, and the same request without any, show. */
function ofDoor(door: Door, { kind, tokens, isKnownGood }: Known): CheckResult[] {
  const { own, request, acceptance, isPublic } = door;
  const where = { operation: request.operation.id, kind };
  const accepted = isPublic ? observed(PUBLIC) : acceptedVerdict(door, acceptance, isKnownGood);
  const bare = bareVerdict(door);
  const why = whyUntried(door);
  // What could not be tried is not decided by what other messages show.
  const open =
    why === undefined ? [] : ['mcp.token', ...(tokens.withoutMcp.length > 0 ? [scopeRequirement(own, kind)] : [])];
  return [
    ...advise(own, 'mcp.accepted', where, accepted),
    ...(bare ? [decide(own, 'mcp.token', where, bare)] : []),
    ...open.map((id) => decide(own, id, where, inconclusive(why ?? ''))),
  ];
}

function acceptedVerdict(
  { found: { kind, got }, ...tried }: Tried,
  acceptance: Acceptance | undefined,
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
      return blame(kind, warn(got.answer, 'a token in force that has MCP is refused'));
    case 'lost':
      return inconclusive(got.kind === 'lost' ? got.why : 'no answer came');
  }
}

/** Without the whole breadth, the kinds of a family share the scopes. */
function scopesFor(api: CheckApi, kind: string, scopes: McpTokens['withoutMcp']): McpTokens['withoutMcp'] {
  const familyOf = (name: string) => api.contract.matrix.kinds[name]?.family;
  const sharing = api.breadth === 'whole' ? [kind] : api.claims.kinds.filter((one) => familyOf(one) === familyOf(kind));
  return scopes.filter((_scope, at) => scopes.length < 3 || at % sharing.length === sharing.indexOf(kind));
}

interface Closed {
  readonly handshake: Handshake;
  readonly door: Door;
}

async function refusals(
  api: CheckApi,
  { outOfForce, withoutMcp, otherAudience }: McpTokens,
  { handshake, door: { request, acceptance } }: Closed,
): Promise<CheckResult[]> {
  const attempt = { handshake, request, acceptance };
  const results: CheckResult[] = [];
  for (const token of outOfForce)
    results.push(...(await refused(api.fork(), { ...attempt, token }, { requirement: 'mcp.token', status: 401 })));
  const unscoped = { requirement: scopeRequirement(api, handshake.kind), status: 403 } as const;
  for (const token of withoutMcp) results.push(...(await refused(api.fork(), { ...attempt, token }, unscoped)));
  if (otherAudience) {
    const token = { how: 'a token of the client API', credential: otherAudience };
    results.push(...(await audience(api.fork(), { ...attempt, token })));
  }
  return results;
}

/** A request that was tried with a good token, and then without any. */
export interface Door extends Tried {
  /** Undefined if it was not accepted with the token. */
  readonly bare: Told | undefined;
  readonly acceptance: Acceptance | undefined;
  /**
   * The server takes it from everybody. MCP lets a server have no authorization, so it may let everybody begin and see its
   * tools. A tool runs for a person (spec 5.2), and what wants a token at first wants it with every message.
   */
  readonly isPublic: boolean;
}

export const PUBLIC = 'the server takes this message from everybody, so that no token shows anything';

/** Sends each request that was accepted once more, without a token and, if there is one, in the same MCP session. */
export async function doorsOf({ handshake, initialize, list, call }: Begun): Promise<readonly Door[]> {
  const doors: Door[] = [];
  for (const tried of [initialize, list, ...(call ? [call] : [])]) {
    const { own, request, found } = tried;
    const isAccepted = found.got.kind === 'accepted';
    const bare = isAccepted ? (await attempted(own, { handshake, request, token: NONE })).got : undefined;
    const acceptance = isAccepted ? await own.acceptance(found.got.answer) : undefined;
    const isTool = tried === call;
    const letsBegin = isFirst(request.operation) || doors[0]?.isPublic === true;
    doors.push({ ...tried, bare, acceptance, isPublic: bare?.kind === 'accepted' && letsBegin && !isTool });
  }
  return doors;
}

const NONE: Attempt['token'] = { how: 'a message without a token', credential: undefined };

/** Whether a message without a token is refused. Undefined if that was not tried. */
export function bareVerdict({ bare, acceptance, isPublic }: Door): Decided | undefined {
  if (!bare) return undefined;
  if (isPublic) return observed(PUBLIC);
  switch (bare.kind) {
    case 'accepted':
      return fail(bare.answer, `${NONE.how} is accepted`);
    case 'refused':
      return pass(acceptance, `${NONE.how} is refused`);
    case 'lost':
      return inconclusive(bare.why);
  }
}
