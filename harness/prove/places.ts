import type { Operation } from '../contract/openapi.ts';
import { barredFrom, lineOf, listed, scopesIn, type WrittenContract } from '../contract/written-contract.ts';
import type { Fault } from './server/evaluator.ts';

/** A requirement that the author of the contract left open, so that no server breaks it. */
export interface LeftOpen {
  readonly name: string;
  readonly reason: string;
}
/** What a contract says, as far as faults follow from it. No rule is read: a mistake in one must not hide its fault. */
export interface Frame {
  readonly written: WrittenContract;
  readonly operations: readonly Operation[];
}
export type Where = NonNullable<Fault['where']>;
/** Where a rule is broken: once for each form, kind or operation that it is about. */
export interface Place {
  readonly operation?: string;
  readonly words?: string;
  readonly where?: Where;
  /** What a server does that ignores the rule here, where it refuses only a part. */
  readonly part?: string;
}
export const placeOf = (operation: string): Place => ({ operation, words: operation, where: { operation } });

/** A line can have a text before the token, such as a scheme. Then a token can lack it, or have another. */
export function formsOf({ written: { credential } }: Frame): readonly Place[] {
  const { before, after } = typeof credential === 'string' ? lineOf(credential) : { before: '', after: '' };
  const scheme = after === '' ? /^(\S+) $/.exec(before)?.[1] : undefined;
  return [
    { words: 'the form without a token', where: { form: 'empty' } },
    ...(before + after === '' ? [] : [{ words: 'a token alone', where: { form: 'no-scheme' } } as const]),
    ...(scheme === undefined || scheme === 'Basic'
      ? []
      : [{ words: 'a token with another scheme', where: { form: 'other-scheme' } } as const]),
  ];
}

// Written again, and not taken from the derived matrix: what that loses by mistake must still be planted.
const VALIDITIES: readonly string[] = ['valid', 'future-expiry', 'expired', 'tampered'];
const HOLDINGS: readonly string[] = ['all', 'none', 'single', 'all-but'];

export function kindsThatAre({ written }: Frame, validity: string): readonly Place[] {
  return Object.entries(written.kinds)
    .filter(([, { validities = VALIDITIES, never = {} }]) => validities.includes(validity) && !(validity in never))
    .map(([kind]) => ({ words: kind, where: { kind } }));
}

export function barredKinds({ written }: Frame): readonly Place[] {
  return Object.keys(written.operations).flatMap((operation) =>
    barredFrom(written, operation).map((kind) => ({
      operation,
      words: `${operation}, ${kind}`,
      where: { operation, kind },
    })),
  );
}

/** A way in which a token may hold scopes. */
interface Held {
  readonly name: string;
  /** The scopes that the operation needs and such a token lacks. */
  readonly lacks: readonly string[];
}

/** What the tokens of kinds that reach an operation may hold. */
export function heldAt({ written }: Frame, operation: string): readonly Held[] {
  const scopes = scopesIn(written);
  const needs = listed(written.operations[operation]?.needs);
  const parts = scopes.length > 1 ? scopes : [];
  const all: readonly (readonly [name: string, form: string, held: readonly string[]])[] = [
    ['all', 'all', scopes],
    ['none', 'none', []],
    ...parts.map((scope) => [`only:${scope}`, 'single', [scope]] as const),
    ...parts.map((scope) => [`all-but:${scope}`, 'all-but', scopes.filter((one) => one !== scope)] as const),
  ];
  const barred = barredFrom(written, operation);
  const kinds = Object.entries(written.kinds).flatMap(([kind, one]) => (barred.includes(kind) ? [] : [one]));
  return all
    .filter(([name, form]) =>
      kinds.some(
        ({ holdings = HOLDINGS, never = {} }) => holdings.includes(form) && !(form in never) && !(name in never),
      ),
    )
    .map(([name, , held]) => ({ name, lacks: needs.filter((scope) => !held.includes(scope)) }));
}

/** Each operation without any scope that it needs, and without one of several. */
export function scopesOf(frame: Frame): readonly Place[] {
  return frame.operations.flatMap(({ id: operation }): readonly Place[] => {
    if (heldAt(frame, operation).every(({ lacks }) => lacks.length === 0)) return [];
    return [
      placeOf(operation),
      ...lacksShown(frame, operation).map((scope) => ({
        operation,
        part: `the scope ${scope} is not needed, ${operation}`,
        where: { operation, lacks: scope },
      })),
    ];
  });
}

/** The scopes of which depth core sends tokens that lack just one. Of two scopes, a token with the other one does. */
function lacksShown(frame: Frame, operation: string): readonly string[] {
  const needs = listed(frame.written.operations[operation]?.needs);
  const names = heldAt(frame, operation).map(({ name }) => name);
  if (needs.length < 2) return [];
  return needs.filter((scope) => {
    const [other] = needs.filter((one) => one !== scope);
    return names.includes(needs.length === 2 ? `only:${other}` : `all-but:${scope}`);
  });
}

/** The scopes of which depth core does not show that each is needed. */
export function lacksNotShown(frame: Frame): readonly LeftOpen[] {
  return Object.entries(frame.written.operations).flatMap(([operation, one]) => {
    const needs = listed(one.needs);
    if (needs.length < 2 || lacksShown(frame, operation).length === needs.length) return [];
    return [{ name: `scope.${operation} (one scope of several)`, reason: NOT_AT_CORE }];
  });
}
const NOT_AT_CORE = 'depth core sends no token that lacks just one of them';
