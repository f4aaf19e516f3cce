import { parentPort, workerData } from 'node:worker_threads';
import { deviants } from '../../fixtures/deviants/index.ts';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { plainOperations } from '../../fixtures/plain/request.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { startWorld } from '../../service/embedded/world.ts';
import { type ProveOptions, proveDeviant, proveVariant } from '../../suites/proof/prove.ts';

/** What a worker is asked to judge: the id of a deviant or variant. Null ends the worker. */
type ProveRequest = string | null;

const options = workerData as ProveOptions;
const contract = await loadContract();
const world = await startWorld();
const grounds = {
  world,
  tokens: mintPlainTokens(plainOperations),
  catalogue: catalogueOf(contract),
  casesAt: expandOnce(contract),
};

parentPort?.on('message', async (id: ProveRequest) => {
  if (id === null) {
    parentPort?.close();
    await world.close();
    return;
  }
  const deviant = deviants.find((known) => known.id === id);
  const variant = variants.find((known) => known.id === id);
  if (deviant) parentPort?.postMessage(await proveDeviant(grounds, deviant, options));
  if (variant) parentPort?.postMessage(await proveVariant(grounds, variant, options));
});
parentPort?.postMessage('ready');
