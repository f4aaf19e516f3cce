import { cites } from './citing-rules.ts';
import { type Attribution, type Contract, holds, type Requirement, type Values } from './contract.ts';

/** The attribution of a requirement: its own, or that of what cites it, by default of all that does. @param cited one of those. */
export function attributionOf(
  contract: Contract,
  id: string,
  { operation = '', kind = '' }: Readonly<Partial<Pick<Values, 'operation' | 'kind'>>> = {},
  cited?: Attribution,
): Attribution {
  const requirement = contract.requirements.find((known) => known.id === id);
  const { family = '' } = contract.matrix.kinds[kind] ?? {};
  const own = requirement && ownAttribution(requirement, { operation, kind, family });
  return own ?? (cited ? attributionIn(cited) : joined(citingAttributions(contract, id)));
}

/** One attribution of several: what one of them states is stated. */
export function joined(attributions: readonly Attribution[]): Attribution {
  if (attributions.length === 0) return { basis: 'interpreted', reason: 'Nothing in the contract states it.' };
  const reasons = attributions.map(({ reason }) => reason);
  if (reasons.includes(undefined)) return { basis: 'stated' };
  // Reasons of somebody else's contract may have no full stop.
  const [reason = '', ...others] = [...new Set(reasons)].reverse();
  const before = others.reverse().map((one = '') => (/[.!?]$/.test(one) ? one : `${one}.`));
  return { basis: 'interpreted', reason: [...before, reason].join(' ') };
}

/** The attribution of something that may have more fields. */
function attributionIn({ basis, reason }: Attribution): Attribution {
  return basis === 'stated' ? { basis } : { basis, reason };
}

function ownAttribution(
  { basis, reason = '', interpreted }: Requirement,
  about: Readonly<Partial<Values>>,
): Attribution | undefined {
  if (interpreted && holds(interpreted.when, about)) return { basis: 'interpreted', reason: interpreted.reason };
  if (basis === undefined) return undefined;
  return basis === 'stated' ? { basis } : { basis, reason };
}

export function citingAttributions(
  { operations, rules }: Pick<Contract, 'operations' | 'rules'>,
  id: string,
): readonly Attribution[] {
  return [...rules.refusals, ...Object.values(rules.messages), ...rules.acceptances]
    .filter((one) => cites(operations, id, one))
    .map(attributionIn);
}
