import type { Answered } from '../../harness/checks/acceptance.ts';
import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { operationsToTry } from './shared/breadth.ts';
import { type Decided, decisionOn, fail, inconclusive, OWN_RECIPES, observedRefusal, pass } from './shared/decision.ts';
import { pathSpellings } from './shared/path-spellings.ts';
import { PATIENCE_MS } from './shared/patience.ts';
import { curlOf, DOCUMENTED_FORM, textOf } from './shared/request-form.ts';
import { isServed, showsRun } from './shared/served.ts';

/** A request without a token that is not the documented one. */
interface SideDoor {
  readonly how: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  /** Known to be open elsewhere. Without the whole breadth, only these are tried. */
  readonly isTelling?: boolean;
}

/** Every request carries a token, whatever its method and however its path is written (spec 1 and 5.1, outcomes 2). */
export const sideDoors: Check = {
  id: 'side-doors',
  title: 'No other method and no other spelling of a documented path gives data without a token',
  interpreted: OWN_RECIPES,
  requirements: ['authorization.required'],
  intrusive: false,
  async run(api) {
    // Side by side: each operation may wait for an answer that never comes.
    return Promise.all(
      operationsToTry(api).map(async (operation) => {
        const own = api.fork();
        const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
        return decisionOn(own, unit, await decide(own, operation));
      }),
    );
  },
};

async function decide(api: CheckApi, operation: Operation): Promise<Decided> {
  const [planned] = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
  if (!planned) return inconclusive('the plan has no request with a token');
  const shows = 'the documented request with a token is accepted';
  const seen = operation.isSlow ? api.seen(planned) : undefined;
  const like = seen ?? (await api.send(planned, shows)).answer;
  const control = await api.acceptance(like);
  if (!control) return inconclusive('the documented request with a token was not accepted');
  const all = [...methodDoors(operation), ...pathDoors(operation)];
  const doors = api.breadth === 'whole' ? all : all.filter(({ isTelling }) => isTelling);
  const untold: string[] = [];
  for (const door of doors) {
    const answer = await knock(api, operation, door);
    const outcome = outcomeOf(answer);
    if (isServed(answer, like)) {
      if (operation.documentsBody) return fail(answer, `${door.how} gives data without a token`);
      if (await runs(api, operation, { door, first: answer, like }))
        return fail(answer, `${door.how} runs the operation without a token`);
      untold.push(door.how);
    }
    // Silence is an answer to an odd path. If nothing comes at all, the others are not sent: each would take as long.
    if (outcome.kind === 'lost' && answer.observation.kind === 'failure' && answer.observation.failure === 'timeout')
      return inconclusive(outcome.why);
  }
  const rest = `${doors.length - untold.length} other methods and paths give no data without a token`;
  if (untold.length === 0) return pass(control, rest);
  const alike = `${untold.join(', ')}: answered like a ${operation.id}, but nothing shows that the operation runs`;
  return observedRefusal(control, `${alike}; ${rest}`);
}

interface Opened {
  readonly door: SideDoor;
  readonly first: CheckAnswer;
  readonly like: Answered;
}

/** Whether what looks like an accepted request with a free body is one. */
async function runs(api: CheckApi, operation: Operation, { door, first, like }: Opened): Promise<boolean> {
  const { how, path, body } = door;
  const bare = body ? { ...door, body: {} } : { ...door, path: path.replace(/\?.*/, '') };
  const withoutQuery = await knock(api, operation, bare, `${how} without a query shows whether the operation runs`);
  const again = await knock(api, operation, door);
  return showsRun({ first, again, withoutQuery }, like, `${path} ${JSON.stringify(body)}`);
}

/**
 * The text is sent as it is, because an HTTP client would tidy up the path.
 * @param compared what the answer shows beside another one, if it need not be refused.
 */
function knock(
  api: CheckApi,
  operation: Operation,
  { how, method, path, body }: SideDoor,
  compared?: string,
): Promise<CheckAnswer> {
  const message = { method, path, lines: [], body };
  const [text, curl] = [textOf(message, DOCUMENTED_FORM), curlOf(message, DOCUMENTED_FORM)];
  return api.raw({
    operation,
    text,
    curl,
    shows: compared ?? `${how} gives no data without a token`,
    wanted: compared === undefined ? 'refused' : 'either',
    patienceMs: PATIENCE_MS,
  });
}

function methodDoors({ method, path, example }: Operation): SideDoor[] {
  const parameters = new URLSearchParams(
    Object.entries(example ?? {}).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  const door = (name: string, withBody: boolean): SideDoor => ({
    how: name,
    method: name,
    // Without a body, the same is asked in the query string.
    path: withBody ? path : `${path}?${parameters}`,
    body: withBody ? example : undefined,
    isTelling: ['GET', 'OPTIONS', 'PUT'].includes(name),
  });
  const others = [
    ...['GET', 'HEAD', 'OPTIONS', 'TRACE'].map((name) => door(name, false)),
    ...['PUT', 'PATCH', 'DELETE', 'POST'].map((name) => door(name, true)),
  ];
  return others.filter((other) => other.method !== method);
}

function pathDoors({ method, path, example }: Operation): SideDoor[] {
  return pathSpellings(path).map((spelling) => ({ ...spelling, method, body: example }));
}
