import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { LONG_RUN, repeated } from '../../harness/checks/check-curl.ts';
import { groupedBy } from '../../harness/contract/collections.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { controlOf, PATIENCE_MS } from './shared/confirm.ts';
import { decisionOn, fail, observedRefusal } from './shared/decision.ts';

/** Malformed requests without a token, sent over a raw socket. None may be accepted. */
export async function grammar(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
  const answers = await Promise.all(
    malformedRequests(operation).map(async (request) => ({ request, answer: await send(api, operation, request) })),
  );
  const letIn = answers.find(({ answer }) => isLetIn(operation, answer));
  if (letIn) {
    // The matrix blames a target that accepts well-formed requests without a token too.
    const planned = api.planned(operation.id, 'none', {});
    if (planned && (await api.send(planned, 'a request without a token is refused')).answer.accepted) return [];
    const detail = `a request without a token was accepted: ${letIn.request.what}`;
    return [decisionOn(api, unit, fail(letIn.answer, detail))];
  }
  const outcomes = groupedBy(answers, ({ answer: { observation } }) =>
    observation.kind === 'answer' ? String(observation.status) : observation.detail,
  );
  // `22 × 400, 3 × 404, 1 × 500 (a folded header line)`: requests that did not get a 4xx are named.
  const summary = [...outcomes]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([outcome, of]) => {
      const named = outcome.startsWith('4') ? '' : ` (${of.map(({ request }) => request.what).join(', ')})`;
      return `${of.length} × ${outcome}${named}`;
    });
  return [decisionOn(api, unit, observedRefusal(await controlOf(api, operation.id), summary.join(', ')))];
}

function send(api: CheckApi, operation: Operation, request: MalformedRequest): Promise<CheckAnswer> {
  return api.raw({
    operation,
    text: request.text,
    curl: () => shellLine(request),
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

/** A request as bytes that HTTP's grammar forbids, or that no client sends. It carries no valid token. */
interface MalformedRequest {
  readonly what: string;
  readonly text: string;
}

/** The malformed requests to an operation. `CheckApi.raw` fills in `{base}` and `{common}`. */
function malformedRequests({ method, path, example }: Operation): readonly MalformedRequest[] {
  const body = JSON.stringify(example ?? {});
  const length = `Content-Length: ${body.length}`;
  const usual = `${method} {base}${path} HTTP/1.1`;
  const write = (first: string, ...lines: readonly string[]) =>
    [first, '{common}', 'Connection: close', 'Content-Type: application/json', ...lines, '', body].join('\r\n');
  const exactly = (what: string, text: string): MalformedRequest => ({ what, text });
  const elsewhere = (what: string, first: string): MalformedRequest => exactly(what, write(first, length));

  return [
    // RFC 9112 3: the request line. The check `side-doors` tries other spellings of the path on every target.
    elsewhere('a method in lower case', usual.replace(method, method.toLowerCase())),
    elsewhere('an unknown method', usual.replace(method, 'BREW')),
    elsewhere('a NUL in the method', usual.replace(method, `${method}\0`)),
    elsewhere('no method', usual.replace(method, '')),
    exactly('doubled spaces in the request line', write(usual.replaceAll(' ', '  '), length)),
    exactly('tabs in the request line', write(usual.replaceAll(' ', '\t'), length)),
    exactly('no HTTP version', write(`${method} {base}${path}`, length)),
    exactly('HTTP version 9.9', write(usual.replace('1.1', '9.9'), length)),
    exactly('HTTP version 1.0', write(usual.replace('1.1', '1.0'), length)),
    elsewhere('a request target of 20,000 characters', usual.replace(path, `${path}?${'x'.repeat(20_000)}`)),
    elsewhere('an absolute URL as request target', usual.replace('{base}', 'http://conformance.invalid{base}')),
    elsewhere('a dot segment in the path', usual.replace(path, `/x/..${path}`)),
    elsewhere('an encoded NUL in the path', usual.replace(path, `${path}%00`)),

    // RFC 9112 5 and RFC 9110 5: header lines
    exactly('line ends without a carriage return', write(usual, length).replaceAll('\r\n', '\n')),
    exactly('a header line without a colon', write(usual, length, 'Authorization Bearer nobody')),
    exactly('a space before the colon of a header line', write(usual, length, 'Authorization : Bearer nobody')),
    exactly('a NUL in a header value', write(usual, length, 'Authorization: Bearer \0nobody')),
    exactly('a folded header line', write(usual, length, 'Authorization: Bearer', ' nobody')),
    exactly('a header of 100,000 characters', write(usual, length, `X-Conformance: ${'x'.repeat(100_000)}`)),

    // RFC 9112 6: the length of the body
    exactly('two different Content-Length lines', write(usual, length, 'Content-Length: 0')),
    exactly('Content-Length beside Transfer-Encoding', write(usual, length, 'Transfer-Encoding: chunked')),
    exactly('a negative Content-Length', write(usual, 'Content-Length: -1')),
    exactly(
      'a chunk size that overflows',
      write(usual, 'Transfer-Encoding: chunked').replace(body, `${'f'.repeat(20)}\r\n${body}`),
    ),
  ];
}
