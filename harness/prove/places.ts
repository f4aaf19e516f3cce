import type { Operation } from '../contract/openapi.ts';
import { listed, scopesIn, type WrittenContract } from '../contract/written-contract.ts';
import type { Fault } from './server/evaluator.ts';

/** A requirement that the author of the contract left open, so that no server breaks it. */
export interface LeftOpen {
  readonly requirement: string;
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
/** An operation as the place of a fault. */
export const placeOf = (operation: string): Place => ({ operation, words: operation, where: { operation } });

/** A header can have a word before the token. Then a token can lack it, or have another. */
export function formsOf({ written: { credential } }: Frame): readonly Place[] {
  const scheme = typeof credential === 'string' ? / ?([^\s:]+) \{token\}$/.exec(credential)?.[1] : undefined;
  return [
    { words: 'the form without a token', where: { form: 'empty' } },
    ...(scheme === undefined ? [] : [{ words: 'a token alone', where: { form: 'no-scheme' } } as const]),
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

/** Whether some kind has tokens with this holding. */
export function hasHolding({ written }: Frame, holding: string): boolean {
  return Object.values(written.kinds).some(
    ({ holdings = HOLDINGS, never = {} }) => holdings.includes(holding) && !(holding in never),
  );
}

/** Each operation without any scope that it needs, and without one of several. */
export function scopesOf(frame: Frame): readonly Place[] {
  const { written } = frame;
  const isOnly = scopesIn(written).length === 1;
  const isShown = hasHolding(frame, 'none') || (!isOnly && ['single', 'all-but'].some((one) => hasHolding(frame, one)));
  if (!isShown) return [];
  return Object.entries(written.operations).flatMap(([operation, one]): readonly Place[] => {
    const needs = listed(one.needs);
    if (needs.length === 0) return [];
    const parts = isLackShown(frame, needs) ? needs : [];
    return [
      placeOf(operation),
      ...parts.map((scope) => ({
        operation,
        part: `the scope ${scope} is not needed, ${operation}`,
        where: { operation, lacks: scope },
      })),
    ];
  });
}

/** Whether depth core sends tokens that lack just one of these scopes. Of two scopes, a token with the other one does. */
const isLackShown = (frame: Frame, needs: readonly string[]): boolean =>
  needs.length > 1 && hasHolding(frame, needs.length === 2 ? 'single' : 'all-but');

/** The scopes of which depth core does not show that each is needed. */
export function lacksNotShown(frame: Frame): readonly LeftOpen[] {
  return Object.entries(frame.written.operations).flatMap(([operation, one]) => {
    const needs = listed(one.needs);
    if (needs.length < 2 || isLackShown(frame, needs)) return [];
    return [{ requirement: `scope.${operation} (one scope of several)`, reason: NOT_AT_CORE }];
  });
}
const NOT_AT_CORE = 'depth core sends no token that lacks just one of them';
