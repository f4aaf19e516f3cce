import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { personTexts } from '../../variations/fill.ts';
import { bundlesOf, type Variation } from '../../variations/variation.ts';
import type { Caller } from '../shared/caller.ts';
import { byLevel } from '../shared/decision.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { GIVEN } from '../shared/rounds.ts';
import type { Base } from '../shared/send-varied.ts';
import { acceptedWith, staysHidden, staysRefused } from '../shared/vary.ts';
import { type Handshake, linesOf } from './handshake.ts';
import { ACCEPT, type Lines, type Request, toldIn, whyLost, withParams } from './message.ts';
import type { McpRefusal } from './tokens.ts';

export interface ToolCall {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly accepted: CheckAnswer;
}

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
  { handshake, request, accepted }: ToolCall,
  { stranger, refusals, triesAll }: Influences,
): Promise<CheckResult[]> {
  const { operation, body } = request;
  const { kind, credential, own } = handshake;
  const baseWith = (lines: Lines): Omit<Base, 'credential'> => ({
    headers: [ACCEPT, ...linesOf({ ...handshake, own: lines }, operation)],
    message: { fields: { query: stranger.query }, around: (fields) => withParams(body, { arguments: fields }) },
  });
  const caller: Caller = {
    ...{ api: api.spread(), operation, kind, stranger },
    ...{ base: { credential, ...baseWith(own) }, like: accepted, control: await api.acceptance(accepted) },
    protocol: { serves: (answer) => toldIn(answer).kind === 'accepted', whyLost, isolation: 'mcp.isolation' },
  };
  const telling = triesAll ? tellingFor(api, request, stranger) : [];
  const bundles = bundlesOf([...needlessFor(api, kind, stranger), ...telling]);
  const tried = await acceptedWith(caller, api.breadth === 'whole' ? bundles : bundles.slice(0, MOST_BUNDLES));
  const results = [...(await staysHidden(caller, tried))];
  const { groups } = tried;
  for (const { credential: other, headers = own, requirement, what } of refusals) {
    // A place has the token of the call, also where that has none in Authorization.
    const bare = other ? {} : { credential, authorization: null };
    const base = { credential: other, ...baseWith(headers), ...bare };
    results.push(await staysRefused(caller, { ...base, requirement, what, kind }, { groups, refused: [] }));
  }
  return results.flatMap((one) => byLevel(api, one));
}

/** Each costs a refused token for each refusal. */
const MOST_BUNDLES = 2;

/** The documented headers that tokens of this kind do not need (spec 5.1). X-Service-ActAs names the other person. */
function needlessFor(api: CheckApi, kind: string, { email }: Person): readonly Variation[] {
  const own = new Set(kindHeaders(api, kind).map(([name]) => name));
  const all = new Map(Object.keys(api.contract.matrix.kinds).flatMap((one) => kindHeaders(api, one, email)));
  return [...all].flatMap(([name, value]) =>
    own.has(name) ? [] : [{ ...GIVEN, id: `needless ${name}`, name, value, isAlone: false, how: `the header ${name}` }],
  );
}

/**
 * What real servers have obeyed, and it names the other person. Fields go beside the query of the tool. Only the client API has
 * advice on tokens in a body (RFC 6750 2.2).
 */
function tellingFor(api: CheckApi, { operation }: Request, { email }: Person): readonly Variation[] {
  const kinds = ['header', 'cookie', 'parameter', 'field', 'place'] as const;
  const all = variationsFor(api, operation, kinds, { texts: personTexts(email), breadth: 'telling' });
  return all.filter(({ isAlone, isRaw, place }) => !isAlone && !isRaw && place !== 'field' && place !== 'form');
}
