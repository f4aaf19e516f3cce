import { join } from 'node:path';
import { type CheckRow, needsOf } from './check-row.ts';
import { repeatedIn } from './collections.ts';
import { configurationError } from './configuration-error.ts';
import type { Acceptance, Requirement } from './contract.ts';
import { type DefaultMatrix, fillerFor, matrixOf, restOfMatrix } from './derived-matrix.ts';
import { type DefaultRule, type Frame, named, operationsFor, refusalsOf } from './derived-rules.ts';
import { documentOf } from './named-operations.ts';
import { EACH_2XX, type Operation, operationsOf } from './openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { specsFolder } from './package-files.ts';
import type { Specs } from './read-specs.ts';
import { declaredScopes } from './secured-operations.ts';
import { barredFrom, identityIn, scopesIn, type WrittenContract, writtenProblems } from './written-contract.ts';
import { type Placed, readDataFile } from './yaml-file.ts';

/** What specs/derived/defaults.yaml says. */
interface Defaults extends DefaultMatrix {
  readonly requirements: readonly DefaultRequirement[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly refusals: readonly DefaultRule[];
  readonly acceptances: readonly Omit<Acceptance, 'basis'>[];
  readonly checks: readonly (Pick<CheckRow, 'id' | 'requirements'> & Partial<CheckRow>)[];
}
interface DefaultRequirement
  extends Pick<Requirement, 'id' | 'level' | 'text' | 'grave' | 'siblings' | 'follows' | 'concerns'> {
  readonly needs?: readonly (keyof typeof LACKS)[];
}
/** What a requirement may need, in the words that follow `this contract has no`. */
const LACKS = {
  scopes: 'scope that the operation needs',
  acting: 'acting as somebody',
  identity: 'operation that shows who one is',
  field: 'body with a required field',
  option: 'body with an optional field',
  document: 'answer with a documented body',
  answer: 'answer that says more than a 2xx',
  header: 'header of its own',
  barred: 'kind of token that may not use the operation',
} as const;

interface WholeFrame extends Frame {
  readonly defaults: Defaults;
}

/**
 * The specs of a contract that stands alone, in the form of a contract's folder. Nothing downstream knows that they are derived.
 * @param own the client API's, whose checks, advice of RFCs and variations serve every contract.
 * @param described the OpenAPI document that the contract names.
 * @throws a configuration error that lists each problem with its line.
 */
export function derivedSpecs(own: Specs, placed: Placed<WrittenContract>, described?: OpenApiDocument): Specs {
  const { data: written, at } = placed;
  const defaults = readDataFile<Defaults>(join(specsFolder, 'derived'), 'defaults');
  const problems = writtenProblems(placed, described && declaredScopes(described));
  const document = documentOf(written, described, (id, key, problem) => {
    problems.push(`${at(`/operations/${id}`, key)}: operations: ${id}: ${problem}`);
  });
  if (problems.length > 0) throw configurationError(problems);
  const { operations } = operationsOf(document, at('/operations'), scopesIn(written));
  const matrix = matrixOf(defaults, written);
  const frame = { written, defaults, operations, fill: fillerFor(written, operations, matrix) };
  const rules = { messages: {}, refusals: refusalsOf(frame, at), acceptances: acceptancesOf(frame) };
  const isBearer = written.credential === 'Authorization: Bearer {token}';
  const advice = own.requirements.filter(({ id }) => id.startsWith('rfc.') && (isBearer || !OF_BEARER.includes(id)));
  const requirements = [...ledgerOf(frame, rules), ...advice];
  const twice = repeatedIn(requirements.map(({ id }) => id)).flatMap((id) =>
    operations
      .filter((one) => id.split('.').includes(one.id))
      .map(
        (one) => `${at('/operations', one.id)}: operations: ${one.id}: ${id} means something else; call it otherwise`,
      ),
  );
  if (twice.length > 0) throw configurationError(twice);
  const identity = identityIn(written);
  return {
    matrix: { ...matrix, ...restOfMatrix(defaults, frame.fill, own.matrix.depths, rules) },
    requirements,
    rules,
    checks: checksOf(frame, own, requirements),
    has: [],
    people: { suffix: written.people ?? 'EMAIL' },
    ...(identity && { identity }),
    sections: [],
    document,
    variations: own.variations,
  };
}

const OF_BEARER: readonly string[] = ['rfc.challenge', 'rfc.query-token', 'rfc.body-token'];

function acceptancesOf({ written, defaults, fill }: WholeFrame): readonly Acceptance[] {
  return defaults.acceptances.flatMap(({ requirement, when, reason = '' }) =>
    kindsFor(written, requirement).flatMap((kind): readonly Acceptance[] => {
      const filled = fill(when, { kind: [kind] });
      return filled
        ? [{ requirement: named(requirement, '{operation}', kind), when: filled, basis: 'interpreted', reason }]
        : [];
    }),
  );
}

/** A template once for each kind that it names. */
function kindsFor({ kinds }: WrittenContract, template: string): readonly string[] {
  return template.includes('{kind}') ? Object.keys(kinds) : [''];
}

/** Every requirement. What the contract cannot decide is excluded with the reason: it never disappears. */
function ledgerOf(
  frame: WholeFrame,
  { refusals, acceptances }: Pick<Specs['rules'], 'refusals' | 'acceptances'>,
): readonly Requirement[] {
  const { written, defaults, operations, fill } = frame;
  const cited = new Set(
    [...refusals, ...acceptances].flatMap(({ requirement }) => operations.map(({ id }) => named(requirement, id, ''))),
  );
  return defaults.requirements.flatMap((one) => {
    const { id: template, concerns, grave, siblings, follows, level = 'must', text = '' } = one;
    const ofEach = template.includes('{operation}');
    return operationsFor(operations, template).flatMap((operation) =>
      kindsFor(written, template).map((kind): Requirement => {
        const head = { id: named(template, operation.id, kind), source: 'contract' };
        const about = concerns && fill(concerns);
        const reason = defaults.reasons[template];
        const isCited = cited.has(head.id);
        const lack = lackOf(frame, one, ofEach ? [operation] : operations);
        const sentence = sentenceOf(frame, one.id, text);
        const isDecided = isCited || (reason !== undefined && (!concerns || about));
        if (lack !== undefined || !isDecided) return { ...head, excluded: lack ?? neverOf(frame, template) };
        return {
          ...{ ...head, level, text: sentence.replaceAll('{operation}', operation.id).replaceAll('{kind}', kind) },
          ...(grave && { grave }),
          ...(siblings && { siblings }),
          ...(follows && { follows }),
          ...(!isCited && reason !== undefined && { basis: 'interpreted', reason }),
          ...(!isCited && about && { concerns: about }),
        };
      }),
    );
  });
}

/** The sentence of a requirement. What every contract leaves open may be decided in this one. */
function sentenceOf({ written: { rules = {} }, defaults }: WholeFrame, requirement: string, text: string): string {
  const own = defaults.refusals.find(
    (rule) => rule.requirement === requirement && rules[rule.id]?.expect !== undefined,
  );
  const status = [rules[own?.id ?? '']?.expect ?? []].flat().join(' or ');
  return text.replace(/(They cause|causes) no server error\b.*$/, (found, verb) =>
    status === '' ? found : `${verb === 'causes' ? 'gets' : 'They get'} ${status}.`,
  );
}

/** What a requirement needs, and neither the contract nor these operations have. */
function lackOf(
  { written }: WholeFrame,
  { needs = [] }: DefaultRequirement,
  operations: readonly Operation[],
): string | undefined {
  const { acting, identity } = written;
  const has: Readonly<Record<keyof typeof LACKS, boolean>> = {
    scopes: operations.some(({ scopes }) => scopes.length > 0),
    acting: acting !== undefined,
    identity: identityIn(written) !== undefined,
    field: operations.some(({ field }) => field),
    option: operations.some(({ option }) => option),
    header: typeof written.credential === 'string' || acting !== undefined,
    document: operations.some(({ documentsBody }) => documentsBody),
    answer: operations.some(({ documentsBody, success }) => documentsBody || success.others.length < EACH_2XX),
    barred: operations.some(({ id }) => barredFrom(written, id).length > 0),
  };
  const lack = needs.find((one) => !has[one]);
  if (lack === 'identity' && identity && 'none' in identity) return identity.none;
  return lack && `this contract has no ${LACKS[lack]}`;
}

/** Why nothing of the contract shows a requirement: what its kinds of token never have. */
function neverOf({ written, defaults }: WholeFrame, template: string): string {
  const citing = [...defaults.refusals, ...defaults.acceptances].filter(({ requirement }) => requirement === template);
  const values = citing.flatMap(({ when }) => Object.values(when).flat());
  const reasons = Object.values(written.kinds).flatMap(({ never = {} }) =>
    values.flatMap((value) => never[value] ?? []),
  );
  return reasons.length > 0 ? [...new Set(reasons)].join('; ') : 'no token or request of this contract shows it';
}

/** The checks of the client API, with what they can decide here. Those without requirements say what this contract has not. */
function checksOf(
  { written, defaults, operations }: WholeFrame,
  own: Specs,
  ledger: readonly Requirement[],
): readonly CheckRow[] {
  const decidable = new Set(ledger.flatMap(({ id, excluded }) => (excluded === undefined ? [id] : [])));
  const others = defaults.checks.filter(
    ({ id }) => !own.checks.some((check) => check.id === id),
  ) as readonly CheckRow[];
  // What only the client API can have is no lack of another contract.
  const mayApply = (check: CheckRow) => !needsOf(check).some((need) => own.has.includes(need));
  return [...others, ...own.checks.filter(mayApply)].flatMap((known) => {
    const check = { ...known, ...defaults.checks.find(({ id }) => id === known.id) };
    const ids = check.requirements.flatMap((template) =>
      operations.flatMap(({ id }) => kindsFor(written, template).map((kind) => named(template, id, kind))),
    );
    const decided = [...new Set(ids)].filter((id) => decidable.has(id));
    return decided.length === 0 ? [] : [{ ...check, requirements: decided }];
  });
}
