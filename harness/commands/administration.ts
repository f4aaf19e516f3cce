/** The roles of spec 2.1.2, and somebody who has none of them. */
export const ACTORS = ['super-admin', 'admin', 'api-token-creator', 'user'] as const;
export type Actor = (typeof ACTORS)[number];

/** `audit`, what the target wrote down of who did what, is asked of the reference service alone. */
export const ACTIONS = ['create', 'read', 'list', 'change', 'revoke', 'audit'] as const;
export type Action = (typeof ACTIONS)[number];

/** In place of an address: that of whoever acts, which only the adapter knows. */
export const SELF = '@self';

/** A service-issued token as it is asked for (spec 2.1); what is absent was not filled in. */
export interface TokenTerms {
  /** Which one, for what is done with one that there is. */
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly permission?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** YYYY-MM-DD. */
  readonly expires?: string | undefined;
  readonly userEmail?: string | undefined;
}
export interface AdministrationRequest {
  readonly action: Action;
  readonly actor: Actor;
  readonly token: TokenTerms;
}
/** What the target says of a token. Every field may be missing: nothing obliges a target to show it. */
export interface TokenRecord extends TokenTerms {
  readonly revoked?: boolean;
  /** ISO 8601, by the target's clock. */
  readonly created?: string;
  readonly lastUsed?: string;
}
export type AdministrationAnswer =
  | {
      readonly kind: 'done';
      readonly secret: string | undefined;
      readonly token: TokenRecord;
      readonly tokens: readonly TokenRecord[];
      /** Everything that was answered, fields of any name included: a secret is looked for in it. */
      readonly shown: string;
    }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unsupported'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** How tokens of the target are administered. */
export type Administer = (request: AdministrationRequest) => Promise<AdministrationAnswer>;

/**
 * Reads what ADMINISTRATION_COMMAND wrote. It may hold a secret: nothing of it is shown when it is not understood, and a
 * reason as it stands here is not fit to be shown (shown-reason.ts).
 */
export function readAdministrationAnswer(output: string): AdministrationAnswer {
  const answer = objectIn(parsed(output));
  const { ok, unsupported, problems, secret, token, tokens } = answer;
  if (typeof unsupported === 'string') return { kind: 'unsupported', why: unsupported };
  if (ok === false) {
    const said = Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
    return { kind: 'refused', why: said.join('; ') || 'no reason given' };
  }
  if (ok === true)
    return {
      kind: 'done',
      secret: typeof secret === 'string' && secret.trim() !== '' ? secret : undefined,
      token: recordIn(token),
      tokens: Array.isArray(tokens) ? tokens.map(recordIn) : [],
      shown: JSON.stringify(answer),
    };
  return {
    kind: 'failed',
    why: 'ADMINISTRATION_COMMAND answered neither {"ok": true, ...}, {"ok": false, ...} nor {"unsupported": "..."}',
  };
}

function recordIn(value: unknown): TokenRecord {
  const { id, description, permission, scopes, expires, userEmail, revoked, created, lastUsed } = objectIn(value);
  const texts = { id, description, permission, expires, userEmail, created, lastUsed };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '')),
    ...(Array.isArray(scopes) && { scopes: scopes.filter((scope) => typeof scope === 'string') }),
    ...(typeof revoked === 'boolean' && { revoked }),
  };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
