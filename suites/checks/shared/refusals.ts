import type { CheckApi } from '../../../harness/checks/check.ts';
import { withArticle } from '../../../harness/contract/amounts.ts';
import { given } from '../../../harness/contract/collections.ts';
import {
  ACT_AS,
  actsAs,
  type Contract,
  type Dimension,
  type HeaderDimension,
  headerOf,
  type Values,
} from '../../../harness/contract/contract.ts';
import { neededScopes, scopesOf } from '../../../harness/contract/holdings.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { personVariable } from '../../../harness/contract/people.ts';
import { neutralCase, valuesOf } from '../../../harness/plan/case.ts';
import { type Acting, actingAs } from '../../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { credentialLine, linesFor, placeholders } from '../../../harness/plan/request.ts';
import { type Fault, oncePerFamily } from './breadth.ts';
import type { Base } from './send-varied.ts';

/** A request with one fault, which must be refused however it is asked. */
export interface Refusal extends Fault, Base {
  readonly planned: PlannedCase;
  /** The kind whose documented request is its control. */
  readonly controlKind: string;
  /** Who it acts as. Undefined if it names nobody that exists, and for tokens that act as nobody. */
  readonly acting: Acting | undefined;
  /** In which part it differs from its control. */
  readonly fault: Dimension;
  /** The request in words. */
  readonly what: string;
}

/** The parts of a request that decide whether it is refused, and that no other header, parameter or body changes. */
const partsOf = ({ headers }: Contract): readonly Dimension[] => ['validity', 'holding', ...headers, 'authorization'];

/**
 * The refusals of a kind of token, as the plan has them: the well-made request with one value changed, where only one
 * requirement can be broken and nothing is left open. One for each part and requirement, and for each person that the token
 * can act as.
 * @param which with `every`, one for each value.
 */
export function refusalsOf(
  api: CheckApi,
  operation: Operation,
  kind: string,
  which: 'one' | 'every' = 'one',
): readonly Refusal[] {
  const { contract } = api;
  const definition = contract.matrix.kinds[kind];
  const withFault = (fault: Dimension): readonly Found[] => {
    const values = definition ? valuesOf(contract, operation, definition, fault) : [];
    const found = (fault === 'holding' ? nearestFirst(contract, values) : values).flatMap((value) => {
      const planned = api.planned(operation.id, kind, { [fault]: value });
      return planned?.credential ? refusalFrom(planned, { controlKind: kind, fault }) : [];
    });
    return found.filter(
      (one, at) => which === 'every' || found.findIndex(({ requirement }) => requirement === one.requirement) === at,
    );
  };
  return partsOf(contract)
    .flatMap(withFault)
    .flatMap((one) => forPeople(api, one).map((person) => written(api, one, person)));
}

/** What has the most scopes first, and of those what another operation needs: a server may take one scope for another. */
function nearestFirst(contract: Contract, holdings: readonly string[]): readonly string[] {
  const needed = neededScopes(contract);
  const rank = (holding: string) => {
    const held = scopesOf(contract, holding);
    return held.length + held.filter((scope) => needed.has(scope)).length;
  };
  return [...holdings].sort((one, other) => rank(other) - rank(one));
}

/** The refusals of requests without an issued token, which have the other headers of this kind. */
export function refusalsWithoutToken(api: CheckApi, operation: Operation, controlKind: string): readonly Refusal[] {
  const { values } = neutralCase(api.contract, operation.id, controlKind);
  const headers = Object.fromEntries(api.contract.headers.map((name) => [name, values[name] ?? 'absent']));
  return ['none', 'unknown'].flatMap((kind) => ofKind(api, api.planned(operation.id, kind, headers), controlKind));
}

/** The refusals of kinds of token that may not use the operation, once for each family. */
export function refusalsOfBarred(api: CheckApi, operation: Operation, controlKind: string): readonly Refusal[] {
  const all = api.claims.kinds.flatMap((kind) => ofKind(api, api.barred(operation.id, kind), controlKind));
  return oncePerFamily(api, all, 'first');
}

function ofKind(api: CheckApi, planned: PlannedCase | undefined, controlKind: string): readonly Refusal[] {
  const found = planned ? refusalFrom(planned, { controlKind, fault: 'kind' }) : [];
  return found.map((one) => written(api, one, 'actAs'));
}

interface OfKinds {
  readonly kinds: readonly string[];
  /** The kind that has a refusal which several kinds of a family can have. */
  readonly which: 'first' | 'last';
}

/**
 * The refusals of these kinds, of an unknown token and of none. Without the whole breadth, one a family for each part, for the
 * person whom every token acts as.
 */
export function refusalsOfKinds(api: CheckApi, operation: Operation, { kinds, which }: OfKinds): readonly Refusal[] {
  const all = kinds.map((kind) => {
    const withoutToken = [...refusalsWithoutToken(api, operation, kind)].reverse();
    return [...refusalsOf(api, operation, kind).filter(isOfIssued), ...withoutToken];
  });
  if (api.breadth === 'whole') return all.flat();
  const firstOfParts = all.flatMap((own) =>
    own.filter(
      ({ acting = 'actAs', fault, requirement }) =>
        acting === 'actAs' && own.find((one) => one.fault === fault)?.requirement === requirement,
    ),
  );
  return oncePerFamily(api, firstOfParts, which);
}

/** One that was tampered with, or that is no bearer token, is often read like one of nobody, and is not blamed beside that. */
export function isOfIssued({ planned: { values } }: Pick<Refusal, 'planned'>): boolean {
  return values.validity !== 'tampered' && values.authorization === 'bearer';
}

/** Whether a header is wrong or missing, and not the token. */
export const isInHeader = ({ contract }: CheckApi, { fault }: Pick<Refusal, 'fault'>): boolean =>
  contract.headers.includes(fault);

type Found = Pick<Refusal, 'planned' | 'requirement' | 'kind' | 'controlKind' | 'fault'>;

/** None if another requirement may be broken too, if something is left open, or if the refusal is advice only. */
function refusalFrom(planned: PlannedCase, head: Pick<Refusal, 'controlKind' | 'fault'>): readonly Found[] {
  const { kind, suspects, silent } = planned.expectation;
  const [first] = suspects;
  const isSole = suspects.every(({ requirement, level }) => requirement === first?.requirement && level === 'must');
  if (kind !== 'refuse' || silent.length > 0 || !first || !isSole) return [];
  return [{ planned, requirement: first.requirement, kind: planned.values.kind, ...head }];
}

/**
 * What must be refused to a token that acts as somebody is refused for either person (outcomes 2). With the whole breadth, who no
 * longer exists is nobody, too (outcomes 5).
 */
function forPeople({ contract, people, breadth }: CheckApi, { planned, kind, fault }: Found): readonly Acting[] {
  const isGone = fault === ACT_AS && planned.values[ACT_AS] === 'unknown';
  if (isGone && people.former !== undefined && breadth === 'whole') return ['actAs', 'former'];
  const isSomebody = actsAs(contract, kind) && planned.values[ACT_AS] === 'existing';
  return isSomebody && people.user !== undefined ? ['actAs', 'user'] : ['actAs'];
}

function written({ contract, people, unknownToken }: CheckApi, found: Found, person: Acting): Refusal {
  const { planned, kind, fault } = found;
  const { values, credential } = planned;
  const known = placeholders(actingAs(people, person), credential?.token ?? '', unknownToken);
  const linesOf = (dimension: HeaderDimension) => {
    const header = headerOf(contract, dimension);
    return (linesFor(header, values[dimension] ?? 'absent', known) ?? []).map((line) => [header.name, line] as const);
  };
  const [authorization = null] = linesOf('authorization').map(([, line]) => line);
  return {
    ...found,
    acting: values[ACT_AS] === 'existing' ? person : undefined,
    what: `${inWords(contract, values, { kind, fault })}${beside(contract, person)}`,
    credential,
    authorization: authorization === credentialLine(contract, credential?.token ?? '') ? undefined : authorization,
    headers: contract.headers.flatMap(linesOf),
  };
}

function beside(contract: Contract, person: Acting): string {
  if (person === 'actAs') return '';
  return person === 'user'
    ? ` acting as $${personVariable(contract, 'USER')}`
    : `: $${personVariable(contract, 'FORMER')}`;
}

/** `a GLOBAL token without X-Service-ActAs` */
function inWords(contract: Contract, values: Values, { kind, fault }: Pick<Refusal, 'kind' | 'fault'>): string {
  const token = withArticle(`${kind} token`);
  switch (fault) {
    case 'kind':
      if (kind === 'none') return 'a request without a token';
      return kind === 'unknown' ? 'a token that nobody issued' : token;
    case 'validity':
      return withArticle(`${values.validity} ${kind} token`);
    case 'holding':
      return values.holding === 'none' ? `${token} without the scope` : `${token} with ${values.holding}`;
    default: {
      const { name } = headerOf(contract, fault);
      const value = values[fault] ?? 'absent';
      if (value === 'absent') return `${token} without ${name}`;
      return `${token} and ${name}, ${contract.matrix.dimensions[fault]?.[value]}`;
    }
  }
}

/** The documented request of a kind of token, with X-Service-ActAs if `named` is given. */
export const baseOf = (api: CheckApi, kind: string, named?: string) => ({
  credential: api.full(kind),
  headers: kindHeaders(api, kind, named),
});

/** The header lines that a token of the kind needs besides Authorization, with X-Service-ActAs if `named` is given. */
export function kindHeaders({ contract, people }: CheckApi, kind: string, named?: string): [string, string][] {
  const neutral = contract.matrix.kinds[kind]?.neutral ?? {};
  const actAs = named ?? (actsAs(contract, kind) ? people.actAs : undefined);
  return contract.headers.flatMap((dimension) => {
    const { name, lines } = headerOf(contract, dimension);
    const written = dimension === ACT_AS ? given([actAs]) : (lines[neutral[dimension] ?? 'absent'] ?? []);
    return written.map((line): [string, string] => [name, line]);
  });
}
