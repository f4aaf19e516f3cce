import type { Contract, Prepared } from '../../contract/contract.ts';
import { tableOf } from '../../contract/table.ts';
import { rowOfCase } from '../case.ts';
import { casesAtFull } from '../requirements-about.ts';
import { casesOfStrength } from './cases-of-strength.ts';
import { isolatedCases, rowOfIsolated } from './isolation.ts';
import type { Strength } from './numbering.ts';

/** Works out what every command needs, for the build to keep. It takes seconds. */
export function prepare(contract: Contract): Prepared {
  const { prepared: _outdated, ...fresh } = contract;
  const casesOf = (strength: Strength) => tableOf(casesOfStrength(fresh, strength).map((one) => rowOfCase(fresh, one)));
  return {
    depths: { core: casesOf(1), pairwise: casesOf(2), triples: casesOf(3) },
    isolated: tableOf(isolatedCases(fresh).map((one) => rowOfIsolated(fresh, one))),
    atFull: casesAtFull(fresh),
  };
}
