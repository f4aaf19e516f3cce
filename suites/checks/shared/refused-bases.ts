import type { CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { kindHeaders } from './kind-headers.ts';
import type { Base } from './send-influenced.ts';

/** A request with one fault that must be refused. */
export interface RefusedBase extends Base {
  readonly requirement: string;
  readonly kind: string;
  /** The request in words. */
  readonly what: string;
}

/** Each documented refusal of a kind of token. What must be refused to one that acts as somebody is so for either person. */
export function refusedBases(api: CheckApi, operation: Operation, kind: string): readonly RefusedBase[] {
  const { headers, kinds } = api.contract.matrix;
  const credentialOf = (values: object) => api.planned(operation.id, kind, values)?.credential;
  const [full, expired, unscoped] = [{}, { validity: 'expired' }, { holding: 'none' }].map(credentialOf);
  const usual = kindHeaders(api, kind);
  const lacking = (name: string) => usual.filter(([line]) => line !== name);
  const acts = actsAs(api.contract, kind);
  const base = (requirement: string, what: string, rest: Base): RefusedBase => ({ requirement, kind, what, ...rest });
  const { user } = api.people;
  const asUser =
    acts && user !== undefined ? [{ whom: ' acting as $USER_EMAIL', lines: kindHeaders(api, kind, user) }] : [];
  const people = [{ whom: '', lines: usual }, ...asUser];
  const forBoth = (requirement: string, what: string, credential: Base['credential']) =>
    credential ? people.map(({ whom, lines }) => base(requirement, what + whom, { credential, headers: lines })) : [];
  return [
    ...forBoth('token.expired', `an expired ${kind} token`, expired),
    ...forBoth(`scope.${operation.id}`, `a ${kind} token without the scope`, unscoped),
    ...(acts
      ? [
          base('act-as.missing', `a ${kind} token without ${headers['act-as'].name}`, {
            credential: full,
            headers: lacking(headers['act-as'].name),
          }),
          base('act-as.unknown', `a ${kind} token with the email of nobody`, {
            credential: full,
            headers: kindHeaders(api, kind, api.people.nobody),
          }),
        ]
      : []),
    ...(kinds[kind]?.family === 'external'
      ? [
          base('auth-type.missing', `a ${kind} token without ${headers['auth-type'].name}`, {
            credential: full,
            headers: lacking(headers['auth-type'].name),
          }),
        ]
      : []),
  ];
}

/** The refusals of requests without an issued token, which have the other headers of this kind. @param named in X-Service-ActAs. */
export function basesWithoutToken(api: CheckApi, kind: string, named?: string): readonly RefusedBase[] {
  const headers = kindHeaders(api, kind, named);
  return [
    {
      kind: 'none',
      requirement: 'authorization.required',
      what: 'a request without a token',
      credential: undefined,
      authorization: null,
      headers,
    },
    {
      kind: 'unknown',
      requirement: 'token.unknown',
      what: 'a token that nobody issued',
      credential: undefined,
      authorization: `Bearer ${api.unknownToken}`,
      headers,
    },
  ];
}
