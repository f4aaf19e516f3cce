import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { personTexts } from '../../variations/fill.ts';
import { bundlesOf, unlisted, type Variation } from '../../variations/variation.ts';
import { onePerFamily } from '../shared/breadth.ts';
import type { Caller } from '../shared/caller.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { acceptedWith, staysHidden, staysRefused } from '../shared/vary.ts';
import { withParams } from './message.ts';
import { callerOf, levelled, type ToolCall, wrongly } from './message-caller.ts';
import type { McpRefusal } from './tokens.ts';

/** What a call carries besides: a token that needs no other documented header, or what real servers have obeyed. */
export interface Influences {
  /** The call looks for the document of this person, which it must not show. */
  readonly stranger: Person;
  readonly refusals: readonly McpRefusal[];
  /** Without it, only the headers are tried that the specification names. */
  readonly triesAll: boolean;
}

/**
 * The laws of the client API (outcomes 2), on the remote MCP server: what must be refused is refused, and a tool shows nothing of
 * another person, whatever else a call of a tool carries.
 */
export async function influences(
  api: CheckApi,
  call: ToolCall,
  { stranger, refusals, triesAll }: Influences,
): Promise<CheckResult[]> {
  const message = {
    fields: { query: stranger.query },
    around: (fields: object) => withParams(call.request.body, { arguments: fields }),
  };
  const plain = await callerOf(api, call);
  const caller = { ...plain, stranger, seeks: true, base: { ...plain.base, message } };
  const known = triesAll ? knownFor(api, caller, stranger) : [];
  const bundles = bundlesOf([...needlessFor(api, caller.kind, stranger), ...known]);
  const tried = await acceptedWith(caller, api.breadth === 'whole' ? bundles : bundles.slice(0, MOST_BUNDLES));
  const results = [...(await staysHidden(caller, tried))];
  const sent = { groups: tried.groups, refused: [] };
  for (const refusal of refusals)
    results.push(await staysRefused(caller, wrongly(caller, call.handshake, refusal), sent));
  return levelled(api, results);
}

/** Each costs a refused token for each refusal. */
const MOST_BUNDLES = 2;

/** The documented headers that tokens of this kind do not need (spec 5.1). X-Service-ActAs names the other person. */
function needlessFor(api: CheckApi, kind: string, { email }: Person): readonly Variation[] {
  const own = new Set(kindHeaders(api, kind).map(([name]) => name));
  const all = new Map(Object.keys(api.contract.matrix.kinds).flatMap((one) => kindHeaders(api, one, email)));
  return [...all].flatMap(([name, value]) =>
    own.has(name) ? [] : [unlisted(`the header ${name}`, { id: `needless ${name}`, name, value })],
  );
}

/**
 * What real servers have obeyed, and it names the other person. Fields go beside the query of the tool. Only the client API has
 * advice on tokens in a body (RFC 6750 2.2).
 */
function knownFor(api: CheckApi, { operation, kind }: Caller, { email }: Person): readonly Variation[] {
  // A server reads the tokens of a family in the same way.
  const breadth = onePerFamily(api).includes(kind) ? api.breadth : 'telling';
  const kinds = ['header', 'cookie', 'parameter', 'field', 'place'] as const;
  const all = variationsFor(api, operation, kinds, { texts: personTexts(email), breadth });
  return all.filter(({ isAlone, isRaw, place }) => !isAlone && !isRaw && place !== 'field' && place !== 'form');
}
