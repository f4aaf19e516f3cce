import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import { type Aim, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import { type Decided, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { kindHeaders } from '../shared/kind-headers.ts';
import { belongsTo, type Owner } from '../shared/private-documents.ts';
import { beginAgain, type Handshake, linesOf, takeLeave } from './handshake.ts';
import { ask, type Request, type Told } from './message.ts';
import { withParams } from './search-tool.ts';
import { tokensOf } from './tokens.ts';
import { advise, wholeServer } from './verdicts.ts';

/** A tool that was called with a good token. */
export interface Tool {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly acceptance: Acceptance;
}

/** A tool finds what its person may see, and nothing that only another person may see (spec 5.2). */
export async function isolation(api: CheckApi, tool: Tool): Promise<CheckResult[]> {
  const { kind } = tool.handshake;
  const [owner, other] = peopleOf(api, kind);
  const mine = searchFor(api, tool, owner);
  const theirs = searchFor(api, tool, other);
  // The check isolation reports which variables are missing, and whose tokens are nobody's.
  if (!mine || !theirs || (owner === 'USER' && belongsTo(api, kind) === 'nobody')) return [];
  const own = api.fork();
  const found = await search(own, tool.handshake, { ...mine, shows: 'a tool finds what only its person may see' });
  const shows = 'a tool does not find what only another person may see';
  const foreign = await search(own, tool.handshake, { ...theirs, shows });
  return [
    ...advise(own, 'mcp.isolation', wholeServer(kind), verdictOn({ found, owner }, { foreign, other }, tool)),
    ...(showsMarker(found.answer, owner) ? await otherPerson(own, tool, { ...mine, owner }) : []),
  ];
}

interface Own {
  readonly found: Told;
  readonly owner: Owner;
}
interface Foreign {
  readonly foreign: Told;
  readonly other: Owner;
}

function verdictOn({ found, owner }: Own, { foreign, other }: Foreign, { acceptance }: Tool): Decided {
  if (showsMarker(foreign.answer, other)) return warn(foreign.answer, 'a tool finds what only another person may see');
  for (const told of [found, foreign]) if (told.kind === 'lost') return inconclusive(told.why);
  // The specification shows no tool, so that one may show less of a document than a search of the client API does.
  if (!showsMarker(found.answer, owner)) return observed('no answer of a tool showed a private marker');
  return pass(acceptance, 'a tool finds only what its person may see');
}

/**
 * In the MCP session of one person, the token of another one. The token says whose request it is, and not the session (MCP
 * 2025-11-25, "Session Hijacking"). The server may refuse it there, or run the tool for that other person.
 */
async function otherPerson(
  api: CheckApi,
  { handshake, acceptance }: Tool,
  { owner, ...mine }: Request & { readonly owner: Owner },
): Promise<CheckResult[]> {
  const elsewhere = handshake.keepsSession ? await strangerTo(api, handshake.kind) : undefined;
  if (!elsewhere) return [];
  const shows = 'in the MCP session of one person, a tool shows nothing of that person to another one';
  const told = await search(api, { ...elsewhere, agreed: handshake.agreed }, { ...mine, shows, wanted: 'either' });
  const decided = showsMarker(told.answer, owner)
    ? warn(
        told.answer,
        `with a token of ${elsewhere.kind}, a tool shows what only the person may see who began the session`,
      )
    : told.kind === 'lost'
      ? inconclusive(told.why)
      : pass(acceptance, shows);
  return advise(api, 'mcp.isolation', wholeServer(handshake.kind), decided);
}

/** A client with the token of another person, of those who have private documents. It is one that the server accepts. */
async function strangerTo(api: CheckApi, kind: string): Promise<Handshake | undefined> {
  const [owner] = peopleOf(api, kind);
  for (const other of api.claims.kinds) {
    const { full: credential } = tokensOf(api, other);
    const [person] = peopleOf(api, other);
    const isKnown = person === 'ACT_AS' || belongsTo(api, other) === 'user';
    if (!credential || !isKnown || person === owner) continue;
    const own = kindHeaders(api, other);
    const elsewhere = await beginAgain(api.fork(), { kind: other, credential, own });
    if (elsewhere) await takeLeave(api.fork(), elsewhere);
    if (elsewhere) return elsewhere;
  }
  return undefined;
}

/** Whose tokens of a kind are, and who else has a private document. */
function peopleOf({ contract }: CheckApi, kind: string): readonly [own: Owner, other: Owner] {
  return actsAs(contract, kind) ? ['ACT_AS', 'USER'] : ['USER', 'ACT_AS'];
}

/** The search for the private document of a person. Undefined if no variable says how to find it. */
function searchFor(api: CheckApi, { request: { operation, body } }: Tool, owner: Owner): Request | undefined {
  const query = api.variable(`${owner}_PRIVATE_QUERY`);
  return query === undefined ? undefined : { operation, body: withParams(body, { arguments: { query } }) };
}

type Search = Request & Pick<Aim, 'shows'> & Partial<Aim>;

function search(api: CheckApi, { credential, ...agreed }: Handshake, request: Search): Promise<Told> {
  return ask(api, { wanted: 'accepted', ...request, credential, headers: linesOf(agreed, request.operation) });
}
