import fc from 'fast-check';
import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { ACT_AS, type Dimension, headerOf, mayAct } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { isServerError } from '../../harness/record/observation.ts';
import { controlOf } from './shared/confirm.ts';
import { type Decided, decisionOf, fail, inconclusive, observed, observedRefusal, warn } from './shared/decision.ts';
import type { Line } from './shared/written-request.ts';

/** Header values that parsers often mishandle, and a generator of random ones. All are legal field values (RFC 9110 5.5). */
interface HeaderValues<T> {
  readonly examples: readonly T[];
  readonly random: fc.Arbitrary<T>;
}

/** A request, and the header lines to add to it. */
interface FuzzTarget {
  readonly kind: string;
  readonly lines: HeaderValues<Line>;
  readonly runs: number;
  /** The requirement that covers such a line. */
  readonly requirementOf: (line: Line) => string;
  /** Whether the specification leaves open what comes of it. Then only a server error is wrong. */
  readonly isOpen?: true;
  /** Similar cases of the matrix. If the target answers one of them as wrongly, the matrix blames it and the check does not. */
  readonly neighbours?: readonly (readonly [kind: string, values: Readonly<Record<Dimension, string>>])[];
}

/** Sends random header values within HTTP's grammar. They must not cause a server error, nor be accepted as a credential. */
export async function fuzz(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const results: CheckResult[] = [];
  for (const target of targetsOf(api)) results.push(...(await fuzzHeader(api.fork(), operation, target)));
  return results;
}

/** X-Service-ActAs is tried beside a token that needs it and beside one that does not. */
function targetsOf(api: CheckApi): readonly FuzzTarget[] {
  const { kinds } = api.contract.matrix;
  const [{ id }] = api.contract.operations;
  const claimed = (fits: (kind: string) => boolean) =>
    api.claims.kinds.find((kind) => fits(kind) && api.planned(id, kind, {})?.credential);
  const own = claimed((kind) => !mayAct(api.contract, kind));
  const external = claimed((kind) => kinds[kind]?.family === 'external') ?? own;
  const acting = claimed((kind) => mayAct(api.contract, kind));
  const beside = (
    kind: string | undefined,
    [dimension, values]: readonly [Dimension, HeaderValues<string>],
    target: Omit<FuzzTarget, 'kind' | 'lines'>,
  ): FuzzTarget[] => {
    const header = api.contract.matrix.headers[dimension];
    return kind === undefined || !header ? [] : [{ kind, lines: linesWith(header.name, values), ...target }];
  };
  const malformed = [{ authorization: 'basic' }, { authorization: 'no-scheme' }, { validity: 'tampered' }];
  const unknown = ['malformed', 'unknown', 'unknown-domain', 'blank'];
  const carrier = headerOf(api.contract, 'authorization');
  const madeUp: FuzzTarget = {
    kind: 'none',
    lines: linesWith(carrier.name, authorizations),
    runs: 15,
    requirementOf: ([, value]) => (/^bearer +\S+\s*$/i.test(value) ? 'token.unknown' : 'authorization.malformed'),
    neighbours: [
      ['none', {}],
      ['none', { authorization: 'empty' }],
      ['unknown', {}],
      ...api.claims.kinds.flatMap((kind) => malformed.map((values) => [kind, values] as const)),
    ],
  };
  return [
    // They are values of a line.
    ...(carrier.in === 'query' ? [] : [madeUp]),
    {
      kind: 'none',
      lines: forwardedIdentities(api.people.actAs ?? 'admin'),
      runs: 7,
      requirementOf: () => 'authorization.required',
      neighbours: [['none', {}]],
    },
    ...beside(acting, [ACT_AS, identities], {
      runs: 8,
      requirementOf: () => 'act-as.unknown',
      neighbours: unknown.map((value) => [acting ?? '', { 'act-as': value }]),
    }),
    ...beside(own, [ACT_AS, identities], { runs: 6, requirementOf: () => 'act-as.not-needed', isOpen: true }),
    ...beside(external, ['auth-type', authTypes], { runs: 4, requirementOf: () => 'auth-type.other', isOpen: true }),
  ];
}

/** Tries the examples and random values from the seed of the run, and finds the smallest one whose answer is wrong. */
async function fuzzHeader(api: CheckApi, operation: Operation, target: FuzzTarget): Promise<readonly CheckResult[]> {
  const { kind, lines, runs, requirementOf, isOpen = false, neighbours = [] } = target;
  const credential = api.full(kind);
  const ask = (over: CheckApi, line: Line) => {
    const shows = `a request with ${line[0]} as made up is no server error`;
    return over.call({ operation, credential, headers: [line], shows, wanted: isOpen ? 'either' : 'refused' });
  };
  let lost: string | undefined;
  let fault: Fault | undefined;
  const property = fc.asyncProperty(lines.random, async (line) => {
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (lost !== undefined) return true;
    const answer = await ask(api, line);
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') lost = outcome.why;
    const what = faultIn(answer, !isOpen);
    // A server error counts if it comes again, a wrong acceptance at once (outcomes 3). It is asked over another connection,
    // because what an earlier value left behind there is no fault of this one.
    const isOnce = what === 'answered' && !faultIn(await ask(api.connect(), line), !isOpen);
    if (what === undefined || isOnce) return true;
    fault = { line, answer, what };
    return false;
  });
  const examples = lines.examples.map((line): [Line] => [line]);
  const found = await fc.check(property, { seed: api.seed, numRuns: runs, examples });
  const decided = (requirement: string, one: Decided) => decisionOf({ api, operation, kind }, requirement, one);
  /** The control is the acceptance of the token, or of any if there is none. */
  const control = () => controlOf(api, operation.id, credential ? [kind] : api.claims.kinds);
  if (fault) {
    const { line, answer, what } = fault;
    for (const [name, values] of neighbours) {
      const planned = api.planned(operation.id, name, values);
      // A case that misses in another way does not count.
      const sent = planned && (await api.send(planned, `${planned.id} is refused`));
      if (sent?.judgement?.kind === 'miss' && faultIn(sent.answer, true) === what) return [];
    }
    const detail = `${inWords(api, fault)} (seed ${found.seed}, path ${found.counterexamplePath})`;
    // A target that fails on everything does not fail because of the value.
    if (what === 'answered' && !(await control()))
      return [decided(requirementOf(line), inconclusive(`${detail}; nothing else is accepted`))];
    // Where the specification is silent, a server error is a warning (RFC 9110 15.6).
    return [decided(requirementOf(line), (isOpen ? warn : fail)(answer, detail))];
  }
  // No answer was wrong, so the check itself threw.
  if (found.failed) throw found.errorInstance;
  const right = async (): Promise<Decided> => {
    const tried = `${runs} values tried (seed ${api.seed})`;
    if (lost === undefined && isOpen) return observed(tried);
    // Which refusal a value gets is not judged here, and a target that accepts nothing refuses every value, too.
    if (lost === undefined) return observedRefusal(await control(), tried);
    const detail = `a value got no answer: ${lost}`;
    // What ends the target for good leaves nobody to answer the control either.
    return (await controlOf(api, operation.id))
      ? observed(detail)
      : inconclusive(`${detail}; nothing after it is accepted`);
  };
  const one = await right();
  return [...new Set(lines.examples.map(requirementOf))].map((requirement) => decided(requirement, one));
}

/** What is wrong with an answer: a 2xx to a value that belongs to nobody, or a server error. */
function faultIn(answer: CheckAnswer, isForNobody: boolean): 'accepted' | 'answered' | undefined {
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'accepted') return isForNobody ? 'accepted' : undefined;
  return outcome.kind === 'refused' && isServerError(outcome.status) ? 'answered' : undefined;
}

interface Fault {
  readonly line: Line;
  readonly answer: CheckAnswer;
  readonly what: NonNullable<ReturnType<typeof faultIn>>;
}

function inWords({ people }: CheckApi, { what, answer, line: [name, value] }: Fault): string {
  const outcome = outcomeOf(answer);
  const status = outcome.kind === 'lost' ? '' : outcome.status;
  // Reports must not show an email address.
  const shown = value === people.actAs ? '$ACT_AS_EMAIL' : value;
  return `${what} with ${status}: ${name}: ${JSON.stringify(shown)}`;
}

const printable = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));
const VISIBLE = printable(0x21, 0x7e);
/** Visible characters, space, tab, and obs-text: bytes whose character set HTTP leaves undefined. */
const FIELD = fc.constantFrom(...VISIBLE, ' ', '\t', ...printable(0xa1, 0xff));
const field = (maxLength: number) =>
  fc.string({ unit: FIELD, minLength: 1, maxLength }).map((text) => text.trim() || '-');
const LONG = 'x'.repeat(6000);
const jwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Values of Authorization that belong to nobody. */
const authorizations: HeaderValues<string> = {
  examples: [
    'Bearer Bearer',
    'Bearer ..',
    `Bearer ${jwtPart({ alg: 'none' })}.${jwtPart({ sub: 'admin', exp: 4102444800 })}.`,
    `Bearer ${jwtPart({ alg: 'HS256', kid: '../../../../dev/null' })}.${jwtPart({ iss: 'http://127.0.0.1:1' })}.AAAA`,
    `Bearer ${Buffer.from('{"alg":').toString('base64url')}.e30.AAAA`,
    "Bearer ' OR '1'='1",
    'Bearer =, realm="a", error="b',
    `Bearer ${LONG}`,
    'Digest username="admin", realm="", nonce="", uri="/", response=""',
    'Basic Og==',
  ],
  random: fc.oneof(
    field(40),
    field(40).map((text) => `Bearer ${text}`),
    fc.tuple(field(8), field(30)).map((parts) => parts.join(' ')),
  ),
};

/** Values of X-Service-ActAs that name nobody. */
const identities: HeaderValues<string> = {
  examples: ['%@%', '__proto__', "' OR '1'='1", `${LONG}@people.invalid`, '@'],
  random: fc.oneof(
    field(30),
    fc.tuple(field(10), field(10)).map((parts) => `${parts.join('@')}.invalid`),
  ),
};

/** Values of X-Service-Auth-Type other than the documented one. */
const authTypes: HeaderValues<string> = { examples: ['__proto__', LONG], random: field(20) };

/** Headers by which a gateway tells a service who the user is. A service must not trust them from other senders. */
const forwardedIdentities = (email: string): HeaderValues<Line> => ({
  examples: [
    ['X-Forwarded-User', email],
    ['X-Remote-User', email],
    ['Remote-User', 'admin'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['Cookie', 'session=1; token=1; admin=true'],
  ],
  random: fc.tuple(fc.constantFrom('X-User', 'X-Email', 'X-Api-Key', 'Proxy-Authorization', 'X-Real-IP'), field(30)),
});

const linesWith = (name: string, { examples, random }: HeaderValues<string>): HeaderValues<Line> => ({
  examples: examples.map((value) => [name, value]),
  random: random.map((value) => [name, value]),
});
