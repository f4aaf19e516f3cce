import { randomBytes } from 'node:crypto';
import type { Contract, Values } from '../contract/contract.ts';
import { type Minted, mintKey } from '../settings/minted-tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { tokenVariables } from '../settings/variables.ts';
import { tamperMiddle } from './tamper.ts';

/** A token to send, and how a person finds the same one: a variable, or a recipe over one. */
export interface Credential {
  /** The variable that it is or derives from. */
  readonly variable: string;
  /** `$USER_TOKEN`, or `$USER_TOKEN, character 12 of 43 changed`. */
  readonly recipe: string;
  /** What a bash command line writes for it, with the variables in its environment. */
  readonly shell: string;
  readonly token: string;
  /** TOKEN_COMMAND made it for this run, so a refusal of it is the target's fault (OUTCOMES 2). */
  readonly fresh: boolean;
}
/** The token of a case, the lack of one, or what would supply it. */
export type Supply =
  | { readonly kind: 'token'; readonly credential: Credential }
  | { readonly kind: 'none' }
  | { readonly kind: 'missing'; readonly variable: string; readonly reason?: string }
  | { readonly kind: 'unnamed'; readonly reason: string };

export interface Credentials {
  supply(values: Values): Supply;
}

/** A token that nobody issued, of the length of a real one. The same for the whole run. */
export const UNKNOWN_TOKEN = randomBytes(32).toString('base64url');
const UNKNOWN: Supply = {
  kind: 'token',
  credential: {
    variable: '(random)',
    recipe: 'a random token',
    shell: '$(openssl rand -hex 32)',
    token: UNKNOWN_TOKEN,
    fresh: false,
  },
};

/** How a tampered token was made, by what it was made from; where a journal says it and the token is not at hand. */
export type Recipes = ReadonlyMap<string, { readonly how: string; readonly shell: string }>;

/** Finds the token for a case among the variables and what TOKEN_COMMAND minted; tampered ones come from the valid one. */
export function createCredentials(
  contract: Contract,
  variables: Settings['variables'],
  minted: Minted = new Map(),
  recipes: Recipes = new Map(),
): Credentials {
  const named = new Map(tokenVariables(contract).map((token) => [mintKey(token), token.name]));
  const supplies = new Map<string, Supply>();

  const find = (values: Values): Supply => {
    if (values.family === 'none') return { kind: 'none' };
    if (values.family === 'unknown') return UNKNOWN;
    const key = mintKey(values.validity === 'tampered' ? { ...values, validity: 'valid' } : values);
    const variable = named.get(key);
    const value = variable === undefined ? undefined : variables.get(variable)?.value;
    if (variable !== undefined && value !== undefined) return tokenOf(values, variable, value, false, recipes);
    const made = minted.get(key);
    if (made && 'token' in made) return tokenOf(values, `TOKEN_COMMAND ${key}`, made.token, true, recipes);
    if (made && 'failed' in made)
      return { kind: 'missing', variable: variable ?? 'TOKEN_COMMAND', reason: made.failed };
    if (made) return { kind: 'unnamed', reason: `TOKEN_COMMAND: ${made.unsupported}` };
    return variable === undefined
      ? { kind: 'unnamed', reason: `TOKEN_COMMAND for ${key}` }
      : { kind: 'missing', variable };
  };

  return {
    supply(values) {
      const id = mintKey(values);
      const known = supplies.get(id) ?? find(values);
      supplies.set(id, known);
      return known;
    },
  };
}

function tokenOf({ validity }: Values, variable: string, token: string, fresh: boolean, recipes: Recipes): Supply {
  const [named, shell] = fresh
    ? [variable, (name: string) => `<a token from ${name}>`]
    : [`$${variable}`, (name: string) => `$${name}`];
  if (validity !== 'tampered')
    return { kind: 'token', credential: { variable, recipe: named, shell: shell(variable), token, fresh } };
  const tampered = tamperMiddle(token);
  const recorded = recipes.get(named);
  const recipe = `${named}, ${recorded?.how ?? tampered.recipe}`;
  const credential = {
    variable,
    recipe,
    shell: recorded?.shell ?? (fresh ? `<${recipe}>` : tampered.shell(variable)),
    token: tampered.token,
    fresh,
  };
  return { kind: 'token', credential };
}
