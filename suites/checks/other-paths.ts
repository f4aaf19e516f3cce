import type { Answered } from '../../harness/checks/acceptance.ts';
import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { operationsToTry } from './shared/breadth.ts';
import {
  type Decided,
  decisionOn,
  fail,
  inconclusive,
  OWN_RECIPES,
  observed,
  observedRefusal,
  pass,
} from './shared/decision.ts';
import { kindHeaders } from './shared/kind-headers.ts';
import { type PathSpelling, pathSpellings } from './shared/path-spellings.ts';
import { PATIENCE_MS } from './shared/patience.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { type Base, sendInfluenced } from './shared/send-influenced.ts';
import { isServed, showsRun } from './shared/served.ts';

/**
 * Some frameworks serve an operation on other spellings of its path, and some of their filters know only the documented one.
 * The check `side-doors` tries all spellings without a token.
 */
export const otherPaths: Check = {
  id: 'other-paths',
  title: 'What must be refused is refused on every spelling of the path that is served',
  interpreted: OWN_RECIPES,
  requirements: [
    'token.expired',
    'token.unknown',
    'token.foreign',
    'scope.search',
    'scope.chat',
    'act-as.missing',
    'act-as.unknown',
    'auth-type.missing',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const operation of operationsToTry(api)) {
      const caller = await callerOf(api.fork(), operation);
      if (!caller) continue;
      for (const base of basesOf(api, operation)) results.push(await decide(caller, base));
    }
    return results;
  },
};

/** The answer to the documented request with a right token, and the paths on which the same request is served. */
interface Caller {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly like: Answered;
  readonly served: readonly { readonly spelling: PathSpelling; readonly answer: CheckAnswer }[];
}

async function callerOf(api: CheckApi, operation: Operation): Promise<Caller | undefined> {
  const [planned] = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
  if (!planned?.credential) return undefined;
  const { kind } = planned.values;
  const shows = `the documented request with the ${kind} token is accepted`;
  const like = api.seen(planned) ?? (await api.send(planned, shows)).answer;
  if (!like.accepted) return undefined;
  const base = { credential: planned.credential, headers: kindHeaders(api, kind) };
  const served = [];
  const all = pathSpellings(operation.path);
  for (const spelling of api.breadth === 'whole' ? all : all.filter(({ isTelling }) => isTelling)) {
    const aim = { shows: `${spelling.how} with the ${kind} token is served or not`, wanted: 'either' } as const;
    const answer = await sendTo(api, operation, base, { spelling, ...aim });
    if (isServed(answer, like)) served.push({ spelling, answer });
    // Silence is an answer to an odd path. The others are then not sent: each would take as long.
    if (answer.observation.kind === 'failure' && answer.observation.failure === 'timeout') break;
  }
  return { api, operation, like, served };
}

interface Spelled {
  readonly spelling: PathSpelling;
  readonly shows: string;
  readonly wanted: 'either' | 'refused';
  readonly withoutQuery?: true;
}

function sendTo(
  api: CheckApi,
  operation: Operation,
  base: Base,
  { spelling: { path }, ...aim }: Spelled,
): Promise<CheckAnswer> {
  return sendInfluenced(api, operation, { base, influences: [], path, patienceMs: PATIENCE_MS, ...aim });
}

/** One refusal of each requirement: what reads the path does not know the kind of a token. */
function basesOf(api: CheckApi, operation: Operation): readonly Refusal[] {
  const issued = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
  const unknown = refusalsWithoutToken(api, operation, api.claims.kinds[0] ?? '').filter(
    ({ kind }) => kind === 'unknown',
  );
  const all = [...issued, ...unknown];
  return all.filter(({ requirement }, at) => all.findIndex((one) => one.requirement === requirement) === at);
}

async function decide({ api: parent, operation, like, served }: Caller, base: Refusal): Promise<CheckResult> {
  const api = parent.fork();
  const judge = async (): Promise<Decided> => {
    for (const { spelling } of served) {
      const shows = `${base.what} is refused with ${spelling.how}`;
      const answer = await sendTo(api, operation, base, { spelling, shows, wanted: 'refused' });
      if (isServed(answer, like)) return blamed(answer, spelling);
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'lost') return inconclusive(outcome.why);
    }
    const [first] = served;
    if (!first) return observedRefusal(await api.acceptance(like), 'no other spelling of the path is served');
    const count = served.length === 1 ? '1 other path that is served' : `${served.length} other paths that are served`;
    return pass(await api.acceptance(first.answer), `${base.what} is refused on ${count}`);
  };
  const blamed = async (wrong: CheckAnswer, spelling: PathSpelling): Promise<Decided> => {
    const shows = `${base.what} is refused on the documented path`;
    const documented = await sendInfluenced(api, operation, { base, influences: [], shows, wanted: 'refused' });
    // The matrix judges that.
    if (isServed(documented, like)) return observed(`${base.what} is accepted on the documented path, too`);
    return operation.documentsBody || (await runs(wrong, spelling))
      ? fail(wrong, `${base.what} is accepted with ${spelling.how}`)
      : observed(`${base.what} is answered alike with ${spelling.how}, whatever is asked`);
  };
  // Where the body is free, another path may have the same short text for everybody.
  const runs = async (first: CheckAnswer, spelling: PathSpelling): Promise<boolean> => {
    const aim = { spelling, shows: `whether the operation runs with ${spelling.how}`, wanted: 'either' } as const;
    const withoutQuery = await sendTo(api, operation, base, { ...aim, withoutQuery: true });
    const again = await sendTo(api, operation, base, aim);
    return showsRun({ first, again, withoutQuery }, like, `${spelling.path} ${JSON.stringify(operation.example)}`);
  };
  return decisionOn(api, { requirement: base.requirement, operation: operation.id, kind: base.kind }, await judge());
}
