import { type Contract, DIMENSIONS, type Prepared, type Values } from '../../contract/contract.ts';
import { tableOf } from '../../contract/table.ts';
import { casesOfStrength } from './cases-of-strength.ts';
import { isolatedCases } from './isolation.ts';
import type { Strength } from './numbering.ts';

/** Works out what every command needs, for the build to keep. It takes seconds. */
export function prepare(contract: Contract): Prepared {
  const { prepared: _outdated, ...fresh } = contract;
  const casesOf = (strength: Strength) => tableOf(casesOfStrength(fresh, strength).map(({ values }) => rowOf(values)));
  return {
    depths: { core: casesOf(1), pairwise: casesOf(2), triples: casesOf(3) },
    isolated: tableOf(
      isolatedCases(fresh).map(({ values, rule, isClear }) => [...rowOf(values), rule, isClear ? 'clear' : 'open']),
    ),
  };
}

const rowOf = (values: Values) => DIMENSIONS.map((dimension) => values[dimension]);
