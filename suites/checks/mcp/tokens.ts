import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Case } from '../../../harness/plan/case.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { tamperMiddle } from '../../../harness/plan/token-bytes.ts';

/** A token, and what is different about it. */
export interface NamedToken {
  readonly how: string;
  /** Undefined: no token at all. */
  readonly credential: Credential | undefined;
}

/** The tokens of a kind, as the remote MCP server sees them. */
export interface McpTokens {
  /** With MCP and the scopes of the tools. `variable` would supply it. */
  readonly full: Credential | undefined;
  readonly variable: string;
  /** Whether the client API accepts it. */
  readonly isAcceptedElsewhere: boolean;
  /** With MCP and nothing else. */
  readonly onlyMcp: Credential | undefined;
  /** Other tokens that reach the server: with an expiry in the future, and with MCP alone. */
  readonly alsoGood: readonly NamedToken[];
  readonly outOfForce: readonly NamedToken[];
  readonly withoutMcp: readonly NamedToken[];
  /** A token of the client API. Only OAuth tokens have an audience. */
  readonly otherAudience: Credential | undefined;
}

const ONLY_MCP = 'a token with MCP only';

export function tokensOf(api: CheckApi, kind: string): McpTokens {
  const { family } = api.contract.matrix.kinds[kind] ?? {};
  return family === 'service' ? serviceTokens(api, kind) : oauthTokens(api, kind);
}

/** Service-issued tokens have no audience, so those of the matrix are good here too, by their scopes. */
function serviceTokens(api: CheckApi, kind: string): McpTokens {
  const { operations, matrix, mcp } = api.contract;
  const planned = (values: Partial<Case['values']>) => api.planned(operations[0]?.id ?? '', kind, values)?.credential;
  const named = (values: Partial<Case['values']>, how: string): NamedToken[] => {
    const credential = planned(values);
    return credential ? [{ how, credential }] : [];
  };
  const scope = mcp[0]?.scope ?? '';
  const neutral = api.planned(operations[0]?.id ?? '', kind, {});
  const onlyMcp = planned({ holding: `only:${scope}` });
  return {
    full: neutral?.credential,
    variable: `${kind}_TOKEN`,
    isAcceptedElsewhere: (neutral && api.seen(neutral)?.accepted) ?? false,
    onlyMcp,
    alsoGood: [
      ...named({ validity: 'future-expiry' }, 'a token that expires in the future'),
      ...(onlyMcp ? [{ how: ONLY_MCP, credential: onlyMcp }] : []),
    ],
    outOfForce: [
      ...named({ validity: 'expired' }, 'an expired token'),
      ...named({ validity: 'tampered' }, 'a tampered token'),
    ],
    withoutMcp: matrix.scopes
      .filter((other) => other !== scope)
      .flatMap((other) => named({ holding: `only:${other}` }, `a token with ${other} only`)),
    otherAudience: undefined,
  };
}

function oauthTokens(api: CheckApi, kind: string): McpTokens {
  const from = (suffix: string): Credential | undefined => {
    const variable = `${kind}_MCP_TOKEN${suffix}`;
    const token = api.variable(variable);
    return token === undefined
      ? undefined
      : { source: 'variable', variable, recipe: `$${variable}`, shell: `$${variable}`, token };
  };
  const named = (suffix: string, how: string): NamedToken[] => {
    const credential = from(suffix);
    return credential ? [{ how, credential }] : [];
  };
  const full = from('');
  return {
    full,
    variable: `${kind}_MCP_TOKEN`,
    isAcceptedElsewhere: false,
    onlyMcp: from('_MCP'),
    alsoGood: named('_MCP', ONLY_MCP),
    outOfForce: [...named('_EXPIRED', 'an expired token'), ...(full ? [tampered(api, full)] : [])],
    withoutMcp: named('_UNSCOPED', 'a token without permission for the remote MCP server'),
    otherAudience: api.full(kind),
  };
}

function tampered(api: CheckApi, full: Credential): NamedToken {
  const { token, how, shell } = tamperMiddle(full.token);
  return { how: 'a tampered token', credential: api.derive(full, token, how, shell(full.variable)) };
}

/** A token that nobody issued. */
export function unknownToken({ unknownToken: token }: CheckApi): NamedToken {
  const shell = '$(openssl rand -hex 32)';
  return {
    how: 'an unknown token',
    credential: { source: 'random', variable: '(random)', recipe: 'a random token', shell, token },
  };
}
