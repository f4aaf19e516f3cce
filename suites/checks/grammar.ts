import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import { LONG_RUN, repeated } from '../../harness/checks/check-curl.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { controlOf } from './shared/control.ts';
import { decisionOn, fail, OWN_RECIPES, observedRefusal } from './shared/decision.ts';
import { type MalformedRequest, malformedRequests } from './shared/malformed-requests.ts';
import { PATIENCE_MS } from './shared/patience.ts';

/** Malformed requests without a token, sent over a raw socket. None may be accepted. */
export const grammar: Check = {
  id: 'grammar',
  title: 'A malformed HTTP request without a token is never accepted',
  interpreted: OWN_RECIPES,
  requirements: ['authorization.required'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    if (!operation) return [];
    const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
    const requests = malformedRequests(operation);
    const answers = await Promise.all(requests.map((request) => send(api, operation, request)));
    const outcomes = new Map<string, string[]>();
    for (const [index, { what }] of requests.entries()) {
      const answer = answers[index];
      if (!answer) continue;
      if (isLetIn(operation, answer)) {
        // The matrix blames a target that accepts well-formed requests without a token too.
        const anyway = await isAcceptedAnyway(api, operation);
        const detail = `a request without a token was accepted: ${what}`;
        return anyway ? [] : [decisionOn(api, unit, fail(answer, detail))];
      }
      const outcome = describeAnswer(answer);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), what]);
    }
    return [decisionOn(api, unit, observedRefusal(await controlOf(api, operation.id), summary(outcomes)))];
  },
};

function send(api: CheckApi, operation: Operation, request: MalformedRequest): Promise<CheckAnswer> {
  return api.raw({
    operation,
    text: request.text,
    curl: shellLine(request),
    shows: `a request without a token is not accepted: ${request.what}`,
    wanted: 'refused',
    patienceMs: PATIENCE_MS,
  });
}

/** A 2xx with the documented body lets the request in. Any other may come from a landing page. */
function isLetIn({ success }: Operation, { accepted, text }: CheckAnswer): boolean {
  if (!accepted || !success.validate) return accepted;
  try {
    return success.validate(JSON.parse(text));
  } catch {
    return false;
  }
}

async function isAcceptedAnyway(api: CheckApi, operation: Operation): Promise<boolean> {
  const planned = api.planned(operation.id, 'none', {});
  return planned !== undefined && (await api.send(planned, 'a request without a token is refused')).answer.accepted;
}

function describeAnswer({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? String(observation.status) : observation.detail;
}

/** `22 × 400, 3 × 404, 1 × 500 (a folded header line)`: requests that did not get a 4xx are named. */
function summary(outcomes: ReadonlyMap<string, readonly string[]>): string {
  return [...outcomes]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([outcome, what]) => `${what.length} × ${outcome}${/^4/.test(outcome) ? '' : ` (${what.join(', ')})`}`)
    .join(', ');
}

/** A bash line that sends the same bytes. */
function shellLine({ text }: MalformedRequest): string {
  const shown = text
    .replace('{common}', 'Host: target.example')
    .replaceAll('{base}', '')
    .replace(/[\\'%]/g, (character) => (character === '%' ? '%%' : `\\${character}`))
    .replaceAll('\0', '\\0')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(LONG_RUN, (run) => `'"${repeated(run)}"$'`);
  return `printf $'${shown}' | nc <host and port of TARGET_BASE_URL>`;
}
