import type { Values } from '../contract/contract.ts';
import { type Catalogue, tokenKey } from '../settings/catalogue.ts';
import type { MintAnswer, Minted } from '../settings/minted-tokens.ts';
import type { Settings } from '../settings/settings.ts';
import { type Lack, lackInWords, variableLack } from './lack.ts';
import { tamperMiddle } from './tamper.ts';

/** Where a token comes from: the operator set it, TOKEN_COMMAND minted it, ADMINISTRATION_COMMAND made it, nobody issued it. */
export const SOURCES = ['variable', 'minted', 'made', 'random'] as const;
export type Source = (typeof SOURCES)[number];

/** A token to send, and how a person finds the same one: a variable, or a recipe over one. */
export interface Credential {
  readonly source: Source;
  /** The variable that it is or derives from, or what stands for one. */
  readonly variable: string;
  /** `$USER_TOKEN`, or `$USER_TOKEN, character 12 of 43 changed`. */
  readonly recipe: string;
  /** What a bash command line writes for it, with the variables in its environment. */
  readonly shell: string;
  readonly token: string;
  readonly tampering?: Tampering;
}
/** How a token was made from a valid one. A journal holds it, since offline there is no token to tamper with. */
export interface Tampering {
  /** The recipe of the valid one. */
  readonly from: string;
  /** `character 12 of 43 changed`. */
  readonly how: string;
  /** What a command line writes for it. */
  readonly shell: string;
}

/** The token of a case, the lack of one, or what would supply it. */
export type Supply =
  | { readonly kind: 'token'; readonly credential: Credential }
  | { readonly kind: 'none' }
  /** `variable`: the one that would supply it, where there is one. */
  | { readonly kind: 'missing'; readonly variable: string | undefined; readonly lack: Lack };

export interface Credentials {
  supply(values: Values): Supply;
}
export interface CredentialsInput {
  readonly catalogue: Catalogue;
  readonly variables: Settings['variables'];
  readonly minted?: Minted | undefined;
  /** A token that nobody issued, of the length of a real one; the same for the whole run. */
  readonly unknownToken: string;
  /** How tokens were tampered with in the run that is judged again. */
  readonly tamperings?: readonly Tampering[];
}

/** Whether a token was made for this run: a refusal of it is the target's fault (OUTCOMES 2). */
export function isFresh({ source }: Pick<Credential, 'source'>): boolean {
  return source === 'minted' || source === 'made';
}

/** Finds the token for a case among the variables and what TOKEN_COMMAND minted; tampered ones come from the valid one. */
export function createCredentials(input: CredentialsInput): Credentials {
  const { catalogue, variables, minted, unknownToken } = input;
  const tamperings = new Map((input.tamperings ?? []).map((tampering) => [tampering.from, tampering]));
  const unknown = { kind: 'token', credential: unknownCredential(unknownToken) } as const;
  const supplies = new Map<string, Supply>();

  const find = (values: Values): Supply => {
    if (values.family === 'none') return { kind: 'none' };
    if (values.family === 'unknown') return unknown;
    const isTampered = values.validity === 'tampered';
    const use = isTampered ? { ...values, validity: 'valid' } : values;
    const variable = catalogue.supplying(use);
    const value = variable === undefined ? undefined : variables.get(variable)?.value;
    const answer = minted?.get(tokenKey(use));
    const valid =
      variable !== undefined && value !== undefined
        ? variableCredential(variable, value)
        : answer && 'token' in answer
          ? mintedCredential(tokenKey(use), answer.token)
          : undefined;
    if (!valid) return missing(variable, answer, tokenKey(use));
    return { kind: 'token', credential: isTampered ? tamper(valid, tamperings.get(valid.recipe)) : valid };
  };

  return {
    supply(values) {
      const key = tokenKey(values);
      const known = supplies.get(key) ?? find(values);
      supplies.set(key, known);
      return known;
    },
  };
}

function missing(variable: string | undefined, answer: MintAnswer | undefined, key: string): Supply {
  if (answer && 'failed' in answer) return { kind: 'missing', variable, lack: lackInWords(answer.failed) };
  if (answer && 'unsupported' in answer)
    return { kind: 'missing', variable: undefined, lack: lackInWords(`TOKEN_COMMAND: ${answer.unsupported}`) };
  return variable === undefined
    ? { kind: 'missing', variable, lack: lackInWords(`TOKEN_COMMAND for ${key}`) }
    : { kind: 'missing', variable, lack: variableLack(variable) };
}

function unknownCredential(token: string): Credential {
  const shell = '$(openssl rand -hex 32)';
  return { source: 'random', variable: '(random)', recipe: 'a random token', shell, token };
}

function variableCredential(variable: string, token: string): Credential {
  return { source: 'variable', variable, recipe: `$${variable}`, shell: `$${variable}`, token };
}

function mintedCredential(key: string, token: string): Credential {
  const variable = `TOKEN_COMMAND ${key}`;
  return { source: 'minted', variable, recipe: variable, shell: `<a token from ${variable}>`, token };
}

/** @param recorded how it was tampered with in the run that is judged again: the stand-ins there have another length. */
function tamper(valid: Credential, recorded: Tampering | undefined): Credential {
  const { token, how, shell } = tamperMiddle(valid.token);
  const recipe = `${valid.recipe}, ${recorded?.how ?? how}`;
  const tampering = recorded ?? {
    from: valid.recipe,
    how,
    shell: valid.source === 'variable' ? shell(valid.variable) : `<${recipe}>`,
  };
  return { ...valid, recipe, shell: tampering.shell, token, tampering };
}
