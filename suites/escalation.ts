import { type Check, type CheckApi, type CheckResult, showsMarker } from '../harness/check.ts';
import type { Credential } from '../harness/credentials.ts';
import type { Operation } from '../harness/operations.ts';
import { kindHeaders } from './kind-headers.ts';

/** A person whose private document a query finds. */
interface Person {
  readonly owner: 'ACT_AS' | 'USER';
  readonly email: string;
  readonly query: string;
}
/** A way to write X-Service-ActAs in the hope that it counts, or counts for more than it says. */
interface Writing {
  readonly how: string;
  /** How many people are named: the second alone, both, or nobody. */
  readonly names: 'one' | 'two' | 'nobody';
  readonly lines: (first: string, second: string) => readonly string[];
  readonly header?: (documented: string) => string;
}
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
  { how: 'nothing', names: 'nobody', lines: () => [''] },
  { how: 'a star', names: 'nobody', lines: () => ['*'] },
];

/** However X-Service-ActAs is written, it shows nobody more than one person may see, and only a GLOBAL token another's. */
export const escalation: Check = {
  id: 'escalation',
  title: 'However the acting user is written, a request sees what one person may see and no more',
  requirements: ['act-as.no-escalation', 'act-as.effective'],
  intrusive: true,
  async run(api) {
    const [acted, user] = [person(api, 'ACT_AS'), person(api, 'USER')];
    const results: CheckResult[] = [];
    // Without them the check `isolation` says what is missing.
    if (!acted || !user) return results;
    for (const kind of api.claims.kinds)
      for (const operation of api.contract.operations.slice(0, 2)) {
        const credential = api.full(kind);
        if (!credential) continue;
        const acts = api.contract.matrix.kinds[kind]?.neutral['act-as'] !== 'absent';
        const found = await (acts ? actingAs : ofOneself)({ api, kind, operation, credential }, user, acted);
        if (found !== undefined) results.push({ operation: operation.id, kind, ...found });
      }
    return results;
  },
};

interface Caller {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
}
type Found = Pick<CheckResult, 'requirement' | 'verdict' | 'detail'>;

/** Beside a token of another kind than GLOBAL no writing shows what the named person may see. */
async function ofOneself(caller: Caller, own: Person, other: Person): Promise<Found | undefined> {
  // What is refused, or seen, without the header too is no matter of it.
  const plain = await look(caller, undefined, other, own, other);
  if (plain.refused || plain.sees) return undefined;
  const escalating: string[] = [];
  for (const writing of WRITINGS.filter(({ names }) => names !== 'nobody'))
    if ((await look(caller, writing, other, own, other)).sees) escalating.push(writing.how);
  return decided('act-as.no-escalation', escalating, `${caller.kind} saw what ${other.owner}_EMAIL may see`);
}

/** A GLOBAL token that names two people runs as one of them, if it runs at all, and as nobody where it names nobody. */
async function actingAs(caller: Caller, first: Person, second: Person): Promise<Found> {
  const wrong: string[] = [];
  for (const writing of WRITINGS) {
    const sees = async (sought: Person) => (await look(caller, writing, sought, first, second)).sees;
    const [ofFirst, ofSecond] = [await sees(first), await sees(second)];
    const tooMuch = { one: ofFirst, two: ofFirst && ofSecond, nobody: ofFirst || ofSecond };
    if (tooMuch[writing.names]) wrong.push(writing.how);
  }
  return decided('act-as.effective', wrong, `${caller.kind} saw what others than one named person may see`);
}

function decided(requirement: string, wrong: readonly string[], what: string): Found {
  const [first, ...others] = wrong;
  if (first === undefined) return { requirement, verdict: 'pass', detail: 'however the acting user was written' };
  const more = others.length === 0 ? '' : `, and in ${others.length} other ways to write it`;
  return { requirement, verdict: 'fail', detail: `${what}, with ${first} as the acting user${more}` };
}

/** Whether a search for one person's private document shows it. */
async function look(
  { api, kind, operation, credential }: Caller,
  writing: Writing | undefined,
  sought: Person,
  first: Person,
  second: Person,
): Promise<{ sees: boolean; refused: boolean }> {
  const documented = api.contract.matrix.headers['act-as'].name;
  const needed = kindHeaders(api, kind).filter(([name]) => name !== documented);
  const lines = writing?.lines(first.email, second.email) ?? [];
  const answer = await api.call({
    operation,
    credential,
    headers: [...needed, ...lines.map((line): [string, string] => [writing?.header?.(documented) ?? documented, line])],
    body: { ...operation.example, query: sought.query },
  });
  return { sees: showsMarker(answer, sought.owner), refused: !answer.accepted };
}

function person(api: CheckApi, owner: Person['owner']): Person | undefined {
  const [email, query] = [api.variable(`${owner}_EMAIL`), api.variable(`${owner}_PRIVATE_QUERY`)];
  return email === undefined || query === undefined ? undefined : { owner, email, query };
}
