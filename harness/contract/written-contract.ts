import { didYouMean } from './configuration-error.ts';
import type { Kind, StatusPattern } from './contract.ts';
import { scopeInName } from './holdings.ts';
import type { Identity } from './people.ts';
import type { Placed } from './yaml-file.ts';

/** An operation as somebody wrote it; schemas/contract.schema.json has the words. */
export interface WrittenOperation {
  readonly request?: string;
  readonly is?: string;
  readonly needs?: string | readonly string[];
  readonly path?: Readonly<Record<string, string | number>>;
  readonly body?: Record<string, unknown>;
  readonly success?: number;
  readonly harmless?: boolean;
  readonly slow?: boolean;
}

/** A contract that stands alone. */
export interface WrittenContract {
  readonly name: string;
  readonly openapi?: string;
  readonly people?: string;
  readonly credential: string | { readonly query: string };
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

/** The scopes that operations need, each once. */
export function scopesIn({ operations }: WrittenContract): readonly string[] {
  return [...new Set(Object.values(operations).flatMap(({ needs }) => listed(needs)))];
}

/** The operation that shows who one is, if the contract has one. */
export function identityIn({ identity }: WrittenContract): Identity | undefined {
  return identity && 'operation' in identity ? identity : undefined;
}

/** What no schema sees: names that the contract does not have, and what changes nothing. One line for each. */
export function writtenProblems({ data, at }: Placed<WrittenContract>): string[] {
  const { operations, kinds, acting, scopes = {}, identity } = data;
  const problems: string[] = [];
  const known = (names: readonly string[], all: object, [pointer, what]: readonly [string, string]) => {
    for (const name of names)
      if (!Object.hasOwn(all, name))
        problems.push(`${at(pointer)}: ${what} ${name}${didYouMean(name, Object.keys(all)) || noneSuch(all)}`);
  };
  known(listed(acting?.by), kinds, ['/acting/by', 'acting: unknown kind']);
  known(listed(acting?.loses), operations, ['/acting/loses', 'acting: unknown operation']);
  known(given(identityIn(data)?.operation), operations, ['/identity/operation', 'identity: unknown operation']);
  if (acting?.is === 'required' && acting.loses !== undefined)
    problems.push(`${at('/acting/loses')}: acting: who must act as somebody has nothing to lose; remove loses`);
  if (acting && identity === undefined)
    problems.push(
      `${at('/acting')}: acting: nothing shows whether it takes effect; name the operation that shows who one is (identity), or say why there is none (identity: { none: ... })`,
    );
  const used = scopesIn(data);
  for (const name of Object.keys(scopes))
    if (!used.includes(name))
      problems.push(`${at('/scopes', name)}: scopes: no operation needs ${name}${didYouMean(name, used)}`);
  for (const name of used) {
    const same = used.find((other) => other !== name && scopeInName(other) === scopeInName(name));
    if (same !== undefined)
      problems.push(`${at('/operations')}: operations: ${name} and ${same} are one name in variables`);
  }
  for (const [kind, { validities = ['valid'], holdings = ['all'], never = {} }] of Object.entries(kinds)) {
    if (!validities.includes('valid'))
      problems.push(`${at(`/kinds/${kind}/validities`)}: kinds: ${kind} has no valid token`);
    if (!holdings.includes('all'))
      problems.push(`${at(`/kinds/${kind}/holdings`)}: kinds: ${kind} has no token with every scope`);
    for (const name of Object.keys(never))
      if ([...validities, ...holdings].includes(name))
        problems.push(`${at(`/kinds/${kind}/never`, name)}: kinds: ${kind} has ${name}, and never has it`);
  }
  return problems;
}

const given = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name]);
const noneSuch = (all: object): string => `; it has ${Object.keys(all).join(', ')}`;
