import { randomBytes } from 'node:crypto';
import type { Values } from './cases.ts';
import type { Settings } from './settings.ts';
import { tamperMiddle } from './tamper.ts';
import type { TokenVariable } from './variables.ts';

/** A token to send, and how a person finds the same one: a variable, or a recipe over one. */
export interface Credential {
  /** The variable that it is or derives from. */
  readonly variable: string;
  /** `$USER_TOKEN`, or `$USER_TOKEN, character 12 changed`. */
  readonly recipe: string;
  /** What a bash command line writes for it, with the variables in its environment. */
  readonly shell: string;
  readonly token: string;
}
/** The token of a case, the lack of one, or the variable that would supply it. */
export type Supply =
  | { readonly kind: 'token'; readonly credential: Credential }
  | { readonly kind: 'none' }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'unnamed'; readonly reason: string };

export interface Credentials {
  supply(values: Values): Supply;
}

/** A token that nobody issued, of the length of a real one. The same for the whole run. */
export const UNKNOWN_TOKEN = randomBytes(32).toString('base64url');

/** Finds the token for a case among the variables; tampered ones are made from the valid one. */
export function createCredentials(variables: Settings['variables'], tokens: readonly TokenVariable[]): Credentials {
  const key = (kind: string, validity: string, holding: string) => `${kind} ${validity} ${holding}`;
  const named = new Map(tokens.map((token) => [key(token.kind, token.validity, token.holding), token.name]));
  const supplies = new Map<string, Supply>();

  const find = ({ kind, validity, holding, family }: Values): Supply => {
    if (family === 'none') return { kind: 'none' };
    if (family === 'unknown')
      return {
        kind: 'token',
        credential: {
          variable: '(random)',
          recipe: 'a random token',
          shell: '$(openssl rand -hex 32)',
          token: UNKNOWN_TOKEN,
        },
      };
    const variable = named.get(key(kind, validity === 'tampered' ? 'valid' : validity, holding));
    if (variable === undefined)
      return { kind: 'unnamed', reason: `no variable names a ${kind} token that is ${validity} and holds ${holding}` };
    const token = variables.get(variable)?.value;
    if (token === undefined) return { kind: 'missing', variable };
    if (validity !== 'tampered')
      return { kind: 'token', credential: { variable, recipe: `$${variable}`, shell: `$${variable}`, token } };
    const tampered = tamperMiddle(token);
    return {
      kind: 'token',
      credential: {
        variable,
        recipe: `$${variable}, ${tampered.recipe}`,
        shell: tampered.shell(variable),
        token: tampered.token,
      },
    };
  };

  return {
    supply(values) {
      const id = key(values.kind, values.validity, values.holding);
      const known = supplies.get(id) ?? find(values);
      supplies.set(id, known);
      return known;
    },
  };
}
