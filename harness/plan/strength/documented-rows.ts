import { groupedBy, listedBy } from '../../contract/collections.ts';
import { ACCEPTED, type Contract, holds, type Values } from '../../contract/contract.ts';
import { neededScopes } from '../../contract/holdings.ts';
import type { Catalogue } from '../../settings/catalogue.ts';
import { differing, neutralCases, unitOf } from '../case.ts';
import { faultsOf } from '../expectation.ts';
import { type Count, createCombinations } from './combinations.ts';
import { STAGES, stageOf, variableOf } from './cost.ts';
import type { Isolated } from './isolation.ts';
import { IN_FRAMES, numberingOf, STRENGTHS, type Strength } from './numbering.ts';

/**
 * One case for each documented row in each frame. A frame is an operation and a kind, because nobody reads "an expired
 * token is refused" as "on search or chat, whatever the token". A row is a decisive rule, or a request that must be
 * accepted. Cases that leave nothing open are taken where there are some. Of those whose token a run is as likely to have
 * as that of the first one, the one is taken that shows most besides.
 * @param cases in the order in which they are preferred.
 */
export function documentedRows(catalogue: Catalogue, cases: readonly Isolated[]): readonly Isolated[] {
  const rowsOf = rowFinder(catalogue.contract);
  const byStage = groupedBy(cases, ({ values }) => stageOf(catalogue, values));
  const likeliest = STAGES.flatMap((stage) => byStage.get(stage) ?? []);
  const rows = listedBy(
    likeliest.flatMap((one) => rowsOf(one).map((row) => [`${unitOf(one.values)} ${row}`, one] as const)),
  );
  const combinations = createCombinations(cases, [1], numberingOf(catalogue.contract, cases));
  const chosen = new Set<Isolated>();
  for (const all of rows.values()) {
    const clear = all.filter(({ isClear }) => isClear);
    const [first, ...others] = clear.length > 0 ? clear : all;
    if (!first || all.some((one) => chosen.has(one))) continue;
    const stage = stageOf(catalogue, first.values);
    const variable = variableOf(catalogue, first.values);
    let best = first;
    for (const other of others)
      if (
        (stage === 'required'
          ? stageOf(catalogue, other.values) === stage
          : variableOf(catalogue, other.values) === variable) &&
        combinations.gain(other) > combinations.gain(best)
      )
        best = other;
    combinations.add(best);
    chosen.add(best);
  }
  return [...chosen];
}

/** Names the rows that a case shows: each rule that holds, or the one way in which it differs from the well-made request. */
export function rowFinder(contract: Contract): (isolated: Isolated) => readonly string[] {
  const { acceptances } = contract.matrix.depths.core;
  const neutral = neutralCases(contract);
  const alone = new Set(['none', ...[...neededScopes(contract)].map((scope) => `only:${scope}`)]);
  // Of three scopes, only a token that has the other two shows that the third is needed.
  const lacking = new Set(
    contract.operations.flatMap(({ id, scopes }) =>
      scopes.length > 2 ? scopes.map((scope) => `${id} all-but:${scope}`) : [],
    ),
  );
  const acceptedRows = (values: Values): readonly string[] => {
    const wellMade = neutral(values.operation, values.kind).values;
    const different = differing(contract, values, wellMade);
    if (different.length === 0) return [ACCEPTED];
    if (different.length > 1) return [];
    // The well-made request of an external kind has the header that is an alternative for others.
    const at = acceptances.findIndex((when) => holds(when, values) && !holds(when, wellMade));
    return at < 0 ? [] : [`${ACCEPTED} ${at}`];
  };
  return ({ rule, values }) => {
    if (rule === ACCEPTED) return acceptedRows(values);
    return faultsOf(contract, values).flatMap(({ id, when }) => {
      if (!('scope' in when)) return [id];
      const { operation, holding } = values;
      return alone.has(holding) || lacking.has(`${operation} ${holding}`) ? [`${id} ${holding}`] : [];
    });
  };
}

/** How many documented rows exist, and combinations of one to three values beside a rule, and how many of them a run sees. */
type Seen = Readonly<Record<0 | Strength, Count>>;

/**
 * What a run can see, counted within each operation and kind: a row is seen if a case is sent that shows it, and a
 * combination of values beside a rule if a case is sent that isolates the rule.
 * @param known every isolating case that the tokens at hand allow.
 * @param sent the ids of the cases that are sent.
 */
export function seenBy(contract: Contract, known: readonly Isolated[], sent: { has(id: string): boolean }): Seen {
  const combinations = createCombinations(known, STRENGTHS, numberingOf(contract, known, IN_FRAMES));
  for (const one of known) if (sent.has(one.id)) combinations.add(one);
  return {
    0: rowsSeen(contract, known, sent),
    1: combinations.count(1),
    2: combinations.count(2),
    3: combinations.count(3),
  };
}

/** The documented rows. A row that some case shows of which nothing is left open is seen only in such a case. */
export function rowsSeen(contract: Contract, known: readonly Isolated[], sent: { has(id: string): boolean }): Count {
  const rowsOf = rowFinder(contract);
  const shown = known.flatMap((one) => rowsOf(one).map((row) => ({ one, row: `${unitOf(one.values)} ${row}` })));
  const clear = new Set(shown.flatMap(({ one, row }) => (one.isClear ? [row] : [])));
  const seen = shown.filter(({ one, row }) => sent.has(one.id) && (one.isClear || !clear.has(row)));
  const count = (rows: typeof shown) => new Set(rows.map(({ row }) => row)).size;
  return { seen: count(seen), all: count(shown) };
}

/** A count in per cent. It is 100 only if everything is seen, and 0 if nothing is, also if there is nothing to see. */
export function percentOf({ seen, all }: Count): number {
  if (seen === 0) return 0;
  return seen === all ? 100 : Math.min(99, Math.max(1, Math.floor((100 * seen) / all)));
}
