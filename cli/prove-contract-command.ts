import { configurationError } from '../harness/contract/configuration-error.ts';
import { contractWritten, readWritten } from '../harness/contract/load-contract.ts';
import { isProven, type OnTried } from '../harness/prove/judge-servers.ts';
import { renderProof } from '../harness/prove/proof-text.ts';
import { proveContract, proveExtension } from '../harness/prove/prove-contract.ts';
import { checksOf } from '../suites/checks/index.ts';
import { chosenFile } from './chosen-contract.ts';
import { showProgress } from './progress.ts';
import { colorsFor, print, progressStream } from './terminal.ts';

/**
 * Judges imagined servers of a contract of one's own, and prints what was caught. Sends nothing and reads no variable but the
 * name of the contract. Returns 1 if a fault is not caught or blamed rightly, or the server that keeps the contract is blamed.
 */
export async function proveContractCommand(): Promise<number> {
  const file = chosenFile();
  if (file === undefined)
    throw configurationError(
      'prove needs --contract FILE, a contract of your own; the client API is proven in a clone, by npm run prove',
    );
  const placed = readWritten(file);
  const judged = await contractWritten(placed, file);
  const { data: written } = placed;
  let [judgedServers, all] = [0, 1];
  const progress = showProgress(1, () => ({ done: [`${judgedServers} of ${all} servers judged`] }), progressStream);
  const onTried: OnTried = (done, of) => {
    progress.step(1 / of);
    [judgedServers, all] = [done, of];
  };
  const options = { checks: checksOf(judged), onTried };
  const proof =
    'extends' in written
      ? await proveExtension({ written, judged }, (data) => contractWritten({ ...placed, data }, file), options)
      : await proveContract(written, judged, options);
  progress.end();
  print(renderProof(judged, proof, colorsFor()));
  if ('extends' in written)
    print(
      '\nThe rules are those of the client API. In a clone of the suite, npm run prove shows that each of them is tested.',
    );
  return isProven(proof) ? 0 : 1;
}
