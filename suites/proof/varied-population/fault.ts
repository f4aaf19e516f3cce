import { identify } from '../../../fixtures/plain/answers.ts';
import { plainChecks } from '../../../fixtures/plain/checks.ts';
import { peopleEnv, userEmail } from '../../../fixtures/plain/people.ts';
import { bodyField, headerOf, type PlainRequest } from '../../../fixtures/plain/request.ts';
import type { Decision } from '../../../harness/record/exchange.ts';
import type { Variation } from '../../variations/variation.ts';

/** A request that lacks one thing, or a search for the document of another person. */
export interface Base {
  readonly operation: string;
  /** The kind of token, `none` or `unknown`. */
  readonly kind: string;
  /** The check that refuses it. Undefined if it is accepted, and must not find the document. */
  readonly check: string | undefined;
  /** Who it names. Empty for nobody. */
  readonly person: string;
}

/** With a variation, one base is accepted, or shows the documents of everybody. */
export interface Fault extends Base {
  /** The place of the variation among all of its operation. Values name the port of a target, so that they differ by run. */
  readonly at: number;
}

/** The checks of a target that also serves any content type. Each fault breaks one: who names nobody is not also unknown. */
export const checks = plainChecks
  .filter(({ id }) => id !== 'body.type')
  .map(({ id, check }) => ({
    id,
    check: (request: PlainRequest) =>
      id === 'act-as.unknown' && !headerOf(request, 'x-service-actas') ? undefined : check(request),
  }));

/** Checks that refuse what a row does by itself, such as two lines of a header, or fields that stand deeper. Without the row, such a request is right. */
const OF_ROWS = ['header.doubled', 'body.options', 'body.fields'];

/** Undefined if more than one thing is wrong with a request, or only its variation. */
export function baseOf(request: PlainRequest): Base | undefined {
  const held = checks.filter(({ check }) => check(request));
  const { operation, record, token } = request;
  if (!operation || held.length > 1 || held.some(({ id }) => OF_ROWS.includes(id))) return undefined;
  // The specification leaves open what another auth type means.
  if (held[0]?.id === 'auth-type' && headerOf(request, 'x-service-auth-type') !== undefined) return undefined;
  return {
    operation: operation.scope.toLowerCase(),
    kind: record?.kind ?? (token === undefined ? 'none' : 'unknown'),
    check: held[0]?.id,
    // The name of nobody differs by run.
    person: headerOf(request, 'x-service-actas')?.replace(/^nobody-\w+/, 'nobody') ?? '',
  };
}

export function looksForOther(request: PlainRequest): boolean {
  const query = bodyField(request, 'query');
  return query === (identify(request) === userEmail ? peopleEnv.ACT_AS_PRIVATE_QUERY : peopleEnv.USER_PRIVATE_QUERY);
}

export const unitOf = ({ operation, kind, check, person }: Base): string =>
  [operation, kind, check ?? 'hidden', person].join(' ');

/** Whether a decision blames the requirement that a fault breaks, where it breaks it, and names its variation alone. */
export function isBlame(
  { requirement, operation, kind, detail }: Decision,
  fault: Fault,
  { how, value }: Variation,
): boolean {
  const named = fault.check === undefined ? ` token and ${how}, $` : ` is accepted with ${how}`;
  const isNamed = fault.check === undefined ? detail.includes(named) : detail.endsWith(named);
  return (
    isNamed &&
    operation === fault.operation &&
    kind === fault.kind &&
    requirement === requirementOf(fault, JSON.stringify(value))
  );
}

function requirementOf({ operation, kind, check }: Fault, value: string): string {
  if (check !== undefined) return REQUIREMENTS[check]?.replace('{operation}', operation) ?? check;
  if (kind === 'GLOBAL') return 'act-as.effective';
  const [local = ''] = peopleEnv.ACT_AS_EMAIL.split('@');
  return value.includes(local) ? 'act-as.no-escalation' : 'user.isolation';
}

/** The requirement of each check whose name is another. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  scope: 'scope.{operation}',
  'auth-type': 'auth-type.missing',
  'authorization.missing': 'authorization.required',
};
