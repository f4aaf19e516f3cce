import { type Contract, HEADER_DIMENSIONS, type Values } from '../contract/contract.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import type { Claims } from '../settings/claims.ts';
import type { Credentials } from './credentials.ts';
import { linesFor, placeholders } from './header-lines.ts';
import { type Lack, lackInWords, variableLack } from './lack.ts';
import type { People } from './people.ts';

/** Why a case is not planned. */
export interface NotPlanned {
  /** `not-testable`: claimed, and a variable would decide it. `out-of-plan`: nothing claimed needs it. */
  readonly status: 'not-testable' | 'out-of-plan' | 'not-applicable';
  readonly lack: Lack;
}
export interface Supplies {
  readonly catalogue: Catalogue;
  readonly claims: Claims;
  readonly credentials: Credentials;
  readonly people: People;
}

/** What keeps a case from being sent; undefined where nothing does. */
export function lackFinder(supplies: Supplies): (values: Values) => NotPlanned | undefined {
  const { catalogue, claims, credentials, people } = supplies;
  const { contract, kinds } = catalogue;
  const scopesClaimed = claims.capabilities.includes('scopes');
  const required = new Set(claims.kinds.flatMap((kind) => catalogue.required(kind, scopesClaimed)));
  return (values) => {
    if (kinds.includes(values.kind) && !claims.kinds.includes(values.kind))
      return { status: 'not-applicable', lack: lackInWords(`${values.kind} is not claimed`) };
    const supply = credentials.supply(values);
    if (supply.kind === 'missing') {
      const isRequired = supply.variable !== undefined && required.has(supply.variable);
      return { status: isRequired ? 'not-testable' : 'out-of-plan', lack: supply.lack };
    }
    if (isFilled(contract, values, people)) return undefined;
    return { status: values.kind === 'GLOBAL' ? 'not-testable' : 'out-of-plan', lack: variableLack('ACT_AS_EMAIL') };
  };
}

/** Whether every placeholder in the headers of a case has a value. */
function isFilled({ matrix }: Contract, values: Values, people: People): boolean {
  const known = placeholders(people, 'token', 'token');
  return HEADER_DIMENSIONS.every(
    (dimension) => linesFor(matrix.headers[dimension], values[dimension], known) !== undefined,
  );
}
