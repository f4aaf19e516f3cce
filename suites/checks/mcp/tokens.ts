import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Dimension } from '../../../harness/contract/contract.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { linesFor } from '../../../harness/plan/request.ts';
import { tamperMiddle } from '../../../harness/plan/token-bytes.ts';
import { endOf } from '../../../harness/settings/token-problems.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { isInHeader, kindHeaders, refusalsOf, refusalsWithoutToken } from '../shared/refusals.ts';
import { madeOf } from '../shared/token-recipes.ts';
import type { Lines } from './message.ts';

export interface NamedToken {
  readonly what: string;
  readonly credential: Credential | undefined;
}

/** What the remote MCP server should refuse: another token or none, or header lines instead of those of the kind. */
export interface McpRefusal extends NamedToken {
  readonly requirement: string;
  readonly headers?: Lines;
  /** The status that it should get (RFC 6750 3.1). Undefined if no advice says it. */
  readonly status?: number;
}

export interface McpTokens {
  readonly kind: string;
  /** With MCP and the scopes of the tools. `variable` would supply it. */
  readonly full: Credential | undefined;
  readonly variable: string;
  /** Whether the client API accepts it. */
  readonly isAcceptedElsewhere: boolean;
  readonly onlyMcp: Credential | undefined;
  /** Other tokens that reach the server: with an expiry in the future, and with MCP alone. */
  readonly alsoGood: readonly NamedToken[];
  readonly outOfForce: readonly McpRefusal[];
  readonly withoutMcp: readonly McpRefusal[];
  /** A token of the client API. Only OAuth tokens have an audience. */
  readonly otherAudience: readonly McpRefusal[];
}

export const WHOLE = 'a token with every scope';

/** What a token breaks that is accepted without MCP. Section 5.4 speaks of service-issued tokens. */
export const scopeRequirement = (api: CheckApi, kind: string) =>
  isService(api, kind) ? 'mcp.scope' : 'mcp.permission';

const isService = ({ contract }: CheckApi, kind: string) => contract.matrix.kinds[kind]?.family === 'service';

/** Service-issued tokens have no audience, so those of the matrix are good here too, by their scopes. Others have variables. */
export function tokensOf(api: CheckApi, kind: string): McpTokens {
  const { operations, matrix, mcp } = api.contract;
  const isOfPlan = isService(api, kind);
  const planned = (values: Readonly<Record<Dimension, string>>) => api.planned(operations[0].id, kind, values);
  const named = (what: string, values: Readonly<Record<Dimension, string>>, suffix?: string): readonly NamedToken[] => {
    const ofVariable = suffix === undefined ? undefined : fromVariable(api, `${kind}_MCP_TOKEN${suffix}`);
    const credential = isOfPlan ? planned(values)?.credential : ofVariable;
    return credential ? [{ what, credential }] : [];
  };
  const [scope = ''] = mcp[0]?.scopes ?? [];
  const [full] = named(WHOLE, {}, '');
  const onlyMcp = named('a token with MCP only', { holding: `only:${scope}` }, '_MCP');
  const tampered = isOfPlan ? named('a tampered token', { validity: 'tampered' }) : tamperedWith(api, full?.credential);
  // The scope of a tool is the likeliest to be taken for that of the server.
  const scopes = new Set([...operations.flatMap((operation) => operation.scopes), ...matrix.scopes]);
  const others = [...scopes].filter((other) => other !== scope);
  const withoutMcp = isOfPlan
    ? [
        ...others.flatMap((other) => named(`a token with ${other} only`, { holding: `only:${other}` })),
        ...named('a token without scopes', { holding: 'none' }),
      ]
    : named('a token without permission for the remote MCP server', {}, '_UNSCOPED');
  const neutral = planned({});
  const ofApi = isOfPlan ? undefined : api.full(kind);
  return {
    kind,
    full: full?.credential,
    variable: isOfPlan ? `${kind}_TOKEN` : `${kind}_MCP_TOKEN`,
    isAcceptedElsewhere: isOfPlan && neutral !== undefined && api.seen(neutral)?.accepted === true,
    onlyMcp: onlyMcp[0]?.credential,
    alsoGood: [...named('a token that expires in the future', { validity: 'future-expiry' }), ...onlyMcp],
    outOfForce: [...named('an expired token', { validity: 'expired' }, '_EXPIRED'), ...tampered].map(invalid),
    withoutMcp: withoutMcp.map((token) => ({ ...token, requirement: scopeRequirement(api, kind), status: 403 })),
    otherAudience: ofApi ? [{ what: 'a token of the client API', credential: ofApi, requirement: 'mcp.audience' }] : [],
  };
}

function fromVariable(api: CheckApi, variable: string): Credential | undefined {
  const token = api.variable(variable);
  const recipe = `$${variable}`;
  if (token === undefined) return undefined;
  const endsAt = endOf(token, variable.endsWith('_EXPIRED') ? 'expired' : 'valid');
  return { source: 'variable', variable, recipe, shell: recipe, token, endsAt };
}

function tamperedWith(api: CheckApi, full: Credential | undefined): readonly NamedToken[] {
  if (!full) return [];
  const { token, how, shell } = tamperMiddle(full.token);
  return [{ what: 'a tampered token', credential: api.derive(full, token, how, shell(full.variable)) }];
}

/** What nobody issued, made of the good token. A server that reads tokens itself may verify them less (RFC 8725 2.1 and 3.2). */
export function forgedFrom(api: CheckApi, { full, kind }: McpTokens): readonly McpRefusal[] {
  if (!full) return [];
  const made = madeOf({ ...api, breadth: 'telling' }, { kind, credential: full }).filter(({ isFree }) => !isFree);
  const few = kindsOfFamilies(api).includes(kind) ? FEW : FEW.slice(0, 1);
  const chosen = made.filter(({ how }) => api.breadth === 'whole' || few.includes(how));
  return chosen.map(({ token, how }) =>
    invalid({ what: `a token with ${how}`, credential: api.derive(full, token, how) }),
  );
}
/** What a target elsewhere gets, with the first kind of each family; with the others the first. Each costs a refused token. */
export const FEW = ['alg none and no signature', 'alg None', 'one character appended'];

const invalid = (token: NamedToken): McpRefusal => ({ ...token, requirement: 'mcp.token', status: 401 });

/** The refusals of the client API that no issued token has part in: of none, and of one that nobody issued. */
export function withoutToken(api: CheckApi, kind: string): readonly McpRefusal[] {
  const [operation] = api.contract.operations;
  return refusalsWithoutToken(api, operation, kind).map(invalid);
}

/** An Authorization line that has no bearer token, in the forms of the matrix. A target elsewhere gets no right token in them. */
export function withoutBearer(api: CheckApi, { kind, full }: McpTokens): readonly McpRefusal[] {
  const { headers, dimensions } = api.contract.matrix;
  const { authorization } = headers;
  const isWhole = api.breadth === 'whole';
  const token = isWhole ? (full?.token ?? api.unknownToken) : api.unknownToken;
  return (['empty', 'basic', ...(isWhole ? (['no-scheme'] as const) : [])] as const).flatMap((form) =>
    (linesFor(authorization, form, { token }) ?? []).map((line) => ({
      what: `an Authorization that has ${dimensions.authorization?.[form]}`,
      credential: undefined,
      headers: [[authorization.name, line], ...kindHeaders(api, kind)],
      requirement: 'mcp.token',
    })),
  );
}

/** A wrong or missing header beside a good token, for which a request to the client API must be refused. */
export function withWrongHeader(
  api: CheckApi,
  { kind, full }: McpTokens,
  values: 'one' | 'every',
): readonly McpRefusal[] {
  const [operation] = api.contract.operations;
  const all = refusalsOf(api, operation, kind, values);
  return all.flatMap((one) =>
    isInHeader(api, one)
      ? [{ what: one.what, headers: one.headers, requirement: `mcp.${one.fault}`, credential: full }]
      : [],
  );
}
