import type { Contract } from '../contract/contract.ts';
import type { ExtendedContract } from '../contract/extended-contract.ts';
import { personVariable } from '../contract/people.ts';
import { imaginedTarget } from '../preview/imagined-target.ts';
import { everyVariable } from '../preview/made-up-values.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { judgeServers, type Planted, type Proof, type ServerOf } from './judge-servers.ts';
import type { ProveOptions } from './prove-contract.ts';

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
    planted.push({
      what: `${part}: ${name} is as in the client API`,
      breaks: undefined,
      server: serverOf(contract),
    });
  }
  const servers = { faithful: serverOf(judged), planted, onTried };
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

const serverOf =
  (contract: Contract): ServerOf =>
  (input) =>
    imaginedTarget({ ...input, parts: { ...input.parts, contract } });
