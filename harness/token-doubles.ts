import { covers } from './cases.ts';
import type { Contract } from './contract.ts';
import type { Settings } from './settings.ts';
import type { Made, Minted, MintedFor } from './token-command.ts';
import { tokenVariables } from './variables.ts';

/**
 * One token for two things that differ in what they may do shows a command that does not look at what it is asked for:
 * neither is used, lest the target be blamed. Scopes that cover no operation differ in nothing that counts.
 */
export function withoutDoubles(contract: Contract, variables: Settings['variables'], minted: Minted): Minted {
  const uses = new Map<string, Map<string, string>>();
  const use = (token: string, name: string, { kind, validity, holding }: MintedFor) => {
    const time = validity === 'future-expiry' ? 'valid' : validity;
    const role = [kind, time, ...contract.operations.map(({ scope }) => covers(contract, holding, scope))].join(' ');
    uses.set(token, new Map([[role, name], ...(uses.get(token) ?? [])]));
  };
  for (const token of tokenVariables(contract)) {
    const known = variables.get(token.name);
    if (known) use(known.value, token.name, token);
  }
  // By name: minted in parallel, they come in any order.
  for (const [key, answer] of [...minted].sort(([a], [b]) => a.localeCompare(b))) {
    const [kind = '', validity = '', holding = ''] = key.split(' ');
    if ('token' in answer) use(answer.token, key, { kind, validity, holding });
  }
  const doubled = ({ token }: { token: string }) => [...(uses.get(token)?.values() ?? [])].sort();
  return new Map(
    [...minted].map(([key, answer]): [string, Made] => {
      const names = 'token' in answer ? doubled(answer) : [];
      return [key, names.length > 1 ? { failed: `TOKEN_COMMAND made one token for ${names.join(' and ')}` } : answer];
    }),
  );
}
