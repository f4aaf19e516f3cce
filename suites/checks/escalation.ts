import { type Check, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { readIn } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import type { Decided } from './shared/decision.ts';
import { kindHeaders } from './shared/kind-headers.ts';
import { belongsToThirdPerson, type Person, privatePeople } from './shared/private-documents.ts';

/** An unusual way to write X-Service-ActAs. */
interface Writing {
  readonly how: string;
  /** Who is named: the second person, both, or nobody. */
  readonly names: 'one' | 'two' | 'nobody';
  /** The requirement that is broken if a GLOBAL token sees too much this way. Default: `act-as.effective`. */
  readonly breaks?: 'act-as.missing' | 'act-as.unknown';
  readonly lines: (first: string, second: string) => readonly string[];
  readonly header?: (documented: string) => string;
}
const EFFECTIVE = 'act-as.effective';
const WRITINGS: readonly Writing[] = [
  {
    how: 'the header name in lower case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toLowerCase(),
  },
  {
    how: 'the header name in upper case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toUpperCase(),
  },
  { how: 'two lines with the same person', names: 'one', lines: (_, second) => [second, second] },
  { how: 'an empty line and a line with a person', names: 'one', lines: (_, second) => ['', second] },
  { how: 'a line with a person and an empty line', names: 'one', lines: (_, second) => [second, ''] },
  { how: 'two lines with two people', names: 'two', lines: (first, second) => [first, second] },
  { how: 'two lines with the two people swapped', names: 'two', lines: (first, second) => [second, first] },
  { how: 'two people in one line', names: 'two', lines: (first, second) => [`${first}, ${second}`] },
  { how: 'an empty value', names: 'nobody', breaks: 'act-as.missing', lines: () => [''] },
  { how: 'the value *', names: 'nobody', breaks: 'act-as.unknown', lines: () => ['*'] },
];

/** No way to write X-Service-ActAs shows the documents of two people, or those of another person without a GLOBAL token. */
export const escalation: Check = {
  id: 'escalation',
  title: 'No way to name the acting user shows more than one person may see',
  requirements: ['act-as.no-escalation', 'act-as.effective', 'act-as.missing', 'act-as.unknown'],
  intrusive: true,
  async run(api) {
    const people = privatePeople(api);
    const results: CheckResult[] = [];
    // The check `isolation` reports the missing variable.
    if (people.kind === 'missing') return results;
    for (const kind of api.claims.kinds)
      for (const operation of api.contract.operations.slice(0, 2)) {
        const credential = api.full(kind);
        if (!credential) continue;
        const caller = { api, kind, operation, credential, lost: new Set<string>() };
        const found = await (actsAs(api.contract, kind) ? actingAs : ofOneself)(caller, people.USER, people.ACT_AS);
        results.push(...found.map((one) => ({ operation: operation.id, kind, ...one })));
      }
    return results;
  },
};

interface Caller {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
  /** Why a request got no answer after its retries. The others are then not sent: each would take as long. */
  readonly lost: Set<string>;
}
type Found = Decided & Pick<CheckResult, 'requirement'>;
/** The result of a search for one person's private document. */
type Sighting = 'seen' | 'unseen' | 'refused' | 'lost';
/** The lines of X-Service-ActAs, and how its name is written. Without lines the header is not sent. */
type Written = { readonly lines: readonly string[]; readonly header?: Writing['header'] };

const written = ({ lines, header }: Writing, first: Person, second: Person): Written => ({
  lines: lines(first.email, second.email),
  header,
});

/** With a token of another kind than GLOBAL, X-Service-ActAs never shows what the named person may see. */
async function ofOneself(caller: Caller, own: Person, other: Person): Promise<Found[]> {
  const plain = await search(caller, { lines: [] }, other);
  // The header makes no difference if the request is refused, or shows the document, without it.
  if (plain === 'refused' || plain === 'seen') return [];
  const doubt = belongsToThirdPerson(caller.api, caller.kind)
    ? ({ verdict: 'observed', detail: `no private document of $${caller.kind}_EMAIL is known` } as const)
    : await doubtOf(caller, { lines: [] }, own);
  const escalating: string[] = [];
  for (const writing of WRITINGS.filter(({ names }) => names !== 'nobody'))
    if ((await search(caller, written(writing, own, other), other)) === 'seen') escalating.push(writing.how);
  const what = `the ${caller.kind} token showed what only $${other.owner}_EMAIL may see`;
  return [{ requirement: 'act-as.no-escalation', ...decided(caller, escalating, what, doubt) }];
}

/** A GLOBAL token that names two people never runs as both, and one that names nobody never runs as anybody. */
async function actingAs(caller: Caller, first: Person, second: Person): Promise<Found[]> {
  const doubts = [];
  for (const person of [first, second]) doubts.push(await doubtOf(caller, { lines: [person.email] }, person));
  const wrong: Writing[] = [];
  for (const writing of WRITINGS) {
    const sees = async (sought: Person) => (await search(caller, written(writing, first, second), sought)) === 'seen';
    const [ofFirst, ofSecond] = [await sees(first), await sees(second)];
    const tooMuch = { one: ofFirst, two: ofFirst && ofSecond, nobody: ofFirst || ofSecond };
    if (tooMuch[writing.names]) wrong.push(writing);
  }
  const what = `the ${caller.kind} token showed more than one named person may see`;
  const doubt = doubts.find((one) => one !== undefined);
  // A request that names nobody must be refused. If it shows a document, the requirement of that refusal is broken.
  const broken = new Set([EFFECTIVE, ...wrong.map(({ breaks = EFFECTIVE }) => breaks)]);
  return [...broken].map((requirement) => {
    const ways = wrong.filter(({ breaks = EFFECTIVE }) => breaks === requirement).map(({ how }) => how);
    return { requirement, ...decided(caller, ways, what, doubt) };
  });
}

function decided({ api, lost }: Caller, wrong: readonly string[], what: string, doubt: Decided | undefined): Decided {
  const [first, ...others] = wrong;
  const [reason] = lost;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and written in ${others.length} other ways`;
    const { name } = api.contract.matrix.headers['act-as'];
    return { verdict: 'fail', detail: `${what}, with ${name} written as ${first}${more}` };
  }
  if (reason !== undefined) return { verdict: 'inconclusive', detail: reason };
  return doubt ?? { verdict: 'pass', detail: 'no way to name the acting user showed too much' };
}

/** An unseen document proves something only if its owner sees it. Returns undefined if this person does. */
async function doubtOf(caller: Caller, as: Written, person: Person): Promise<Decided | undefined> {
  const { owner } = person;
  const { name } = caller.api.contract.matrix.headers['act-as'];
  const who = `the ${caller.kind} token${as.lines.length === 0 ? '' : ` with ${name}: $${owner}_EMAIL`}`;
  const sighting = await search(caller, as, person);
  switch (sighting) {
    case 'seen':
    // `decided` reports what was lost.
    case 'lost':
      return undefined;
    case 'refused':
      return { verdict: 'inconclusive', detail: `${who} was refused, so nothing was seen` };
    case 'unseen':
      // Where the success body is free, it need not show what was found (outcomes 2).
      return caller.operation.documentsBody
        ? { verdict: 'inconclusive', detail: `${who} did not find $${owner}_PRIVATE_MARKER` }
        : { verdict: 'observed', detail: 'no answer showed a private marker' };
  }
}

/** Searches for one person's private document. */
async function search(caller: Caller, { lines, header }: Written, sought: Person): Promise<Sighting> {
  const { api, kind, operation, credential, lost } = caller;
  if (lost.size > 0) return 'lost';
  const documented = api.contract.matrix.headers['act-as'].name;
  const needed = kindHeaders(api, kind).filter(([name]) => name !== documented);
  const answer = await api.call({
    operation,
    credential,
    headers: [...needed, ...lines.map((line): [string, string] => [header?.(documented) ?? documented, line])],
    body: { ...operation.example, query: sought.query },
  });
  // A refusal must not show it either.
  if (showsMarker(answer, sought.owner)) return 'seen';
  const outcome = readIn(answer, operation);
  switch (outcome.kind) {
    case 'accepted':
      return 'unseen';
    case 'refused':
      return 'refused';
    case 'lost':
      lost.add(outcome.why);
      return 'lost';
  }
}
