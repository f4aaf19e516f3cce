import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import type { WrittenContract } from '../contract/written-contract.ts';
import type { TransportInput } from '../send/transport.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { faultsOf, leftOpenIn } from './faults.ts';
import { madeUpVariables, serverOf, transportTo } from './imagined-server.ts';
import { judgeServers, type OnTried, type Proof } from './judge-servers.ts';
import { lacksNotShown } from './places.ts';
import type { Fault } from './server/evaluator.ts';

export interface ProveOptions {
  readonly checks: readonly Check[];
  readonly onTried?: OnTried;
  /** Only the faults that break this requirement. */
  readonly requirement?: string;
}

/**
 * Judges servers in memory that were made from what somebody wrote: one that keeps the contract, and one with each fault.
 * @param judged the contract that judges. Only a test gives another one than what was written, to see that this is noticed.
 */
export async function proveContract(
  written: WrittenContract,
  judged: Contract,
  { checks, onTried = () => undefined, requirement }: ProveOptions,
): Promise<Proof> {
  const catalogue = catalogueOf(judged);
  const variables = madeUpVariables(catalogue);
  const server = serverOf(written, catalogue, variables);
  const serverWith =
    (fault?: Fault) =>
    ({ settings }: TransportInput) =>
      transportTo(server, settings.baseUrl, fault);
  const frame = { written, operations: judged.operations };
  const faults = faultsOf(frame);
  const planted = faults
    .filter(({ breaks }) => requirement === undefined || breaks === requirement)
    .map(({ fault, ...one }) => ({ ...one, server: serverWith(fault) }));
  const proof = await judgeServers(judged, variables, checks, { faithful: serverWith(), planted, onTried });
  const broken = new Set(faults.map(({ breaks }) => breaks));
  const leftOpen = new Map(leftOpenIn(frame).map(({ requirement: id, reason }) => [id, reason]));
  const whyUnbroken = (id: string) =>
    leftOpen.get(id) ?? (proof.faithful.inapplicable.includes(id) ? NOT_SHOWN : NO_FAULT);
  const unbroken = judged.requirements.flatMap(({ id, excluded }) =>
    broken.has(id) ? [] : [{ name: id, reason: excluded ?? whyUnbroken(id) }],
  );
  const deeper = lacksNotShown(frame).map(({ requirement: name, reason }) => ({ name, reason }));
  return { ...proof, unbroken: [...unbroken, ...deeper, ...neverIn(written)] };
}

const NOT_SHOWN = 'no request of this contract shows it';
/** A test holds that no contract gets to see this. */
export const NO_FAULT = 'this proof has no fault for it';

/** What the tokens of a kind never are or have, so that no server can be wrong about it. */
function neverIn({ kinds }: WrittenContract): Proof['unbroken'] {
  return Object.entries(kinds).flatMap(([kind, { never = {} }]) =>
    Object.entries(never).map(([value, reason]) => ({ name: `${kind} ${value}`, reason })),
  );
}
