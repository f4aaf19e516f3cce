import { given } from './collections.ts';
import { didYouMean } from './configuration-error.ts';
import { type Kind, OWN_NAME, type StatusPattern } from './contract.ts';
import { formOf, readHolding, scopeInName } from './holdings.ts';
import type { Identity } from './people.ts';
import type { Placed } from './yaml-file.ts';

/** An operation as somebody wrote it; schemas/contract.schema.json has the words. */
export interface WrittenOperation {
  readonly request?: string;
  readonly is?: string;
  readonly needs?: string | readonly string[];
  readonly by?: string | readonly string[];
  readonly path?: Readonly<Record<string, string | number>>;
  readonly body?: Record<string, unknown>;
  readonly success?: number;
  readonly harmless?: boolean;
  readonly slow?: boolean;
}

export interface WrittenContract {
  readonly name: string;
  readonly openapi?: string;
  readonly people?: string;
  readonly credential: string | { readonly query: string };
  readonly alternatives?: readonly string[];
  readonly scopes?: Readonly<Record<string, { readonly wire: string }>>;
  readonly operations: Readonly<Record<string, WrittenOperation>>;
  readonly kinds: Readonly<Record<string, Pick<Kind, 'made' | 'validities' | 'holdings' | 'never'>>>;
  readonly acting?: {
    readonly header: string;
    readonly by: string | readonly string[];
    readonly is: 'required' | 'optional';
    readonly loses?: string | readonly string[];
  };
  readonly identity?: Identity | { readonly none: string };
  readonly rules?: Readonly<Record<string, Override>>;
}

/** What a rule expects instead, or why it is left open. */
export type Override =
  | { readonly expect: StatusPattern | readonly StatusPattern[]; readonly reason: string; readonly silenced?: never }
  | { readonly silenced: string; readonly expect?: never };

/** One name, or several. */
export const listed = (names: string | readonly string[] | undefined): readonly string[] => [names ?? []].flat();

/** The header of a credential, and what stands in its line before the token and after it. */
export function lineOf(credential: string): Readonly<Record<'name' | 'before' | 'after', string>> {
  const [, name = '', before = '', after = ''] = /^([^:]+): ?(.*)\{token\}(.*)$/.exec(credential) ?? [];
  return { name, before, after };
}

export function scopesIn({ operations }: WrittenContract): readonly string[] {
  return [...new Set(Object.values(operations).flatMap(({ needs }) => listed(needs)))];
}

export function barredFrom({ operations, kinds }: WrittenContract, operation: string): readonly string[] {
  const { by } = operations[operation] ?? {};
  return by === undefined ? [] : Object.keys(kinds).filter((kind) => !listed(by).includes(kind));
}

export function identityIn({ identity }: WrittenContract): Identity | undefined {
  return identity && 'operation' in identity ? identity : undefined;
}

/**
 * What no schema sees: names that the contract or its OpenAPI document does not have, and what changes nothing. One line for
 * each.
 * @param declared the scopes of the document; none if it names none.
 */
export function writtenProblems({ data, at }: Placed<WrittenContract>, declared: readonly string[] = []): string[] {
  const { operations, kinds, acting, scopes = {}, identity } = data;
  const problems: string[] = [];
  if (data.name === OWN_NAME)
    problems.push(`${at('', 'name')}: name: ${OWN_NAME} is the contract that this package has; call yours otherwise`);
  const count = Object.keys(operations).length;
  if (count > MOST_OPERATIONS)
    problems.push(
      `${at('', 'operations')}: operations: ${count} of them, wanted at most ${MOST_OPERATIONS}, since a run asks each hundreds of times; write the others as comments, or into another contract`,
    );
  const known = (names: readonly string[], all: object, [pointer, what]: readonly [string, string]) => {
    for (const name of names)
      if (!Object.hasOwn(all, name)) problems.push(`${at(pointer)}: ${what} ${name}${likely(name, Object.keys(all))}`);
  };
  known(listed(acting?.by), kinds, ['/acting/by', 'acting: unknown kind']);
  known(listed(acting?.loses), operations, ['/acting/loses', 'acting: unknown operation']);
  known(listed(identityIn(data)?.operation), operations, ['/identity/operation', 'identity: unknown operation']);
  if (acting?.is === 'required' && acting.loses !== undefined)
    problems.push(`${at('/acting/loses')}: acting: who must act as somebody has nothing to lose; remove loses`);
  const lost = listed(acting?.loses);
  const barred = lost.find((id) => listed(acting?.by).every((kind) => barredFrom(data, id).includes(kind)));
  if (barred !== undefined)
    problems.push(
      `${at('/acting/loses')}: acting: no token that acts reaches ${barred} anyway (by); remove it from loses`,
    );
  const shown = identityIn(data)?.operation;
  if (shown !== undefined && lost.includes(shown))
    problems.push(
      `${at('/acting/loses')}: acting: ${shown} shows whom a request acts as (identity); who acts needs it`,
    );
  if (acting && identity === undefined)
    problems.push(
      `${at('/acting')}: acting: nothing shows whether it takes effect; name the operation that shows who one is (identity), or say why there is none (identity: { none: ... })`,
    );
  problems.push(...carrierProblems(data, at));
  if (data.openapi !== undefined && Object.values(operations).every(({ is }) => is === undefined))
    problems.push(
      `${at('', 'openapi')}: openapi: no operation is one of the document; name one with is, or remove openapi`,
    );
  for (const [id, { is, path }] of Object.entries(operations))
    if (is === undefined && path !== undefined)
      problems.push(
        `${at(`/operations/${id}`, 'path')}: operations: ${id}: path fills an operation of the OpenAPI document (is); write the values into request`,
      );
  for (const [id, { by }] of Object.entries(operations)) {
    known(listed(by), kinds, [`/operations/${id}/by`, `operations: ${id}: unknown kind`]);
    if (by !== undefined && barredFrom(data, id).length === 0)
      problems.push(`${at(`/operations/${id}`, 'by')}: operations: ${id}: every kind reaches it anyway; remove by`);
  }
  for (const kind of Object.keys(kinds).filter((name) => /_TOKEN(?:_|$)/.test(name)))
    problems.push(
      `${at('/kinds', kind)}: kinds: ${kind}: variables of a kind have _TOKEN after its name; leave that out`,
    );
  for (const kind of Object.keys(kinds))
    if (Object.keys(operations).every((id) => barredFrom(data, id).includes(kind)))
      problems.push(`${at('/kinds', kind)}: kinds: ${kind} reaches no operation; name it at one (by), or remove it`);
  const used = scopesIn(data);
  const neededAt = (scope: string): string => {
    const [id = ''] = Object.keys(operations).filter((one) => listed(operations[one]?.needs).includes(scope));
    return at(`/operations/${id}/needs/${listed(operations[id]?.needs).indexOf(scope)}`);
  };
  for (const name of Object.keys(scopes))
    if (!used.includes(name))
      problems.push(`${at('/scopes', name)}: scopes: no operation needs ${name}${didYouMean(name, used)}`);
  for (const name of used) {
    const same = used.find((other) => other !== name && scopeInName(other) === scopeInName(name));
    if (same !== undefined)
      problems.push(`${neededAt(name)}: operations: ${name} and ${same} are one name in variables`);
    if (OF_TOKENS.test(scopeInName(name)))
      problems.push(
        `${neededAt(name)}: operations: the scope ${name} would give a token the variable of another one, as in ${Object.keys(kinds)[0]}_TOKEN_${scopeInName(name)}; call it otherwise, and give its own name as wire (scopes)`,
      );
    const wire = scopes[name]?.wire ?? name;
    // Who says that the server calls it so has not mistyped it.
    if (declared.length > 0 && !declared.includes(wire) && scopes[name]?.wire !== name)
      problems.push(
        `${name in scopes ? at('/scopes', name) : neededAt(name)}: the OpenAPI document has no scope ${wire}${likely(wire, declared).replace(/[^?]$/, '$&.')} If the server has it all the same, say so: scopes: { "${wire}": { wire: "${wire}" } }`,
      );
    const twin = used.find((other) => other > name && (scopes[other]?.wire ?? other) === wire);
    if (twin !== undefined)
      problems.push(
        `${at('/scopes', twin)}: scopes: ${name} and ${twin} are one scope for the server, ${wire}; name it once`,
      );
  }
  for (const [kind, { validities = ['valid'], holdings = ['all'], never = {} }] of Object.entries(kinds)) {
    if (OF_OTHERS.test(kind))
      problems.push(`${at('/kinds', kind)}: kinds: ${kind} begins the variable of another person; call it otherwise`);
    if (!validities.includes('valid'))
      problems.push(`${at(`/kinds/${kind}/validities`)}: kinds: ${kind} has no valid token`);
    if (!holdings.includes('all'))
      problems.push(`${at(`/kinds/${kind}/holdings`)}: kinds: ${kind} has no token with every scope`);
    for (const name of Object.keys(never)) {
      const { name: scope } = readHolding(name);
      if (scope !== '' && !used.includes(scope))
        problems.push(
          `${at(`/kinds/${kind}/never`, name)}: kinds: ${kind}: no operation needs ${scope}${didYouMean(scope, used)}`,
        );
      if (scope !== '' && Object.hasOwn(never, formOf(name)))
        problems.push(
          `${at(`/kinds/${kind}/never`, name)}: kinds: ${kind} never has ${formOf(name)} anyway; remove ${name}`,
        );
      if ([...validities, ...holdings].includes(name))
        problems.push(`${at(`/kinds/${kind}/never`, name)}: kinds: ${kind} has ${name}, and never has it`);
    }
  }
  return problems;
}

/** A run asks each hundreds of times, and keeps what came. */
export const MOST_OPERATIONS = 100;

/** Every run has these people. A kind with such a name would use the same variable as the person. */
export const OF_OTHERS = /^(?:ACT_AS|UNKNOWN|FORMER)$/;

/** What the names of token variables end with besides scopes. */
export const OF_TOKENS = /^(?:EXPIRED|EXPIRED_UNSCOPED|UNSCOPED|FUTURE_EXPIRY|FOREIGN|ALL_BUT_.*)$/;

/** The lines that HTTP needs, and those that every request of a run has. */
const WRITTEN: readonly string[] = [
  ...['accept', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
];

/** Lines that would be taken for each other. */
function carrierProblems(
  { credential, alternatives = [], acting, people }: WrittenContract,
  at: Placed<unknown>['at'],
): readonly string[] {
  const { name: carrier, before = '', after = '' } = typeof credential === 'string' ? lineOf(credential) : {};
  // A server may take the token in another scheme too, as with GitHub's `token`. What another scheme than Bearer leaves open is that one.
  const own = [...(/^(?!bearer)\S+ $/i.test(before) ? [] : [carrier]), acting?.header];
  const isWritten = (name = '') => WRITTEN.includes(name.toLowerCase());
  return given([
    isWritten(carrier) &&
      `${at('', 'credential')}: credential: every request has a line ${carrier} anyway; no token stands there`,
    isWritten(acting?.header) &&
      `${at('/acting', 'header')}: acting: every request has a line ${acting?.header} anyway; it names no person`,
    acting &&
      acting.header.toLowerCase() === carrier?.toLowerCase() &&
      `${at('/acting', 'header')}: acting: ${acting.header} carries the token; name the header of the other person`,
    ...alternatives.map(
      (one) =>
        own.some((known) => known?.toLowerCase() === one.toLowerCase()) &&
        `${at('', 'alternatives')}: alternatives: ${one} has its own line in this contract; name other headers`,
    ),
    carrier?.toLowerCase() === 'cookie' &&
      after !== '' &&
      `${at('', 'credential')}: credential: another cookie stands after the token; send it with CONFORMANCE_EXTRA_HEADERS`,
    people === 'TOKEN' &&
      `${at('', 'people')}: people: TOKEN ends the names of tokens; people are named by something else, such as LOGIN`,
  ]);
}

/** The name that is likely meant, or else those that there are, unless they are many. */
const likely = (name: string, all: readonly string[]): string =>
  didYouMean(name, all) || (all.length <= MOST_NAMES ? `; it has ${all.join(', ')}` : '');
const MOST_NAMES = 12;
