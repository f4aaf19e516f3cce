import { send } from '../../fixtures/plain/answers.ts';
import { type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import type { Check } from '../../harness/checks/check.ts';
import { runChecksOnPlain, tokens } from './one-check.ts';

/**
 * Everything unusual that arrives at the plain target while these checks run, one line for each: a method, a path, a header
 * line, a parameter, a field of the body, or a way to send it. What differs from run to run is replaced by its name.
 */
export async function arrivalsOf(checks: readonly Check[]): Promise<readonly string[]> {
  const arrived = new Set<string>();
  await runChecksOnPlain(checks, {
    send: (reply, response, request) => {
      for (const line of linesOf(request, response.req.httpVersion)) arrived.add(line);
      return send(reply, response);
    },
  });
  return [...arrived].sort();
}

function linesOf({ method, path, query, rawHeaders, body, json }: PlainRequest, version: string): readonly string[] {
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`header ${name}: ${rawHeaders[at + 1]}`] : []));
  const fields = json === null || typeof json !== 'object' ? [] : Object.entries(json);
  const form = json === undefined && /^[\w%.+-]+=/.test(body) ? body.split('&') : [];
  const parts = [
    ...(version === '1.1' ? [] : [`HTTP/${version}`]),
    ...(plainOperations.some((one) => one.path === path) ? [] : [`path ${path}`]),
    ...(query === '' ? [] : query.split('&').map((parameter) => `parameter ${parameter}`)),
    ...fields.map(([name, value]) => `field ${name}: ${JSON.stringify(value)}`),
    ...form.map((field) => `form ${field}`),
    `method ${method}`,
    ...headers.filter((line) => !/^header (Content-Length|Host):/i.test(line)).flatMap(cookiesIn),
  ];
  return parts.map(named);
}

/** Cookies come in one line. */
const cookiesIn = (line: string): readonly string[] =>
  line.startsWith('header Cookie: ')
    ? line
        .slice('header Cookie: '.length)
        .split('; ')
        .map((cookie) => `cookie ${cookie}`)
    : [line];

/** The longest first: some tokens are made from others. */
const LONGEST_FIRST = Object.entries(tokens.env)
  .flatMap(([name, token]) => (name.includes('_TOKEN') ? [token] : []))
  .sort((a, b) => b.length - a.length);

function named(whole: string): string {
  const line = whole.replace(/([a-z])\1{99,}/g, (run, letter: string) => `${letter} x ${run.length}`);
  const text = LONGEST_FIRST.reduce((left, token) => left.replaceAll(token, 'TOKEN'), line)
    .replace(/127\.0\.0\.1:\d+/g, 'TARGET')
    .replace(/client-api-conformance\/.*/g, 'RUN')
    .replace(/nobody-[\w-]+@/g, 'NOBODY@')
    .replace(/(access_token=)[\w-]{30,}/, '$1UNKNOWN')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
  if (!text.startsWith('header Authorization: ')) return text;
  return text.replace(/(?<![\w~+/-])[\w~+/-]{11,}/g, (part) =>
    part.includes('TOKEN') || part === 'Authorization' ? part : 'MADE',
  );
}
