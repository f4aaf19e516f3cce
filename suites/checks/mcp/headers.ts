import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { inconclusive, pass, warn } from '../shared/decision.ts';
import { isInHeader, refusalsOf } from '../shared/refusals.ts';
import { begin } from './begin.ts';
import { type Handshake, linesOf, takeLeave, tell } from './handshake.ts';
import type { Lines, Request, Told } from './message.ts';
import { refusalOf } from './refusals.ts';
import { tokensOf } from './tokens.ts';
import { advise, OWN } from './verdicts.ts';

/** The request headers of the client API, on every message. */
export const mcpHeaders: Check = {
  id: 'mcp-headers',
  title: 'The remote MCP server reads the request headers as the client API does',
  requirements: ['mcp.act-as', 'mcp.auth-type', 'mcp.header-names', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
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
  },
};

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
