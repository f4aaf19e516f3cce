import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { transportReason } from '../../harness/record/observation.ts';
import { type RawRequest, rawRequests } from './parts/malformed-requests.ts';

/** As often is an answer waited for in vain. */
const MOST_SILENCES = 2;

/** Requests outside HTTP's grammar, over a bare socket: whatever is made of them, nobody gets in without a token. */
export const grammar: Check = {
  id: 'grammar',
  title: 'A request outside the grammar of HTTP is not accepted without a token',
  requirements: ['authorization.required'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    if (!operation) return [];
    const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
    const outcomes = new Map<string, string[]>();
    let silences = 0;
    for (const request of rawRequests(operation)) {
      const answer = await api.raw(request.text);
      if (isLetIn(operation, request, answer)) {
        const detail = `accepted without a token: ${request.what}`;
        // A target that lets everybody in is the matrix's to blame.
        const anyway = await isAcceptedAnyway(api, operation);
        return anyway ? [] : [{ ...unit, verdict: 'fail', detail, curl: shellLine(request) }];
      }
      const outcome = wordFor(answer);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), request.what]);
      if (answer.observation.kind === 'failure' && answer.observation.failure === 'timeout') silences += 1;
      const isGateway = answer.observation.kind === 'answer' && transportReason(answer.observation) !== undefined;
      if (isGateway || silences >= MOST_SILENCES) break;
    }
    return [{ ...unit, verdict: 'observed', detail: summary(outcomes) }];
  },
};

function isLetIn({ success }: Operation, { isElsewhere }: RawRequest, { accepted, text }: CheckAnswer): boolean {
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

function wordFor({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? String(observation.status) : observation.detail;
}

/** `22 × 400, 3 × 404, 1 × 500 (a folded line)`: what is no refusal is named. */
function summary(outcomes: ReadonlyMap<string, readonly string[]>): string {
  return [...outcomes]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([outcome, what]) => `${what.length} × ${outcome}${/^4/.test(outcome) ? '' : ` (${what.join(', ')})`}`)
    .join(', ');
}

/** A bash line that sends the bytes again. */
function shellLine({ text }: RawRequest): string {
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
