import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import type { ExtendedContract } from '../contract/extended-contract.ts';
import { personVariable } from '../contract/people.ts';
import type { WrittenContract } from '../contract/written-contract.ts';
import { imaginedTarget } from '../preview/imagined-target.ts';
import { everyVariable } from '../preview/made-up-values.ts';
import type { TransportInput } from '../send/transport.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { faultsOf, leftOpenIn } from './faults.ts';
import { madeUpVariables, serverOf, transportTo } from './imagined-server.ts';
import { judgeServers, type OnTried, type Planted, type Proof, type ServerOf } from './judge-servers.ts';
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
  const leftOpen = new Map(leftOpenIn(frame).map(({ name, reason }) => [name, reason]));
  const whyUnbroken = (id: string) =>
    leftOpen.get(id) ?? (proof.faithful.inapplicable.includes(id) ? NOT_SHOWN : NO_FAULT);
  const unbroken = judged.requirements.flatMap(({ id, excluded }) =>
    broken.has(id) ? [] : [{ name: id, reason: excluded ?? whyUnbroken(id) }],
  );
  return { ...proof, unbroken: [...unbroken, ...lacksNotShown(frame), ...neverIn(written)] };
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

type Part = Exclude<keyof ExtendedContract, 'extends' | 'name'>;
const PARTS = ['headers', 'paths', 'messages', 'statuses'] as const satisfies readonly Part[];

/**
 * Judges servers in memory of a contract that extends the client API: one that keeps it, and one for each entry that does what
 * the client API says there. The rules are those of the client API, and the servers answer by them.
 * @param without makes the contract without one entry.
 */
export async function proveExtension(
  { written, judged }: { readonly written: ExtendedContract; readonly judged: Contract },
  without: (extended: ExtendedContract) => Promise<Contract>,
  { checks, onTried = () => undefined }: Pick<ProveOptions, 'checks' | 'onTried'>,
): Promise<Proof> {
  const entries = PARTS.flatMap((part) => Object.keys(written[part] ?? {}).map((name) => ({ part, name })));
  const planted: Planted[] = [];
  for (const { part, name } of entries) {
    const others = Object.entries(written[part] ?? {}).filter(([other]) => other !== name);
    const contract = await without({ ...written, [part]: Object.fromEntries(others) });
    const what = `${part}: ${name} is as in the client API`;
    planted.push({ what, breaks: undefined, server: targetOf(contract) });
  }
  const servers = { faithful: targetOf(judged), planted, onTried };
  const proof = await judgeServers(judged, variablesOf(judged), checks, servers);
  const unbroken = Object.keys(written.scopes ?? {}).map((name) => ({
    name: `scopes: ${name}`,
    reason: 'no request names a scope: it says which token to make',
  }));
  return { ...proof, unbroken };
}

/** The tokens of the API itself and its people. Capabilities have entries of their own in no contract. */
function variablesOf(contract: Contract): Readonly<Record<string, string>> {
  const catalogue = catalogueOf(contract);
  const owners = catalogue.kinds.filter((kind) => kind !== 'USER').map((kind) => personVariable(contract, kind));
  const isOther = (name: string) =>
    owners.includes(name) || /MCP_(TOKEN|URL)/.test(name) || /^(ADMINISTRATION|AUTHORIZATION)_/.test(name);
  return Object.fromEntries(Object.entries(everyVariable(catalogue)).filter(([name]) => !isOther(name)));
}

const targetOf =
  (contract: Contract): ServerOf =>
  (input) =>
    imaginedTarget({ ...input, parts: { ...input.parts, contract } });
