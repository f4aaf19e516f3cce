import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { transportReason } from '../../harness/record/observation.ts';
import { type MalformedRequest, malformedRequests } from './shared/malformed-requests.ts';

/** Give up after this many timeouts. */
const MOST_TIMEOUTS = 2;

/** Malformed requests without a token, sent over a raw socket. None may be accepted. */
export const grammar: Check = {
  id: 'grammar',
  title: 'A malformed HTTP request without a token is never accepted',
  requirements: ['authorization.required'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    if (!operation) return [];
    const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
    const outcomes = new Map<string, string[]>();
    let timeouts = 0;
    for (const request of malformedRequests(operation)) {
      const answer = await api.raw(request.text);
      if (isLetIn(operation, request, answer)) {
        const detail = `a request without a token was accepted: ${request.what}`;
        // The matrix blames a target that accepts well-formed requests without a token too.
        const anyway = await isAcceptedAnyway(api, operation);
        return anyway ? [] : [{ ...unit, verdict: 'fail', detail, curl: shellLine(request) }];
      }
      const outcome = describeAnswer(answer);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), request.what]);
      if (answer.observation.kind === 'failure' && answer.observation.failure === 'timeout') timeouts += 1;
      const isGateway = answer.observation.kind === 'answer' && transportReason(answer.observation) !== undefined;
      if (isGateway || timeouts >= MOST_TIMEOUTS) break;
    }
    return [{ ...unit, verdict: 'observed', detail: summary(outcomes) }];
  },
};

/** A 2xx lets the request in. Where it may come from a landing page, the body must be the documented one. */
function isLetIn({ success }: Operation, { isElsewhere }: MalformedRequest, { accepted, text }: CheckAnswer): boolean {
  if (!accepted || !isElsewhere) return accepted;
  try {
    return success.validate?.(JSON.parse(text)) ?? false;
  } catch {
    return false;
  }
}

async function isAcceptedAnyway(api: CheckApi, operation: Operation): Promise<boolean> {
  const planned = api.planned(operation.id, 'none', {});
  return planned !== undefined && (await api.send(planned)).answer.accepted;
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
    .replaceAll('\t', '\\t');
  return `printf $'${shown}' | nc <host and port of TARGET_BASE_URL>`;
}
