import {
  type Call,
  type Check,
  type CheckAnswer,
  type CheckResult,
  showsMarker,
} from '../../../harness/checks/check.ts';
import { type CheckOutcome, readIn } from '../../../harness/checks/outcome.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import { queryOperations } from '../shared/breadth.ts';
import { confirm } from '../shared/confirm.ts';
import { cookiesSetBy } from '../shared/cookies.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { kindHeaders } from '../shared/kind-headers.ts';
import { belongsTo, markerOf, type Owner, type Person, privatePeople } from '../shared/private-documents.ts';
import { type Caller, type Circumstance, circumstancesOf, cookiesOf } from './circumstance-list.ts';

/** Whose data a request shows depends on its token and on X-Service-ActAs of a GLOBAL token, and on nothing else (spec 5.2). */
export const circumstances: Check = {
  id: 'circumstances',
  title: 'No documented header, field, query or token changes whose documents are shown',
  requirements: ['user.isolation', 'act-as.no-escalation', 'act-as.effective'],
  intrusive: false,
  async run(api) {
    const people = privatePeople(api);
    // The check `isolation` reports the missing variable.
    if (people.kind === 'missing') return [];
    const controlled: Controlled[] = [];
    for (const kind of api.claims.kinds)
      for (const operation of queryOperations(api.contract)) {
        const credential = api.full(kind);
        const isActing = actsAs(api.contract, kind);
        if (!credential || (!isActing && belongsTo(api, kind) === 'nobody')) continue;
        const [own, other] = isActing ? [people.ACT_AS, people.USER] : [people.USER, people.ACT_AS];
        controlled.push(await control({ api: api.fork(), kind, operation, credential, isActing, own, other }));
      }
    const cookies = new Map(controlled.flatMap(({ caller, cookie }) => (cookie ? [[caller.own.owner, cookie]] : [])));
    const results: CheckResult[] = [];
    for (const one of controlled) results.push(...(await decide(one, cookies)));
    return results;
  },
};

const NEUTRAL: Circumstance = { how: 'nothing else' };

/** The searches of a token in its neutral form. */
interface Controlled {
  readonly caller: Caller;
  /** What is decided if no circumstance changes anything. */
  readonly right: Decided;
  /** Whether the neutral request is accepted and hides the document of the other person. The check `isolation` decides that. */
  readonly hides: boolean;
  readonly findsOwn: boolean;
  readonly cookie: string | undefined;
}

async function control(caller: Caller): Promise<Controlled> {
  const { api, kind, operation, own, other } = caller;
  const foreign = await search(caller, NEUTRAL, { sought: other, wanted: 'accepted' });
  const mine = await search(caller, NEUTRAL, { sought: own, wanted: 'accepted' });
  const hides = [foreign, mine].every(({ outcome }) => outcome.kind === 'accepted') && !shows(foreign, other);
  const right = async (): Promise<Decided> => {
    if (mine.outcome.kind === 'lost') return inconclusive(mine.outcome.why);
    if (!caller.isActing && belongsTo(api, kind) === 'third person')
      return observed(`no private document of $${kind}_EMAIL is known`);
    if (shows(mine, own))
      return pass(await api.acceptance(mine.answer), 'nothing that was sent along changed whose documents were shown');
    return operation.documentsBody
      ? inconclusive(`the ${kind} token did not find ${markerOf(own)}`)
      : observed('no answer showed a private marker');
  };
  const cookie = cookiesSetBy(api, mine.answer, cookiesOf(own)) ?? cookiesSetBy(api, foreign.answer, cookiesOf(own));
  return { caller, right: await right(), hides, findsOwn: shows(mine, own), cookie };
}

/** What a circumstance changed: the requirement that it broke, and the answer that showed it. */
interface Changed {
  readonly requirement: string;
  readonly decided: Decided;
}

async function decide(
  { caller, right, hides, findsOwn }: Controlled,
  cookies: ReadonlyMap<Owner, string>,
): Promise<CheckResult[]> {
  const { api, kind, operation, isActing } = caller;
  if (!hides) return [];
  const changed: Changed[] = [];
  let lost: string | undefined;
  for (const circumstance of circumstancesOf(caller, cookies)) {
    const found = await tryCircumstance(caller, circumstance, findsOwn);
    changed.push(...found.changed);
    lost ??= found.lost;
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (lost !== undefined) break;
  }
  const requirements = isActing ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => {
    const found = changed.flatMap((one) => (one.requirement === requirement ? [one.decided] : []));
    // What came once and not again does not hide what is wrong for sure.
    const broken = found.find(({ verdict }) => verdict === 'fail') ?? found[0];
    return decisionOn(
      api,
      { requirement, operation: operation.id, kind },
      broken ?? (lost === undefined ? right : inconclusive(lost)),
    );
  });
}

async function tryCircumstance(
  caller: Caller,
  circumstance: Circumstance,
  findsOwn: boolean,
): Promise<{ readonly changed: readonly Changed[]; readonly lost: string | undefined }> {
  const { kind, operation, own, other, isActing } = caller;
  const requirement = isActing ? 'act-as.effective' : 'user.isolation';
  const who = `with the ${kind} token and ${circumstance.how}`;
  const leak = ({ answer }: Sighting, broken: string, also = '') => ({
    changed: [{ requirement: broken, decided: fail(answer, `${who}${also}, ${markerOf(other)} was returned`) }],
    lost: undefined,
  });
  // A token that names nobody by itself must not run as the person that X-Service-ActAs names.
  const named = isActing ? undefined : await search(caller, circumstance, { sought: other, named: other });
  const isEnough = named?.outcome.kind === 'accepted' && !shows(named, other);
  const seen = isEnough ? named : await search(caller, circumstance, { sought: other });
  if (shows(seen, other)) return leak(seen, requirement);
  const { name } = caller.api.contract.matrix.headers['act-as'];
  if (named && shows(named, other)) return leak(named, 'act-as.no-escalation', ` and ${name}: $${other.owner}_EMAIL`);
  if (seen.outcome.kind === 'lost') return { changed: [], lost: seen.outcome.why };
  // A chat need not show what was found (outcomes 2).
  if (!circumstance.findsOwn || !findsOwn || !operation.documentsBody) return { changed: [], lost: undefined };
  const { kind: confirmed, got } = await confirm(
    () => search(caller, circumstance, { sought: own }),
    (sighting) => {
      if (sighting.outcome.kind === 'lost') return 'lost';
      return sighting.outcome.kind === 'accepted' && !shows(sighting, own) ? 'wrong' : 'right';
    },
  );
  if (confirmed === 'right') return { changed: [], lost: undefined };
  if (got.outcome.kind === 'lost') return { changed: [], lost: got.outcome.why };
  const missing = fail(
    got.answer,
    `${who}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}; without, it did`,
  );
  return {
    changed: [{ requirement, decided: blame(confirmed === 'wrong' ? 'wrong' : 'fleeting', missing) }],
    lost: undefined,
  };
}

interface Sighting {
  readonly answer: CheckAnswer;
  readonly outcome: CheckOutcome;
}
const shows = ({ answer }: Sighting, { owner }: Person): boolean => showsMarker(answer, owner);

/** Searches for the document of one person under a circumstance. @param named the person in an X-Service-ActAs that is not needed. */
async function search(
  { api, kind, operation, credential, other }: Caller,
  { how, headers = [], fields, credential: replaced = credential }: Circumstance,
  {
    sought,
    named,
    wanted = 'either',
  }: { readonly sought: Person; readonly named?: Person; readonly wanted?: Call['wanted'] },
): Promise<Sighting> {
  const expected = sought === other ? 'hides' : 'shows';
  const { name } = api.contract.matrix.headers['act-as'];
  const call: Call = {
    operation,
    credential: replaced,
    headers: [...kindHeaders(api, kind, named?.email), ...headers],
    body: { ...operation.example, query: sought.query, ...fields },
    shows: `${operation.id} with the ${kind} token${named ? `, ${name}: $${named.owner}_EMAIL` : ''} and ${how} ${expected} ${markerOf(sought)}`,
    wanted,
  };
  // The checks `isolation` and `escalation` send some of these requests too.
  const answer = await api.callOnce(call, 'same body');
  return { answer, outcome: readIn(answer, operation) };
}
