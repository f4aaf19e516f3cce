import { type Contract, HEADER_DIMENSIONS, type HeaderDimension, type Values } from '../contract/contract.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { type Claims, kindsSent } from '../settings/claims.ts';
import type { Credentials } from './credentials.ts';
import { linesFor, placeholders } from './header-lines.ts';
import { type Lack, lackInWords, variableLack } from './lack.ts';
import type { People } from './people.ts';

/** Why a case is not planned. */
export interface NotPlanned {
  /**
   * `not-testable`: a claim needs the case, and a variable is missing. `out-of-plan`: no claim needs the case.
   * `not-applicable`: its kind is not claimed.
   */
  readonly status: 'not-testable' | 'out-of-plan' | 'not-applicable';
  readonly lack: Lack;
}
export interface Supplies {
  readonly catalogue: Catalogue;
  readonly claims: Claims;
  readonly credentials: Credentials;
  readonly people: People;
}

/** Makes a function that says why a case cannot be sent; undefined if it can. */
export function lackFinder(supplies: Supplies): (values: Values) => NotPlanned | undefined {
  const { catalogue, claims, credentials, people } = supplies;
  const { contract } = catalogue;
  const kinds = new Set(kindsSent(catalogue, claims));
  const scopesClaimed = claims.capabilities.includes('scopes');
  const required = new Set(claims.kinds.flatMap((kind) => catalogue.required(kind, scopesClaimed)));
  const unfilled = unfilledValues(contract, people);
  return (values) => {
    if (!kinds.has(values.kind))
      return { status: 'not-applicable', lack: lackInWords(`${values.kind} is not claimed`) };
    const supply = credentials.supply(values);
    if (supply.kind === 'missing') {
      const isRequired = supply.variable !== undefined && required.has(supply.variable);
      return { status: isRequired ? 'not-testable' : 'out-of-plan', lack: supply.lack };
    }
    if (HEADER_DIMENSIONS.every((dimension) => !unfilled[dimension].has(values[dimension]))) return undefined;
    return { status: values.kind === 'GLOBAL' ? 'not-testable' : 'out-of-plan', lack: variableLack('ACT_AS_EMAIL') };
  };
}

/** The values of each header whose lines have a placeholder without a value. */
function unfilledValues({ matrix }: Contract, people: People): Readonly<Record<HeaderDimension, ReadonlySet<string>>> {
  const known = placeholders(people, 'token', 'token');
  const unfilledOf = (dimension: HeaderDimension) => {
    const header = matrix.headers[dimension];
    return new Set(Object.keys(header.lines).filter((value) => linesFor(header, value, known) === undefined));
  };
  return {
    authorization: unfilledOf('authorization'),
    'act-as': unfilledOf('act-as'),
    'auth-type': unfilledOf('auth-type'),
  };
}
