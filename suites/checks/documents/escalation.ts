import { readIn } from '../../../harness/checks/acceptance.ts';
import {
  type Call,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  showsMarker,
} from '../../../harness/checks/check.ts';
import { ACT_AS, actsAs, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { kindsOfFamilies, queryOperations } from '../shared/breadth.ts';
import type { Line } from '../shared/curl-line.ts';
import { type Decided, decideEach, decisionOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { belongsTo, markerOf, type Person, privatePeople } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { type Elsewhere, WRITINGS, type Writing } from './act-as-writings.ts';

const EFFECTIVE = 'act-as.effective';

/** No way to write X-Service-ActAs shows the documents of two people, or those of another person without a GLOBAL token. */
export async function escalation(api: CheckApi): Promise<readonly CheckResult[]> {
  const people = privatePeople(api);
  // The check `isolation` reports the missing variable.
  if (people.kind === 'missing') return [];
  return decideEach(api.claims.kinds, (kind) =>
    decideEach(queryOperations(api.contract), async (operation) => {
      const credential = api.full(kind);
      if (!credential || belongsTo(api, kind) === 'nobody') return [];
      const caller = { api: api.spread(), kind, operation, credential, lost: new Set<string>() };
      const found = await (actsAs(api.contract, kind) ? actingAs : ofOneself)(caller, people.USER, people.ACT_AS);
      return found.map(([requirement, decided]) =>
        decisionOn(caller.api, { requirement, operation: operation.id, kind }, decided),
      );
    }),
  );
}

interface Caller {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
  /** Why a request got no answer after its retries. The others are then not sent: each would take as long. */
  readonly lost: Set<string>;
}
type Found = readonly [requirement: string, decided: Decided];
/** The result of a search for one person's private document. `answer` is undefined if nothing was sent. */
interface Sighting {
  readonly kind: 'seen' | 'unseen' | 'refused' | 'lost';
  readonly answer: CheckAnswer | undefined;
}
/** A writing that showed too much, and the answer that showed it. */
interface Wrong {
  readonly writing: Writing;
  readonly answer: CheckAnswer | undefined;
}
/** The lines of X-Service-ActAs, and how its name is written. Without lines the header is not sent. */
interface Written {
  readonly how: string;
  readonly lines: readonly string[];
  readonly header?: Writing['header'];
  readonly elsewhere?: Elsewhere | undefined;
}

const written = ({ how, lines, header, elsewhere }: Writing, first: Person, second: Person): Written => ({
  how,
  lines: lines(first.email, second.email),
  header,
  elsewhere: elsewhere?.(second.email),
});

/** Every writing, or the telling ones for a slow operation, and for a further kind of a family whose tokens are read alike. */
function writingsFor({ api, kind, operation }: Caller): readonly Writing[] {
  const isRead = actsAs(api.contract, kind) || kindsOfFamilies(api).includes(kind);
  return WRITINGS.filter(({ isTelling }) => isTelling || (!operation.isSlow && isRead));
}

/** With a token of another kind than GLOBAL, X-Service-ActAs never shows what the named person may see. */
async function ofOneself(caller: Caller, own: Person, other: Person): Promise<Found[]> {
  const without: Written = { how: 'no line', lines: [] };
  const plain = await search(caller, without, other);
  // The header makes no difference if the request is refused, or shows the document, without it.
  if (plain.kind === 'refused' || plain.kind === 'seen') return [];
  const right =
    belongsTo(caller.api, caller.kind) === 'third person'
      ? observed(`no private document of $${caller.kind}_EMAIL is known`)
      : await control(caller, without, own);
  const wrong: Wrong[] = [];
  for (const writing of writingsFor(caller).filter(({ names }) => names !== 'nobody')) {
    const as = written(writing, own, other);
    // A token of another kind needs no line, and a line that is refused would hide what else the request does.
    const { kind, answer } = await search(caller, writing.elsewhere ? { ...as, lines: [] } : as, other);
    if (kind === 'seen') wrong.push({ writing, answer });
  }
  const what = `the ${caller.kind} token showed what only $${other.owner}_EMAIL may see`;
  return [['act-as.no-escalation', decide(caller, wrong, what, right)]];
}

/** A GLOBAL token that names two people never runs as both, and one that names nobody never runs as anybody. */
async function actingAs(caller: Caller, first: Person, second: Person): Promise<Found[]> {
  const controls = [];
  for (const person of [first, second])
    controls.push(await control(caller, { how: `$${person.owner}_EMAIL`, lines: [person.email] }, person));
  const wrong: Wrong[] = [];
  for (const writing of writingsFor(caller)) {
    const as = written(writing, first, second);
    const seen: Sighting[] = [];
    for (const person of soughtWith(writing, first, second)) {
      const sighting = await search(caller, as, person);
      if (sighting.kind === 'seen') seen.push(sighting);
      // A request that is refused for its header is refused whatever it searches for.
      if (sighting.kind === 'refused') break;
    }
    if (seen.length > (writing.names === 'two' ? 1 : 0)) wrong.push({ writing, answer: seen[0]?.answer });
  }
  const what = `the ${caller.kind} token showed more than one named person may see`;
  const right = controls.find(({ verdict }) => verdict !== 'pass') ?? controls[0] ?? inconclusive('nobody was named');
  // A request that names nobody must be refused. If it shows a document, the requirement of that refusal is broken.
  const broken = new Set([EFFECTIVE, ...wrong.map(({ writing: { breaks = EFFECTIVE } }) => breaks)]);
  return [...broken].map((requirement) => {
    const ways = wrong.filter(({ writing: { breaks = EFFECTIVE } }) => breaks === requirement);
    return [requirement, decide(caller, ways, what, right)];
  });
}

/** Whose document is searched for with a writing. A search that could not change the verdict is not sent. */
function soughtWith({ names }: Writing, first: Person, second: Person): readonly Person[] {
  switch (names) {
    case 'one':
      return [first];
    case 'first':
      return [second];
    case 'two':
    case 'nobody':
      return [first, second];
  }
}

function decide({ api, lost }: Caller, wrong: readonly Wrong[], what: string, right: Decided): Decided {
  const [first, ...others] = wrong;
  const [reason] = lost;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const { name } = headerOf(api.contract, ACT_AS);
    return fail(first.answer, `${what} (${name}: ${first.writing.how}${more})`);
  }
  return reason === undefined ? right : inconclusive(reason);
}

/** The verdict if nothing is wrong. An unseen document proves something only if its owner sees it. */
async function control(caller: Caller, as: Written, person: Person): Promise<Decided> {
  const { api, kind, operation } = caller;
  const { name } = headerOf(api.contract, ACT_AS);
  const who = `the ${kind} token${as.lines.length === 0 ? '' : ` with ${name}: $${person.owner}_EMAIL`}`;
  const sighting = await search(caller, as, person, 'accepted');
  switch (sighting.kind) {
    case 'seen':
      return pass(
        sighting.answer && (await api.acceptance(sighting.answer)),
        'no way to name the acting user showed too much',
      );
    case 'lost':
      return inconclusive([...caller.lost].join());
    case 'refused':
      return inconclusive(`${who} was refused, so nothing was seen`);
    case 'unseen':
      // Where the success body is free, it need not show what was found (outcomes 2).
      return operation.documentsBody
        ? inconclusive(`${who} did not find ${markerOf(person)}`)
        : observed('no answer showed a private marker');
  }
}

/** Searches for one person's private document. */
async function search(
  caller: Caller,
  { how, lines, header, elsewhere = {} }: Written,
  sought: Person,
  wanted: 'accepted' | 'either' = 'either',
): Promise<Sighting> {
  const { api, kind, operation, credential, lost } = caller;
  if (lost.size > 0) return { kind: 'lost', answer: undefined };
  const documented = headerOf(api.contract, ACT_AS).name;
  const needed = kindHeaders(api, kind).filter(([name]) => name !== documented);
  const expected = wanted === 'accepted' ? 'shows' : 'shows no more than one person may see when it looks for';
  // The check `isolation` sends some of these requests too.
  const call: Call = {
    operation,
    credential,
    headers: [
      ...needed,
      ...lines.map((line): Line => [header?.(documented) ?? documented, line]),
      ...(elsewhere.headers ?? []),
    ],
    query: elsewhere.query ?? '',
    body: { ...operation.example, ...elsewhere.fields, query: sought.query },
    shows: `${operation.id} with the ${kind} token (${documented}: ${how}) ${expected} ${markerOf(sought)}`,
    wanted,
    finds: wanted === 'accepted' ? sought.owner : undefined,
  };
  const answer = await api.callOnce(call, 'same body');
  // A refusal must not show it either.
  if (showsMarker(answer, sought.owner)) return { kind: 'seen', answer };
  const outcome = readIn(answer, operation);
  if (outcome.kind === 'lost') lost.add(outcome.why);
  const unseen = outcome.kind === 'accepted' ? 'unseen' : outcome.kind;
  return { kind: unseen, answer };
}
