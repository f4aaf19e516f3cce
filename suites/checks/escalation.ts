import { type Check, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { readIn } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import type { Decided } from './parts/decision.ts';
import { kindHeaders } from './parts/kind-headers.ts';
import { isSomebodyElses, type Person, privatePeople } from './parts/private-documents.ts';

/** A way to write X-Service-ActAs in the hope that it counts, or counts for more than it says. */
interface Writing {
  readonly how: string;
  /** How many people are named: the second alone, both, or nobody. */
  readonly names: 'one' | 'two' | 'nobody';
  /** What is broken where a GLOBAL token shows too much by it, if not `act-as.effective`. */
  readonly breaks?: 'act-as.missing' | 'act-as.unknown';
  readonly lines: (first: string, second: string) => readonly string[];
  readonly header?: (documented: string) => string;
}
const EFFECTIVE = 'act-as.effective';
const WRITINGS: readonly Writing[] = [
  {
    how: 'the header in lower case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toLowerCase(),
  },
  {
    how: 'the header in upper case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toUpperCase(),
  },
  { how: 'the same name twice', names: 'one', lines: (_, second) => [second, second] },
  { how: 'a blank line and one with a name', names: 'one', lines: (_, second) => ['', second] },
  { how: 'a line with a name and a blank one', names: 'one', lines: (_, second) => [second, ''] },
  { how: 'two lines', names: 'two', lines: (first, second) => [first, second] },
  { how: 'two lines, the other way round', names: 'two', lines: (first, second) => [second, first] },
  { how: 'two names in a line', names: 'two', lines: (first, second) => [`${first}, ${second}`] },
  { how: 'nothing', names: 'nobody', breaks: 'act-as.missing', lines: () => [''] },
  { how: 'a star', names: 'nobody', breaks: 'act-as.unknown', lines: () => ['*'] },
];

/** However X-Service-ActAs is written, it shows nobody more than one person may see, and only a GLOBAL token another's. */
export const escalation: Check = {
  id: 'escalation',
  title: 'However the acting user is written, a request sees what one person may see and no more',
  requirements: ['act-as.no-escalation', 'act-as.effective', 'act-as.missing', 'act-as.unknown'],
  intrusive: true,
  async run(api) {
    const people = privatePeople(api);
    const results: CheckResult[] = [];
    // Without them the check `isolation` says what is missing.
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
  /** Why a request was not answered, after its retries. It speaks for all: nobody waits for each of them. */
  readonly lost: Set<string>;
}
type Found = Decided & Pick<CheckResult, 'requirement'>;
/** What a search for one person's private document came to. */
type Sight = 'seen' | 'unseen' | 'refused' | 'lost';
/** How X-Service-ActAs is written: its lines, none where nobody is named, under its documented name or another. */
type Written = { readonly lines: readonly string[]; readonly header?: Writing['header'] };

const written = ({ lines, header }: Writing, first: Person, second: Person): Written => ({
  lines: lines(first.email, second.email),
  header,
});

/** Beside a token of another kind than GLOBAL no writing shows what the named person may see. */
async function ofOneself(caller: Caller, own: Person, other: Person): Promise<Found[]> {
  const plain = await look(caller, { lines: [] }, other);
  // What is refused, or seen, without the header too is no matter of it.
  if (plain === 'refused' || plain === 'seen') return [];
  const doubt = isSomebodyElses(caller.api, caller.kind)
    ? ({ verdict: 'observed', detail: 'no private document of that person is known' } as const)
    : await doubtOf(caller, { lines: [] }, own);
  const escalating: string[] = [];
  for (const writing of WRITINGS.filter(({ names }) => names !== 'nobody'))
    if ((await look(caller, written(writing, own, other), other)) === 'seen') escalating.push(writing.how);
  const what = `${caller.kind} saw what ${other.owner}_EMAIL may see`;
  return [{ requirement: 'act-as.no-escalation', ...decided(caller, escalating, what, doubt) }];
}

/** A GLOBAL token that names two people runs as one of them, if it runs at all, and as nobody where it names nobody. */
async function actingAs(caller: Caller, first: Person, second: Person): Promise<Found[]> {
  const doubts = [];
  for (const person of [first, second]) doubts.push(await doubtOf(caller, { lines: [person.email] }, person));
  const wrong: Writing[] = [];
  for (const writing of WRITINGS) {
    const sees = async (sought: Person) => (await look(caller, written(writing, first, second), sought)) === 'seen';
    const [ofFirst, ofSecond] = [await sees(first), await sees(second)];
    const tooMuch = { one: ofFirst, two: ofFirst && ofSecond, nobody: ofFirst || ofSecond };
    if (tooMuch[writing.names]) wrong.push(writing);
  }
  const what = `${caller.kind} saw what others than one named person may see`;
  const doubt = doubts.find((one) => one !== undefined);
  // What is shown where nobody is named should have been refused: that is what is broken, and the matrix says so too.
  const broken = new Set([EFFECTIVE, ...wrong.map(({ breaks = EFFECTIVE }) => breaks)]);
  return [...broken].map((requirement) => {
    const ways = wrong.filter(({ breaks = EFFECTIVE }) => breaks === requirement).map(({ how }) => how);
    return { requirement, ...decided(caller, ways, what, doubt) };
  });
}

function decided({ lost }: Caller, wrong: readonly string[], what: string, doubt: Decided | undefined): Decided {
  const [first, ...others] = wrong;
  const [reason] = lost;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and in ${others.length} other ways to write it`;
    return { verdict: 'fail', detail: `${what}, with ${first} as the acting user${more}` };
  }
  if (reason !== undefined) return { verdict: 'inconclusive', detail: reason };
  return doubt ?? { verdict: 'pass', detail: 'however the acting user was written' };
}

/** That a document stays unseen says something only beside a person who sees their own; undefined where this one does. */
async function doubtOf(caller: Caller, as: Written, person: Person): Promise<Decided | undefined> {
  const { owner } = person;
  const who = as.lines.length === 0 ? caller.kind : `acting as ${owner}_EMAIL`;
  const sight = await look(caller, as, person);
  switch (sight) {
    case 'seen':
    // What is lost leaves everything undecided, and is told for all.
    case 'lost':
      return undefined;
    case 'refused':
      return { verdict: 'inconclusive', detail: `${who} was refused, so nothing was seen` };
    case 'unseen':
      // A success body that is free need not show what was found (OUTCOMES 2).
      return caller.operation.documentsBody
        ? { verdict: 'inconclusive', detail: `${who} did not find the private marker of ${owner}` }
        : { verdict: 'observed', detail: 'no marker in any answer' };
  }
}

/** Searches for one person's private document. */
async function look(caller: Caller, { lines, header }: Written, sought: Person): Promise<Sight> {
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
  // Seen is seen, in a refusal as well.
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
