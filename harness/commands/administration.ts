import type { Settings } from '../settings/settings.ts';
import { commandOf } from './run-command.ts';

/** Who acts: the roles of spec 2.1.2, and `user`, who has none of them. */
export type Actor = 'super-admin' | 'admin' | 'api-token-creator' | 'user';

/** What an actor does. Only the reference service is asked for `audit`, its record of who did what. */
export type Action = 'create' | 'read' | 'list' | 'change' | 'revoke' | 'audit';

/** Stands for the address of the actor, which only the adapter knows. */
export const SELF = '@self';

/** The fields of a service-issued token (spec 2.1). An absent field is not filled in. */
export interface TokenTerms {
  /** The id of an existing token: the one to read, change or revoke. */
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
/** What the target shows of a token. Any field may be missing, because no target must show it. */
export interface TokenRecord extends TokenTerms {
  readonly revoked?: boolean;
  /** ISO 8601, by the clock of the target. */
  readonly created?: string;
  readonly lastUsed?: string;
}
export type AdministrationAnswer =
  | {
      readonly kind: 'done';
      readonly secret: string | undefined;
      readonly token: TokenRecord;
      readonly tokens: readonly TokenRecord[];
      /** The whole answer as JSON, including unknown fields. Checks look for secrets in it. */
      readonly shown: string;
    }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unsupported'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Performs an action on the tokens of the target. */
export type Administer = (request: AdministrationRequest) => Promise<AdministrationAnswer>;

/**
 * Reads the output of ADMINISTRATION_COMMAND. It may contain a secret, so an error does not quote it, and a caller must
 * redact `why` before showing it (`shownReason`).
 */
export function readAdministrationAnswer(output: string): AdministrationAnswer {
  const answer = objectIn(parsed(output));
  const { ok, unsupported, problems, secret, token, tokens } = answer;
  if (typeof unsupported === 'string') return { kind: 'unsupported', why: unsupported };
  if (ok === false) {
    const reasons = Array.isArray(problems) ? problems.filter((problem) => typeof problem === 'string') : [];
    return { kind: 'refused', why: reasons.join('; ') || 'no reason given' };
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
    why: 'ADMINISTRATION_COMMAND must write {"ok": true, ...}, {"ok": false, ...} or {"unsupported": "..."}, but wrote something else',
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

/** A value that can be written as JSON again: one that is nested too deeply cannot. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

/** Administers tokens by running ADMINISTRATION_COMMAND for each request; undefined if the variable is not set. */
export function administerByCommand(settings: Pick<Settings, 'catalogue' | 'variables'>): Administer | undefined {
  const command = commandOf(settings, 'ADMINISTRATION_COMMAND');
  if (!command) return undefined;
  return async (request) => {
    const answer = await command.ask({ version: 1, ...request });
    return 'output' in answer ? readAdministrationAnswer(answer.output) : { kind: 'failed', why: answer.failed };
  };
}
