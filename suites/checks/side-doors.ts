import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { operationsToTry } from './shared/breadth.ts';
import { type Decided, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { pathSpellings } from './shared/path-spellings.ts';
import { PATIENCE_MS } from './shared/patience.ts';
import { curlOf, DOCUMENTED_FORM, textOf } from './shared/request-form.ts';
import { isServed } from './shared/served.ts';

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
  for (const door of doors) {
    const answer = await knock(api, operation, door);
    const outcome = outcomeOf(answer);
    // Where chats are answered with an empty body, an empty answer looks served, and shows nothing.
    const { observation } = answer;
    const isEmpty = observation.kind === 'answer' && observation.form === 'empty';
    if (!isEmpty && isServed(answer, like)) return fail(answer, `${door.how} gives data without a token`);
    // Silence is an answer to an odd path. If nothing comes at all, the others are not sent: each would take as long.
    if (outcome.kind === 'lost' && answer.observation.kind === 'failure' && answer.observation.failure === 'timeout')
      return inconclusive(outcome.why);
  }
  return pass(control, `${doors.length} other methods and paths give no data without a token`);
}

/** The text is sent as it is, because an HTTP client would tidy up the path. */
function knock(api: CheckApi, operation: Operation, { how, method, path, body }: SideDoor): Promise<CheckAnswer> {
  const message = { method, path, lines: [], body };
  const [text, curl] = [textOf(message, DOCUMENTED_FORM), curlOf(message, DOCUMENTED_FORM)];
  return api.raw({
    operation,
    text,
    curl,
    shows: `${how} gives no data without a token`,
    wanted: 'refused',
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
