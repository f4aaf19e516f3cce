import type { CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';

/** The header lines that a kind's token needs besides Authorization, and X-Service-ActAs where somebody is named. */
export function kindHeaders({ contract, people }: CheckApi, kind: string, named?: string): [string, string][] {
  const { headers, kinds } = contract.matrix;
  const neutral = kinds[kind]?.neutral;
  const authType = headers['auth-type'].lines[neutral?.['auth-type'] ?? 'absent'] ?? [];
  const actAs = named ?? (actsAs(contract, kind) ? people.actAs : undefined);
  return [
    ...authType.map((line): [string, string] => [headers['auth-type'].name, line]),
    ...(actAs === undefined ? [] : [[headers['act-as'].name, actAs] as [string, string]]),
  ];
}
