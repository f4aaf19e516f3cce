import { readIn } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { queryOperations } from './shared/breadth.ts';
import { type Confirmation, confirm } from './shared/confirm.ts';
import { blame, type Decided, decideEach, decisionOf, fail, inconclusive, pass } from './shared/decision.ts';
import type { Person } from './shared/private-documents.ts';
import { actingAs, brokenBy, callOf, look, shows, type Viewer, viewersOf } from './shared/sightings.ts';

interface Together {
  readonly rounds: number;
  readonly atOnce: number;
}

/** What comes now and then comes in one of so many more searches too. */
const TIMES_ALONE = 3;

/** The two people: one whose token says who it is, and one whom a GLOBAL token acts as. */
const KINDS = ['GLOBAL', 'USER'];

/** Concurrent requests of two people do not mix up their answers, not even a few on another machine (outcomes 6). */
export const sideBySide: CheckRun = (api) =>
  askTogether(api, { rounds: 4, atOnce: 4 }, api.contract.operations.slice(0, 1));

export const bursts: CheckRun = (api) =>
  decideEach(queryOperations(api.contract), (operation) => askTogether(api, { rounds: 3, atOnce: 8 }, [operation]));

async function askTogether(
  api: CheckApi,
  together: Together,
  operations: readonly Operation[],
): Promise<readonly CheckResult[]> {
  const viewers = viewersOf(api, operations).filter(actingAs('ACT_AS'));
  const people = KINDS.flatMap((kind) =>
    viewers.filter((viewer) => viewer.kind === kind).map((viewer) => ({ ...viewer, api })),
  );
  if (people.length < KINDS.length) return [];
  const { kind, got } = await confirm(
    () => burst(api, people, together),
    (tallies) => {
      if (tallies.some(({ leaked }) => leaked.length > 0)) return 'wrong at once';
      return tallies.some(({ missed }) => missed.length > 0) ? 'wrong' : 'right';
    },
  );
  const results: CheckResult[] = [];
  for (const tally of got) results.push(decisionOf(tally.viewer, brokenBy(tally.viewer), await decide(tally, kind)));
  return results;
}

interface Tally {
  readonly viewer: Viewer;
  readonly answers: readonly CheckAnswer[];
  readonly accepted: readonly CheckAnswer[];
  /** Answers that showed the other person's marker. */
  readonly leaked: readonly CheckAnswer[];
  /** Accepted answers to who looked for their own document, without its marker. What chats show is left open. */
  readonly missed: readonly CheckAnswer[];
}

async function burst(
  api: CheckApi,
  people: readonly Viewer[],
  { rounds, atOnce }: Together,
): Promise<readonly Tally[]> {
  // Both look for both documents, so that the same body is in flight for both.
  const round = Array.from({ length: atOnce / people.length }, (_, at) =>
    people.map((viewer) => ({ viewer, sought: at % 2 === 0 ? viewer.own : viewer.other })),
  ).flat();
  const calls = round.map(({ viewer, sought }) => callOf(viewer, sought, { when: `beside ${atOnce - 1} others` }));
  const got: CheckAnswer[] = [];
  for (let time = 0; time < rounds; time += 1) got.push(...(await api.together(calls)));
  return people.map((viewer) => {
    const { own, other, operation } = viewer;
    const of = (sought?: Person) =>
      got.filter((_answer, at) => {
        const asked = round[at % round.length];
        return asked?.viewer === viewer && (sought === undefined || asked.sought === sought);
      });
    const isAccepted = (answer: CheckAnswer) => readIn(answer, operation).kind === 'accepted';
    const accepted = of(own).filter(isAccepted);
    return {
      ...{ viewer, answers: of(), accepted },
      leaked: of().filter((answer) => shows({ answer }, other)),
      missed: operation.documentsBody ? accepted.filter((answer) => !shows({ answer }, own)) : [],
    };
  });
}

async function decide(
  { viewer, answers, accepted, leaked, missed }: Tally,
  confirmed: Confirmation<unknown>['kind'],
): Promise<Decided> {
  const some = (of: readonly CheckAnswer[], all: readonly CheckAnswer[]) =>
    `while two people asked at once, ${of.length} of ${all.length} answers`;
  if (leaked.length > 0) return fail(leaked[0], `${some(leaked, answers)} showed the other person's marker`);
  const [first] = accepted;
  if (!first) return inconclusive('no request of the burst was accepted');
  if (missed.length === 0)
    return pass(await viewer.api.acceptance(first), `${answers.length} concurrent answers showed the own marker only`);
  const detail = `${some(missed, accepted)} did not show the own marker`;
  // Results may list anything, and differ. The marker is missed only if the same search finds it alone each time (outcomes 2).
  for (let left = TIMES_ALONE * accepted.length; left > 0; left -= 1)
    if (!shows(await look(viewer, viewer.own, { when: 'alone' }), viewer.own))
      return inconclusive(`${detail}, and neither does the same search alone`);
  return blame(confirmed, fail(missed[0], detail));
}
