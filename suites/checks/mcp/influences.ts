import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { personTexts } from '../../variations/fill.ts';
import { bundlesOf, type Variation } from '../../variations/variation.ts';
import { decisionsOn, fail, pass } from '../shared/decision.ts';
import { type Group, groupsThatPass, smallest } from '../shared/group-testing.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { GIVEN } from '../shared/rounds.ts';
import { sendVaried } from '../shared/send-varied.ts';
import { shows } from '../shared/sightings.ts';
import { describe } from '../shared/vary.ts';
import { linesOf } from './handshake.ts';
import { ACCEPT, type Told, toldIn, withParams } from './message.ts';
import type { Place } from './refusals.ts';
import type { McpRefusal } from './tokens.ts';

// The laws of the client API (outcomes 2), on the remote MCP server: what must be refused is refused, and a tool shows nothing of
// another person, whatever else a call of a tool carries.

/** What a call carries besides: a token that needs no other documented header, or what real servers have obeyed. */
interface Influences {
  /** The call looks for the document of this person, which it must not show. */
  readonly stranger: Person;
  readonly refusals: readonly McpRefusal[];
  /** Without it, only the headers are tried that the specification names. */
  readonly triesAll: boolean;
}
interface Said {
  /** What shows the problem. */
  readonly leak: Group<Variation, CheckAnswer> | undefined;
  readonly problem: string;
  readonly hides: string;
}
type Asked = Pick<McpRefusal, 'what' | 'credential' | 'headers'>;

/** Decides with a call of the tool that searches. */
export async function influences(
  api: CheckApi,
  place: Place,
  { stranger, refusals, triesAll }: Influences,
): Promise<CheckResult[]> {
  const { kind, credential } = place.handshake;
  const telling = triesAll ? tellingFor(api, place, stranger) : [];
  const own = asker(api.fork(), place, stranger, { what: 'a call of a tool', credential });
  const showing = async (items: readonly Variation[]) => {
    const told = await own.ask(items, 'either');
    return shows(told, stranger) ? told.answer : undefined;
  };
  const leaks: Group<Variation, CheckAnswer>[] = [];
  const bundles = bundlesOf([...needlessFor(api, kind, stranger), ...telling]);
  const { groups } = await groupsThatPass(bundles.slice(0, api.breadth === 'whole' ? bundles.length : MOST_BUNDLES), {
    ask: async (items) => {
      const told = await own.ask(items, 'either');
      if (shows(told, stranger)) leaks.push({ items, evidence: told.answer });
      if (told.kind === 'accepted') return told.answer;
      return told.kind === 'lost' ? 'lost' : 'no';
    },
    familiesOf: [({ kind: of }) => of],
    most: MOST_REFUSED,
  });
  const acceptance = groups[0] && (await own.api.acceptance(groups[0].evidence));
  /** Nothing is decided where the server takes nothing else beside a call of a tool. */
  const say = ({ api: one }: typeof own, requirement: string, { leak, problem, hides }: Said): CheckResult[] => {
    if (!leak && !acceptance) return [];
    const found = leak ? fail(leak.evidence, `${problem} with ${describe(leak.items)}`) : pass(acceptance, hides);
    return decisionsOn(one, { requirement, operation: 'any', kind }, found);
  };
  const [leak] = leaks;
  const results: CheckResult[] = [];
  // What shows it without them is reported by the check anyway.
  if (!leak || !(await showing([])))
    results.push(
      ...say(own, 'mcp.isolation', {
        leak: leak && (await smallest(leak, showing)),
        problem: 'a tool shows what only another person may see,',
        hides: 'whatever else a call of a tool carries, it shows nothing of another person',
      }),
    );
  for (const refusal of refusals) {
    const bare = asker(api.fork(), place, stranger, refusal);
    const accepted = async (items: readonly Variation[]) => {
      const told = await bare.ask(items, 'refused');
      return told.kind === 'accepted' ? told.answer : undefined;
    };
    const lifting = await firstOf(groups, accepted);
    // The check mcp-admission reports what is accepted without them.
    if (lifting && (await accepted([]))) continue;
    const problem = `${refusal.what} is accepted`;
    const hides = `whatever else a call of a tool carries, ${refusal.what} is refused`;
    results.push(...say(bare, refusal.requirement, { leak: lifting, problem, hides }));
  }
  return results;
}

/** What a strict server refuses is halved so often. */
const MOST_REFUSED = 20;
/** Each costs a refused token for each refusal. */
const MOST_BUNDLES = 2;

async function firstOf(
  groups: readonly Group<Variation, CheckAnswer>[],
  ask: (items: readonly Variation[]) => Promise<CheckAnswer | undefined>,
): Promise<Group<Variation, CheckAnswer> | undefined> {
  for (const { items } of groups) {
    const evidence = await ask(items);
    if (evidence) return smallest({ items, evidence }, ask);
  }
  return undefined;
}

/** The documented headers that tokens of this kind do not need (spec 5.1). X-Service-ActAs names the other person. */
function needlessFor(api: CheckApi, kind: string, { email }: Person): readonly Variation[] {
  const own = new Set(kindHeaders(api, kind).map(([name]) => name));
  const all = new Map(Object.keys(api.contract.matrix.kinds).flatMap((one) => kindHeaders(api, one, email)));
  return [...all].flatMap(([name, value]) =>
    own.has(name) ? [] : [{ ...GIVEN, id: `needless ${name}`, name, value, isAlone: false, how: `the header ${name}` }],
  );
}

/**
 * What real servers have obeyed, and it names the other person. Fields go beside the query of the tool. A place has the token
 * of the call, also where that has none in Authorization.
 */
function tellingFor(api: CheckApi, { request: { operation } }: Place, { email }: Person): readonly Variation[] {
  const kinds = ['header', 'cookie', 'parameter', 'field', 'place'] as const;
  const all = variationsFor({ ...api, breadth: 'telling' }, operation, kinds, personTexts(email));
  return all.filter(({ isAlone, isRaw, place }) => !isAlone && !isRaw && place !== 'field' && place !== 'form');
}

/** Sends calls of the tool that look for the document of this person. A line of a variation replaces the same one of the call. */
function asker(
  api: CheckApi,
  { handshake, request }: Place,
  { query }: Person,
  { what, credential, headers: own = handshake.own }: Asked,
) {
  const lines = [ACCEPT, ...linesOf({ ...handshake, own }, request.operation)];
  const ask = async (items: readonly Variation[], wanted: 'either' | 'refused'): Promise<Told> => {
    const named = new Set(items.flatMap(({ kind, name }) => (kind === 'header' ? [name.toLowerCase()] : [])));
    const headers = lines.filter(([name]) => !named.has(name.toLowerCase()));
    const fields = items.flatMap(({ kind, name, value }) => (kind === 'field' ? [[name, value] as const] : []));
    const toShow = wanted === 'refused' ? 'is refused' : 'shows nothing of another person';
    const answer = await sendVaried(api, request.operation, {
      base: { credential: credential ?? handshake.credential, headers, ...(credential ? {} : { authorization: null }) },
      variations: items.filter(({ kind }) => kind !== 'field'),
      fields: withParams(request.body, { arguments: { query, ...Object.fromEntries(fields) } }),
      ...{ shows: `${what} with ${describe(items)} ${toShow}`, wanted },
    });
    return toldIn(answer);
  };
  return { api, ask };
}
