import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import { expandOnce } from '../harness/plan/expand.ts';
import { everyVariable } from '../harness/preview/made-up-values.ts';
import { rehearse } from '../harness/preview/rehearse.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { checksOf } from './checks/index.ts';
import { drawnContract, writeDrawn } from './testing/drawn-contract.ts';

// Contracts that nobody thought of: each is loaded and its run is rehearsed against a target that keeps it. A check that decides
// what the contract does not have is a defect, and with every variable set everything that is claimed can be decided.
const SEED = 20_261_125;
const folder = temporaryFolder(afterAll);

test.each(fc.sample(drawnContract, { seed: SEED, numRuns: 30 }).map((contract, at) => ({ contract, at })))(
  `contract $at of seed ${SEED} can be decided, and no check decides what it does not have`,
  async ({ contract, at }) => {
    const loaded = await loadContractFile(writeDrawn(folder, at, contract));
    const catalogue = catalogueOf(loaded);
    const flags = { CONFORMANCE_DEPTH: 'core' };
    const settings = embeddedSettings(catalogue, everyVariable(catalogue), { flags });
    const options = { checks: checksOf(loaded), intrusive: true, casesAt: expandOnce(loaded) };
    const { judged } = await rehearse(settings, options);
    expect(judged.requirements.flatMap(({ undecided }) => undecided)).toEqual([]);
    expect(judged.decisions.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  },
);
