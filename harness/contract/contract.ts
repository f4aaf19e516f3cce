import type { CheckRow, Need } from './check-row.ts';
import type { Operation, Operations } from './openapi.ts';
import type { Identity, PeopleNames } from './people.ts';
import type { Section } from './sections.ts';
import type { Table } from './table.ts';
import type { Variations } from './variations.ts';

/** The things in which the cases of every contract differ, in the order of case ids. Their values are data (matrix.yaml). */
const [BEFORE_HEADERS, AFTER_HEADERS] = [
  ['operation', 'kind', 'validity', 'holding'],
  ['authorization', 'header-case', 'body'],
] as const;
/** A header in which cases differ: a key of `headers` in matrix.yaml. A contract names its own. */
export type HeaderDimension = string;
export type Dimension = (typeof BEFORE_HEADERS | typeof AFTER_HEADERS)[number] | HeaderDimension;
/** The header that names the person a token acts as, in a contract in which tokens can act as somebody. */
export const ACT_AS = 'act-as';

/** What follows from the values of a case. A rule may use a trait like a dimension. */
type Trait = 'family' | 'scope' | 'holding-form';
type KnownAspect = (typeof BEFORE_HEADERS | typeof AFTER_HEADERS)[number] | Trait;
export type Aspect = KnownAspect | HeaderDimension;
/** The value of a case in each dimension, and its traits. */
export type Values = Readonly<Record<KnownAspect, string>> & Readonly<Record<HeaderDimension, string>>;

/** The dimensions of a contract, and those of its headers besides Authorization: both in the order of case ids. */
export function dimensionsOf(matrix: Pick<Matrix, 'headers'>): Pick<Contract, 'dimensions' | 'headers'> {
  const headers = Object.keys(matrix.headers).filter((name) => name !== 'authorization');
  return { dimensions: [...BEFORE_HEADERS, ...headers, ...AFTER_HEADERS], headers };
}

/** How much of the matrix a run sends, from least to most. */
export const DEPTHS = ['core', 'pairwise', 'triples', 'full'] as const;
export type Depth = (typeof DEPTHS)[number];

export type Level = 'must' | 'should' | 'advisory';
/** Whether the source of a requirement states it, or the project reads it that way, and why (outcomes 1). */
export type Attribution =
  | { readonly basis: 'stated'; readonly reason?: never }
  | { readonly basis: 'interpreted'; readonly reason: string };
export type Basis = Attribution['basis'];
/** A condition over the values of a case: each aspect must have the given value, or one of the given values. */
export type When = Readonly<Record<Aspect, string | readonly string[]>>;

export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly level?: Level;
  readonly text?: string;
  readonly excluded?: string;
  /** Only for a requirement that no rule, message or acceptance cites. The others have the attribution of those. */
  readonly basis?: Basis;
  readonly reason?: string;
  /** For these kinds of token the requirement is interpreted although it is stated for others. */
  readonly interpreted?: { readonly when: When; readonly reason: string };
  readonly capability?: string;
  /** The tokens that it is about. Only for a requirement that no rule cites: the conditions of rules say the same. */
  readonly concerns?: When;
  /** The requirements that say the same of other tokens, or of another part of the target. If a target misses both, that is one cause. */
  readonly siblings?: readonly string[];
  /** The requirements whose breach brings that of this one with it: who asks for no token cannot mind what one says. */
  readonly follows?: readonly string[];
  /** It keeps the data of one person from another. It is tested first, and what breaks it is shown first. */
  readonly grave?: true;
}
export type StatusPattern = number | '2xx' | '3xx' | '4xx';
/** The statuses of a busy or locked server. A run waits, sends again, and never judges them (outcomes 3). */
export const NEVER_JUDGED: readonly StatusPattern[] = [408, 423, 429];
export interface Outcome {
  readonly status: StatusPattern | readonly StatusPattern[];
  /** `none`: no documented message may appear. A list: one of these must appear. Absent: any text is fine. */
  readonly message?: 'none' | readonly string[];
  readonly verdict?: 'warn';
}
type RuleHead = Attribution & {
  readonly id: string;
  readonly requirement: string;
  readonly when: When;
};
export type Rule =
  | (RuleHead & { readonly outcome: readonly Outcome[]; readonly silent?: never })
  | (RuleHead & { readonly silent: string; readonly never: readonly '5xx'[]; readonly outcome?: never });
export type Message = Attribution & {
  readonly text: string;
  readonly requirement: string;
  readonly allowed: readonly When[];
};
export type Acceptance = Attribution & {
  readonly requirement: string;
  readonly when: When;
};
export interface Rules {
  readonly messages: Readonly<Record<string, Message>>;
  readonly refusals: readonly Rule[];
  readonly acceptances: readonly Acceptance[];
}
export const FAMILIES = ['none', 'unknown', 'service', 'own', 'external'] as const;
/** The rule of the cases that must be accepted. */
export const ACCEPTED = 'accepted';
export type Family = (typeof FAMILIES)[number];
export interface Kind {
  readonly family: Family;
  readonly authorization?: readonly string[];
  readonly validities?: readonly string[];
  readonly holdings?: readonly string[];
  readonly neutral: Readonly<Record<Dimension, string>>;
  /** Its tokens may act as somebody, and need not. */
  readonly acts?: 'optional';
  /** How somebody gets such a token, in a contract that somebody wrote. */
  readonly made?: string;
  /** Validities and holdings that such tokens never have, and why. Their cases are listed as not tried. */
  readonly never?: Readonly<Record<string, string>>;
}
export interface Exclusion {
  readonly when: When;
  readonly reason: string;
}
/** The name of a header, and the header lines to send for each value of its dimension. */
export interface HeaderLines {
  readonly name: string;
  readonly lines: Readonly<Record<string, readonly string[]>>;
  /** A token may stand in the query instead, as the value of a parameter. */
  readonly in?: 'query';
  /** Other headers in which the target takes a token as well. */
  readonly alternatives?: readonly string[];
}
type Meanings = Readonly<Record<string, string>>;
export interface Matrix {
  /** In the order in which they are sent. */
  readonly headers: Readonly<Record<'authorization', HeaderLines>> & Readonly<Record<HeaderDimension, HeaderLines>>;
  readonly dimensions: Readonly<Record<'validity' | 'authorization' | 'header-case' | 'body', Meanings>> &
    Readonly<Record<HeaderDimension, Meanings>>;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly scopes: readonly string[];
  /** What the target calls a scope, where it does not call it so. */
  readonly wire?: Readonly<Record<string, string>>;
  readonly sets: Readonly<Record<string, readonly string[]>>;
  readonly exclusions: readonly Exclusion[];
  readonly depths: {
    readonly core: {
      readonly description: string;
      /** The rules of which core breaks every pair. */
      readonly faults: readonly string[];
      /** What must be accepted of each operation and kind, beside the well-made request. */
      readonly acceptances: readonly When[];
    };
    readonly pairwise: { readonly description: string };
    readonly triples: { readonly description: string };
    readonly full: { readonly description: string };
  };
}
/** What the build works out from a contract, so that no command does (plan/strength/prepare.ts). A row is a case. */
export interface Prepared {
  /** The cases of each depth: their values in the order of the dimensions. */
  readonly depths: Readonly<Record<Exclude<Depth, 'full'>, Table>>;
  /** Every case that shows one rule (plan/strength/isolation.ts). */
  readonly isolated: Table;
  /** How many cases of depth full can decide each requirement (plan/requirements-about.ts). */
  readonly atFull: Readonly<Record<string, number>>;
}
/** The name of our contract. */
export const OWN_NAME = 'client-api';

/** What a target must do, read from specs/ and checked. */
export interface Contract extends Operations {
  /** `client-api` for ours. */
  readonly name: string;
  readonly requirements: readonly Requirement[];
  readonly rules: Rules;
  /** The checks, in the order in which a run takes them. */
  readonly checks: readonly CheckRow[];
  readonly matrix: Matrix;
  /** What follows from the headers of the matrix (dimensionsOf). */
  readonly dimensions: readonly Dimension[];
  readonly headers: readonly HeaderDimension[];
  readonly sections: readonly Section[];
  readonly people: PeopleNames;
  readonly identity?: Identity | undefined;
  /** What checks can need of it. */
  readonly has: readonly Need[];
  /** How a request can be asked otherwise. They are the same for every contract, and no part of its digest. */
  readonly variations: Variations;
  /** Absent if no build read these specs. */
  readonly prepared?: Prepared;
  /** A hash of the data that decides. A journal is judged again only under the contract of its run. */
  readonly digest: string;
}

/** The name of a contract that somebody else wrote; undefined for ours. */
export function ownContractOf({ name }: Pick<Contract, 'name'>): string | undefined {
  return name === OWN_NAME ? undefined : name;
}

export function messageText({ rules }: Pick<Contract, 'rules'>, id: string): string {
  return rules.messages[id]?.text ?? id;
}

/** Whether tokens of a kind act as another person, whom a well-formed request names in `X-Service-ActAs`. */
export function actsAs({ matrix }: Pick<Contract, 'matrix'>, kind: string): boolean {
  return ![undefined, 'absent'].includes(matrix.kinds[kind]?.neutral[ACT_AS]);
}

/** Whether tokens of a kind may act as another person, or must. */
export function mayAct(contract: Pick<Contract, 'matrix'>, kind: string): boolean {
  return actsAs(contract, kind) || contract.matrix.kinds[kind]?.acts === 'optional';
}

/** A header of the contract, for what is asked only where the contract has it. */
export function headerOf({ matrix }: Pick<Contract, 'matrix'>, dimension: HeaderDimension): HeaderLines {
  const header = matrix.headers[dimension];
  if (!header) throw new Error(`no header ${dimension} in the contract`);
  return header;
}

/** The operation with this id. The contract must have one. */
export function operationOf({ operations }: Pick<Contract, 'operations'>, id: string): Operation {
  const operation = operations.find((known) => known.id === id);
  if (!operation) throw new Error(`no operation ${id} in the contract`);
  return operation;
}

/** Fills in a template: `scope.{operation}` is `scope.search` for the operation `search`. */
export function requirementFor(template: string, operation: string): string {
  return template.replace('{operation}', operation);
}

export function holds(when: When, values: Readonly<Partial<Record<Aspect, string | undefined>>>): boolean {
  for (const aspect in when) {
    const wanted = when[aspect];
    const value = values[aspect];
    if (value === undefined) return false;
    const matches = typeof wanted === 'string' ? wanted === value : wanted?.includes(value);
    if (!matches) return false;
  }
  return true;
}
