import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { type Assessment, type Confirmation, confirm } from '../shared/confirm.ts';
import { blame, type Decided, inconclusive, notTestable, pass, warn } from '../shared/decision.ts';
import { type Lines, linesOf, messageOf, type Told, tell } from './message.ts';
import { type Attempt, audience, refused } from './refusals.ts';
import { type McpTokens, type NamedToken, tokensOf, unknownToken } from './tokens.ts';
import { advise, decide, OWN } from './verdicts.ts';

/** Every kind, validity and scope on every message. */
export const mcpAdmission: Check = {
  id: 'mcp-admission',
  title: 'The remote MCP server refuses a token that is out of force or lacks MCP, and accepts the others',
  requirements: ['mcp.token', 'mcp.scope', 'mcp.accepted', 'mcp.status', 'mcp.challenge-scope', 'mcp.audience', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds) {
      const tokens = tokensOf(api, kind);
      const { full, variable } = tokens;
      if (full) results.push(...(await ofKind(api, { kind, tokens, full })));
      else
        results.push(
          ...['mcp.token', 'mcp.scope'].map((id) => decide(api, id, kind, notTestable(variable))),
          ...advise(api, 'mcp.accepted', kind, notTestable(variable)),
        );
    }
    return results;
  },
};

interface OfKind {
  readonly kind: string;
  readonly tokens: McpTokens;
  readonly full: Credential;
}

/** The answer to one message with a valid token. */
interface Admitted {
  readonly operation: Operation;
  readonly own: CheckApi;
  readonly found: Confirmation<Told>;
  readonly acceptance: Acceptance | undefined;
}

async function ofKind(api: CheckApi, { kind, tokens, full }: OfKind): Promise<CheckResult[]> {
  const headers = await linesOf(api.fork(), kind, full);
  const admitted: Admitted[] = [];
  const whole = { how: 'a token with every scope', credential: full };
  for (const operation of api.contract.mcp) admitted.push(await admit(api.fork(), operation, whole, headers));
  // A token that is accepted nowhere may be wrong itself (outcomes 2).
  const isKnownGood = api.trusted || tokens.isAcceptedElsewhere || admitted.some(({ acceptance }) => acceptance);
  const results: CheckResult[] = [];
  for (const { operation, own, found, acceptance } of admitted) {
    results.push(...advise(own, 'mcp.accepted', kind, acceptedVerdict(found, acceptance, isKnownGood)));
    if (acceptance) results.push(...(await refusals(api, tokens, { kind, operation, headers, acceptance })));
  }
  const first = messageOf(api, 'initialize');
  for (const token of tokens.alsoGood) {
    if (!first) continue;
    const { own, found, acceptance } = await admit(api.fork(), first, token, headers);
    results.push(...advise(own, 'mcp.accepted', kind, acceptedVerdict(found, acceptance, isKnownGood)));
  }
  return results;
}

async function admit(
  own: CheckApi,
  operation: Operation,
  { how, credential }: NamedToken,
  headers: Lines,
): Promise<Admitted> {
  const shows = `${how} is accepted for ${operation.id}`;
  const message = { operation, credential, headers, shows, wanted: 'accepted' } as const;
  const found = await confirm(() => tell(own, message), asAccepted);
  const acceptance = found.got.kind === 'accepted' ? await own.acceptance(found.got.answer) : undefined;
  return { operation, own, found, acceptance };
}

function asAccepted({ kind }: Told): Assessment {
  switch (kind) {
    case 'accepted':
      return 'right';
    case 'refused':
      return 'wrong';
    case 'lost':
      return 'lost';
  }
}

function acceptedVerdict(
  { kind, got }: Confirmation<Told>,
  acceptance: Acceptance | undefined,
  isKnownGood: boolean,
): Decided {
  switch (kind) {
    case 'right':
      return pass(acceptance, 'the token is accepted');
    case 'wrong':
    case 'fleeting':
      if (!isKnownGood) return inconclusive('the token is accepted nowhere, so its refusal may be right');
      return blame(kind, warn(got.answer, 'a token in force that has MCP is refused'));
    case 'lost':
      return inconclusive(got.kind === 'lost' ? got.why : 'no answer came');
  }
}

async function refusals(
  api: CheckApi,
  { outOfForce, withoutMcp, otherAudience }: McpTokens,
  attempt: Omit<Attempt, 'token'>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const token of [...outOfForce, unknownToken(api)])
    results.push(...(await refused(api.fork(), { ...attempt, token }, { requirement: 'mcp.token', status: 401 })));
  // Every scope is tried with one message, and one scope with every message.
  const isFirst = attempt.operation === messageOf(api, 'initialize');
  for (const token of isFirst ? withoutMcp : withoutMcp.slice(0, 1))
    results.push(...(await refused(api.fork(), { ...attempt, token }, { requirement: 'mcp.scope', status: 403 })));
  if (otherAudience) {
    const token = { how: 'a token of the client API', credential: otherAudience };
    results.push(...(await audience(api.fork(), { ...attempt, token })));
  }
  return results;
}
