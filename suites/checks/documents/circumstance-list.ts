import type { CheckApi } from '../../../harness/checks/check.ts';
import { ACT_AS, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import type { Variation } from '../../variations/variation.ts';
import type { Line } from '../shared/curl-line.ts';
import { variationsFor } from '../shared/known-variations.ts';
import type { Owner, Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';

/** A token that searches as `own` and must not see the document of `other`. */
export interface Caller {
  readonly api: CheckApi;
  readonly kind: string;
  readonly operation: Operation;
  readonly credential: Credential;
  readonly isActing: boolean;
  readonly own: Person;
  readonly other: Person;
}

/** Something about a request that its neutral form does not have. */
export interface Circumstance {
  readonly how: string;
  readonly headers?: readonly Line[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly credential?: Credential;
  /** The value of X-Service-ActAs. */
  readonly actAs?: string;
  /** The same query must still find the own document. */
  readonly findsOwn?: true;
  /** Without the whole breadth, only these are tried. */
  readonly isTelling?: true;
  /** The row that it is from. */
  readonly variation?: Variation;
}

/** The circumstances in which a token is tried. @param cookies what each person got in answers to their own requests. */
export function circumstancesOf(caller: Caller, cookies: ReadonlyMap<Owner, string>): readonly Circumstance[] {
  const { api, operation } = caller;
  const headers = [...authTypes(caller), ...cookiesOfOther(caller, cookies)];
  // The headers of a chat are read like those of a search, but by other code. What follows them costs an answer each.
  const spelled = freeSpellings(caller);
  if (operation.isSlow) return api.breadth === 'whole' ? [...headers, ...spelled] : headers;
  const all = [...headers, ...pageSizes(operation), ...otherTokens(caller), ...queries(caller), ...spelled];
  return api.breadth === 'whole' ? all : all.filter(({ isTelling }) => isTelling);
}

/** X-Service-Auth-Type with a token that does not need it (spec 5.1). */
function authTypes({ api, kind }: Caller): readonly Circumstance[] {
  const { name, lines } = headerOf(api.contract, 'auth-type');
  if (kindHeaders(api, kind).some(([other]) => other === name)) return [];
  return (lines['OAUTH'] ?? []).map((value) => ({
    how: `${name}: ${value}`,
    headers: [[name, value]],
    findsOwn: true,
    isTelling: true,
  }));
}

/** Spellings of an email that a target may accept. What it accepts runs as the person that it names (outcomes 2). */
function freeSpellings(caller: Caller): readonly Circumstance[] {
  const { api, operation, isActing, own } = caller;
  const header = headerOf(api.contract, ACT_AS).name;
  if (!isActing) return [];
  const admits = admitsUnknown(caller);
  const free = variationsFor(api, operation, ['person']).filter(({ isFree }) => isFree);
  return free.map((variation) => ({
    ...{ how: `${header} with ${variation.how}`, actAs: String(variation.value), variation },
    // Anything but another case may be read as the address of somebody else, who finds nothing.
    ...(String(variation.value).toLowerCase() === own.email.toLowerCase() && !admits && { findsOwn: true }),
    ...(variation.isTelling && { isTelling: true }),
  }));
}

/** Whether the target accepted somebody who does not exist. It may then take an email in another case for such a person. */
function admitsUnknown({ api, kind, operation }: Caller): boolean {
  return [...api.plan.cases.values()].some(
    (planned) =>
      planned.values.kind === kind &&
      planned.values.operation === operation.id &&
      planned.expectation.suspects.some(({ requirement }) => requirement === 'act-as.unknown') &&
      api.seen(planned)?.accepted,
  );
}

function cookiesOfOther({ other }: Caller, cookies: ReadonlyMap<Owner, string>): readonly Circumstance[] {
  const cookie = cookies.get(other.owner);
  return cookie === undefined ? [] : [{ how: cookiesOf(other), headers: [['Cookie', cookie]], isTelling: true }];
}

/** The cookies of a person in words. They stand for the values in curl lines. */
export const cookiesOf = ({ owner }: Person): string => `the cookies of $${owner}_EMAIL`;

function pageSizes({ id }: Operation): readonly Circumstance[] {
  return id === 'search' ? [{ how: 'pageSize 10', fields: { pageSize: 10 }, isTelling: true }] : [];
}

/** Tokens of the same person that differ in their expiry or scopes. */
function otherTokens({ api, kind, operation: { id, scopes } }: Caller): readonly Circumstance[] {
  const expiring = api.planned(id, kind, { validity: 'future-expiry' })?.credential;
  const single = api.planned(id, kind, { holding: `only:${scopes}` })?.credential;
  return [
    ...(expiring
      ? [{ how: 'an expiry in the future', credential: expiring, findsOwn: true, isTelling: true } as const]
      : []),
    ...(single ? [{ how: `${scopes} only`, credential: single, findsOwn: true, isTelling: true } as const] : []),
  ];
}

/** Queries that some search engines answer with everything that they have. */
function queries({ other }: Caller): readonly Circumstance[] {
  const query = (how: string, value: string): Circumstance => ({ how, fields: { query: value }, isTelling: true });
  return [
    query('the query *', '*'),
    query('the query %', '%'),
    query('an empty query', ''),
    query(`the query $${other.owner}_EMAIL`, other.email),
  ];
}
