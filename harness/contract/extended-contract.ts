import { mapped } from './collections.ts';
import { configurationError, didYouMean } from './configuration-error.ts';
import type { Outcome, Requirement, Rule, Rules } from './contract.ts';
import { METHODS, type OpenApiDocument } from './openapi-document.ts';
import type { Specs } from './read-specs.ts';
import { literal } from './visible-text.ts';
import type { Placed } from './yaml-file.ts';

/** What another API calls or answers otherwise, and why. */
interface Replacement<T> {
  readonly is: T;
  readonly reason: string;
}
const PARTS = ['headers', 'paths', 'messages', 'scopes', 'statuses'] as const;
type Part = (typeof PARTS)[number];
/** A contract that extends the client API; schemas/extended-contract.schema.json has the words. */
export type ExtendedContract = {
  readonly extends: 'client-api';
  readonly name: string;
} & Readonly<Partial<Record<Exclude<Part, 'statuses'>, Readonly<Record<string, Replacement<string>>>>>> & {
    readonly statuses?: Readonly<Record<string, Replacement<number>>>;
  };

type Statuses = NonNullable<ExtendedContract['statuses']>;

/**
 * Our contract with the names and statuses of another API. A header, a path and a scope are replaced wherever they stand: in
 * rules and messages as in the sentences of the ledger.
 * @throws a configuration error that lists each name that our contract does not have, and each entry that changes nothing.
 */
export function extendedSpecs(own: Specs, { data: contract, at }: Placed<ExtendedContract>): Specs {
  const problems = PARTS.flatMap((part) =>
    Object.entries(contract[part] ?? {}).flatMap(([name, { is }]) =>
      problemOf(own, part, name, is).map((problem) => `${at(`/${part}`, name)}: ${problem}`),
    ),
  );
  problems.push(...sharedHeaders(own, contract).map((problem) => `${at('/headers')}: headers: ${problem}`));
  if (PARTS.every((part) => Object.keys(contract[part] ?? {}).length === 0))
    problems.push(
      `${at('', 'extends')}: the contract changes nothing of the client API; give what differs: ${PARTS.join(', ')}`,
    );
  if (problems.length > 0) throw configurationError(problems);
  const { headers = {}, paths = {}, messages = {}, scopes = {}, statuses = {} } = contract;
  const places = knownNames(own).paths;
  const rename = renamer([
    ...Object.entries(headers).map(([name, { is }]) => [literal(name), is] as const),
    ...Object.entries(paths).map(([id, { is }]) => [literal(String(places[id])), is] as const),
    ...Object.entries(scopes).map(([name, { is }]) => [asScope(literal(name)), is] as const),
  ]);
  const { variations, ...named } = own;
  const renamed = { ...rename(named), variations };
  return {
    ...renamed,
    document: withSuccess(renamed.document, statuses),
    requirements: renamed.requirements.map((one) => withSentence(one, own.rules, statuses)),
    rules: {
      ...renamed.rules,
      messages: mapped(renamed.rules.messages, (message, id) => {
        const other = messages[id];
        return other ? { ...message, text: other.is, basis: 'interpreted', reason: other.reason } : message;
      }),
      refusals: renamed.rules.refusals.map((rule) => withStatus(rule, own.rules, statuses)),
    },
  };
}

/** Headers that are one header under their new names. */
function sharedHeaders({ matrix }: Specs, { headers = {} }: ExtendedContract): readonly string[] {
  const named = Object.values(matrix.headers).map(({ name }) => [name, headers[name]?.is ?? name] as const);
  return named.flatMap(([name, is], at) =>
    named
      .slice(0, at)
      .flatMap(([other, first]) =>
        is.toLowerCase() === first.toLowerCase() ? [`${other} and ${name} would both be ${is}`] : [],
      ),
  );
}

function problemOf(own: Specs, part: Part, name: string, is: string | number): readonly string[] {
  const known = knownNames(own)[part];
  if (!Object.hasOwn(known, name))
    return [
      `${part}: the client API has no ${name}${didYouMean(name, Object.keys(known)) || `; it has ${Object.keys(known).join(', ')}`}`,
    ];
  return known[name] === is ? [`${part}: ${name} is ${is} in the client API too; remove the entry`] : [];
}

/** What can be replaced, by its name, and what it is in our contract. */
function knownNames({
  matrix,
  rules,
  document,
}: Specs): Readonly<Record<Part, Readonly<Record<string, string | number>>>> {
  const same = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
  const operations = operationsIn(document).filter(({ definition }) => definition['x-capability'] === undefined);
  return {
    headers: same(Object.values(matrix.headers).map(({ name }) => name)),
    paths: Object.fromEntries(operations.map(({ id, path }) => [id, path])),
    messages: mapped(rules.messages, ({ text }) => text),
    scopes: same(matrix.scopes),
    statuses: Object.fromEntries([
      ...operations.map(({ id, status }) => [id, status] as const),
      ...rules.refusals.flatMap((rule) => (rule.outcome ? [[rule.id, statusOf(rule)] as const] : [])),
    ]),
  };
}

/** The one status of a rule. A rule that admits several has none that an entry could repeat. */
function statusOf({ outcome = [] }: Rule): string | number {
  const [first, ...others] = outcome;
  return typeof first?.status === 'number' && others.length === 0 ? first.status : 'several statuses';
}

/** A rule with the status of its entry. An outcome with the message of another rule has the status of that rule. */
function withStatus(rule: Rule, { refusals }: Rules, statuses: Statuses): Rule {
  if (!rule.outcome) return rule;
  const own = statuses[rule.id];
  const outcome = rule.outcome.map((one) => {
    const from = refusals.find(({ id, outcome: other }) => id in statuses && other?.some((first) => isOf(one, first)));
    const status = own?.is ?? (from && statuses[from.id]?.is);
    return status === undefined ? one : { ...one, status };
  });
  return own ? { ...rule, outcome, basis: 'interpreted', reason: own.reason } : { ...rule, outcome };
}

/** A requirement whose sentence names the status of its entry. */
function withSentence(one: Requirement, { refusals }: Rules, statuses: Statuses): Requirement {
  const entries = refusals.flatMap((rule) => (rule.requirement === one.id && statuses[rule.id] ? [rule] : []));
  const { text } = one;
  if (text === undefined) return one;
  const sentence = entries.reduce(
    (words, rule) => words.replaceAll(`${statusOf(rule)}`, `${statuses[rule.id]?.is}`),
    text,
  );
  return { ...one, text: sentence };
}

/** Whether an outcome says what another does: the same message, with the same status. */
function isOf({ status, message }: Outcome, other: Outcome): boolean {
  return Array.isArray(message) && status === other.status && String(message) === String(other.message);
}

function withSuccess(document: OpenApiDocument, statuses: Statuses): OpenApiDocument {
  const paths = mapped(document.paths ?? {}, (item) =>
    mapped(item, (operation) => {
      const is = statuses[operation?.operationId ?? '']?.is;
      const responses = Object.entries(operation?.responses ?? {});
      if (is === undefined) return operation;
      return {
        ...operation,
        responses: Object.fromEntries(responses.map(([code, one]) => [isSuccess(code) ? is : code, one])),
      };
    }),
  );
  return { ...document, paths };
}

const isSuccess = (code: string): boolean => /^2\d\d$/.test(code);

function operationsIn({ paths = {} }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const definition = item[method];
      const status = Number(Object.keys(definition?.responses ?? {}).find(isSuccess));
      return definition?.operationId ? [{ id: definition.operationId, path, status, definition }] : [];
    }),
  );
}

/** A word such as MCP is no scope where it says which server, host or message is meant. */
const asScope = (name: string): string => `(?<![\\w-])${name}(?![\\w-]| (?:server|host|message|tool|endpoint))`;

/** Replaces patterns in every text and every name of a value, all at once, so that two names can be swapped. */
function renamer(names: readonly (readonly [pattern: string, is: string])[]): <T>(value: T) => T {
  if (names.length === 0) return (value) => value;
  const pattern = new RegExp(names.map(([one]) => `(${one})`).join('|'), 'g');
  const renamed = (text: string) =>
    text.replace(pattern, (found, ...groups: unknown[]) => {
      const at = groups.slice(0, names.length).findIndex((group) => group !== undefined);
      return names[at]?.[1] ?? found;
    });
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return renamed(value);
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [renamed(name), rename(one)]));
  };
  return <T>(value: T) => rename(value) as T;
}
