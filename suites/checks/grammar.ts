import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { LONG_RUN, repeated } from '../../harness/checks/check-curl.ts';
import { groupedBy } from '../../harness/contract/collections.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { isAnswer } from '../../harness/record/observation.ts';
import { controlOf, PATIENCE_MS } from './shared/confirm.ts';
import { decisionOn, fail, observedRefusal } from './shared/decision.ts';

/** Malformed requests without a token, sent over a raw socket. None may be accepted. */
export async function grammar(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
  const answers = await Promise.all(
    malformedRequests(operation).map(async ([what, text]) => {
      const shows = `a request without a token is not accepted: ${what}`;
      const aim = { shows, wanted: 'refused', patienceMs: PATIENCE_MS } as const;
      return { what, answer: await api.raw({ operation, text, curl: () => shellLine(text), ...aim }) };
    }),
  );
  const letIn = answers.find(({ answer }) => isLetIn(answer));
  if (letIn) {
    // The matrix blames a target that accepts well-formed requests without a token too.
    const planned = api.planned(operation.id, 'none', {});
    if (planned && (await api.send(planned, 'a request without a token is refused')).answer.accepted) return [];
    const detail = `a request without a token was accepted: ${letIn.what}`;
    return [decisionOn(api, unit, fail(letIn.answer, detail))];
  }
  const outcomes = groupedBy(answers, ({ answer: { observation } }) =>
    observation.kind === 'answer' ? String(observation.status) : observation.detail,
  );
  // `22 × 400, 3 × 404, 1 × 500 (a folded header line)`: requests that did not get a 4xx are named.
  const summary = [...outcomes]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([outcome, of]) => {
      const named = outcome.startsWith('4') ? '' : ` (${of.map(({ what }) => what).join(', ')})`;
      return `${of.length} × ${outcome}${named}`;
    });
  return [decisionOn(api, unit, observedRefusal(await controlOf(api, operation.id), summary.join(', ')))];
}

/** A 2xx with the documented body lets the request in. Any other may come from a landing page. */
function isLetIn({ accepted, observation }: CheckAnswer): boolean {
  return accepted && isAnswer(observation) && !observation.truncated && (observation.schemaErrors ?? []).length === 0;
}

/** A bash line that sends the same bytes. */
function shellLine(text: string): string {
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

/** Requests that HTTP's grammar forbids, or that no client sends, without a valid token. `raw` fills in `{base}` and `{common}`. */
function malformedRequests({
  method,
  path,
  example,
  contentType,
}: Operation): readonly (readonly [what: string, text: string])[] {
  const body = JSON.stringify(example ?? {});
  const length = `Content-Length: ${body.length}`;
  const usual = `${method} {base}${path} HTTP/1.1`;
  const write = (first: string, ...lines: readonly string[]) =>
    [first, '{common}', 'Connection: close', `Content-Type: ${contentType}`, ...lines, '', body].join('\r\n');
  const asking = (first: string) => write(first, length);
  const carrying = (...lines: readonly string[]) => write(usual, length, ...lines);

  return [
    // RFC 9112 3: the request line. The check `side-doors` tries other spellings of the path on every target.
    ['a method in lower case', asking(usual.replace(method, method.toLowerCase()))],
    ['an unknown method', asking(usual.replace(method, 'BREW'))],
    ['a NUL in the method', asking(usual.replace(method, `${method}\0`))],
    ['no method', asking(usual.replace(method, ''))],
    ['doubled spaces in the request line', asking(usual.replaceAll(' ', '  '))],
    ['tabs in the request line', asking(usual.replaceAll(' ', '\t'))],
    ['no HTTP version', asking(`${method} {base}${path}`)],
    ['HTTP version 9.9', asking(usual.replace('1.1', '9.9'))],
    ['HTTP version 1.0', asking(usual.replace('1.1', '1.0'))],
    ['a request target of 20,000 characters', asking(usual.replace(path, `${path}?${'x'.repeat(20_000)}`))],
    ['an absolute URL as request target', asking(usual.replace('{base}', 'http://conformance.invalid{base}'))],
    ['a dot segment in the path', asking(usual.replace(path, `/x/..${path}`))],
    ['an encoded NUL in the path', asking(usual.replace(path, `${path}%00`))],

    // RFC 9112 5 and RFC 9110 5: header lines
    ['line ends without a carriage return', asking(usual).replaceAll('\r\n', '\n')],
    ['a header line without a colon', carrying('Authorization Bearer nobody')],
    ['a space before the colon of a header line', carrying('Authorization : Bearer nobody')],
    ['a NUL in a header value', carrying('Authorization: Bearer \0nobody')],
    ['a folded header line', carrying('Authorization: Bearer', ' nobody')],
    ['a header of 100,000 characters', carrying(`X-Conformance: ${'x'.repeat(100_000)}`)],

    // RFC 9112 6: the length of the body
    ['two different Content-Length lines', carrying('Content-Length: 0')],
    ['Content-Length beside Transfer-Encoding', carrying('Transfer-Encoding: chunked')],
    ['a negative Content-Length', write(usual, 'Content-Length: -1')],
    [
      'a chunk size that overflows',
      write(usual, 'Transfer-Encoding: chunked').replace(body, `${'f'.repeat(20)}\r\n${body}`),
    ],
  ];
}
