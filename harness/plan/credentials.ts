import type { Contract, Values } from '../contract/contract.ts';
import { formOf, holdingsOf } from '../contract/holdings.ts';
import { areEmails, personVariable } from '../contract/people.ts';
import { type Catalogue, type TokenUse, tokenKey } from '../settings/catalogue.ts';
import type { MintAnswer, Minted, Settings } from '../settings/settings.ts';
import { endOf } from '../settings/token-problems.ts';
import { exclusionOf, type Lack, lackInWords, variableLack } from './case.ts';
import { tamperMiddle, unknownShell } from './token-bytes.ts';

/** `variable`: the operator set it; `minted`: TOKEN_COMMAND; `made`: ADMINISTRATION_COMMAND; `random`: nobody issued it. */
type Source = 'variable' | 'minted' | 'made' | 'random';

/** A token to send, and the recipe by which a person finds the same one. */
export interface Credential {
  readonly source: Source;
  /** The variable that it comes from; a label if it comes from no variable. */
  readonly variable: string;
  /** `$USER_TOKEN`, or `$USER_TOKEN, character 12 of 43 changed`. */
  readonly recipe: string;
  /** The token in a bash command line, which reads the variables from its environment. */
  readonly shell: string;
  readonly token: string;
  readonly tampering?: Tampering;
  /** When it expires, in milliseconds since the epoch. Undefined if nobody knows, and of a token that has expired on purpose. */
  readonly endsAt?: number | undefined;
}
/** How a token was made from a valid one. The journal records it, because `report` has no token to tamper with. */
export interface Tampering {
  /** The recipe of the valid token. */
  readonly from: string;
  /** `character 12 of 43 changed`. */
  readonly how: string;
  /** The tampered token in a bash command line. */
  readonly shell: string;
}

/** What a case sends as its token: a token, none, or one that is missing. */
type Supply =
  | { readonly kind: 'token'; readonly credential: Credential }
  | { readonly kind: 'none' }
  /** `variable` would supply it; undefined if no variable does. */
  | { readonly kind: 'missing'; readonly variable: string | undefined; readonly lack: Lack };

export interface UsedCredential {
  readonly use: TokenUse;
  readonly credential: Credential;
}

export interface Credentials {
  supply(values: TokenUse & Pick<Values, 'family'>): Supply;
  /** Every token that a case may have. */
  all(): readonly UsedCredential[];
}
interface CredentialsInput {
  readonly catalogue: Catalogue;
  readonly variables: Settings['variables'];
  readonly minted?: Minted | undefined;
  /** A token that nobody issued, as long as a real one. A run uses the same one throughout. */
  readonly unknownToken: string;
  /** How tokens were tampered with, from the journal of the run that is judged again. */
  readonly tamperings?: readonly Tampering[];
}

/** Whether a token was made for this run. If so, the target is to blame for a wrong refusal of it (outcomes 2). */
export function isFresh({ source }: Pick<Credential, 'source'>): boolean {
  return source === 'minted' || source === 'made';
}

/** Finds the token of a case in the variables and the answers of TOKEN_COMMAND. Tampers with valid tokens. */
export function createCredentials(input: CredentialsInput): Credentials {
  const { catalogue, variables, minted, unknownToken } = input;
  const tamperings = new Map((input.tamperings ?? []).map((tampering) => [tampering.from, tampering]));
  const unknown = {
    kind: 'token',
    credential: unknownCredential(unknownToken, unknownShell(catalogue.contract)),
  } as const;
  const supplies = new Map<string, Supply>();

  const token = (credential: Credential, { validity }: TokenUse, expiresAt?: number): Supply => ({
    kind: 'token',
    credential: { ...credential, endsAt: endOf(credential.token, validity, expiresAt) },
  });
  const issued = (use: TokenUse): Supply => {
    const variable = catalogue.supplying(use);
    const value = variable === undefined ? undefined : variables.get(variable)?.value;
    if (variable !== undefined && value !== undefined) return token(variableCredential(variable, value), use);
    const answer = minted?.get(tokenKey(use));
    if (answer && 'token' in answer) return token(mintedCredential(tokenKey(use), answer.token), use, answer.expiresAt);
    return missing(variable, answer, tokenKey(use));
  };

  const find = (values: TokenUse & Pick<Values, 'family'>): Supply => {
    if (values.family === 'none') return { kind: 'none' };
    if (values.family === 'unknown') return unknown;
    if (values.validity !== 'tampered') return issued(values);
    const valid = issued({ ...values, validity: 'valid' });
    if (valid.kind !== 'token') return valid;
    return { kind: 'token', credential: tamper(valid.credential, tamperings.get(valid.credential.recipe)) };
  };

  const supply: Credentials['supply'] = (values) => {
    const key = tokenKey(values);
    const known = supplies.get(key) ?? find(values);
    supplies.set(key, known);
    return known;
  };
  return {
    supply,
    all: () =>
      tokenUses(catalogue.contract).flatMap(({ family, ...use }) => {
        const found = supply({ family, ...use });
        return found.kind === 'token' ? [{ use, credential: found.credential }] : [];
      }),
  };
}

function tokenUses(contract: Contract): readonly (TokenUse & Pick<Values, 'family'>)[] {
  const { kinds, exclusions } = contract.matrix;
  return Object.entries(kinds).flatMap(([kind, definition]) =>
    (definition.validities ?? ['-']).flatMap((validity) =>
      (definition.holdings ? holdingsOf(contract, definition) : ['-'])
        .map((holding) => ({ family: definition.family, kind, validity, holding }))
        .filter((use) => exclusionOf(exclusions, { ...use, 'holding-form': formOf(use.holding) }) === undefined),
    ),
  );
}

function missing(variable: string | undefined, answer: MintAnswer | undefined, key: string): Supply {
  if (answer && 'failed' in answer) return { kind: 'missing', variable, lack: lackInWords(answer.failed) };
  if (answer && 'unsupported' in answer)
    return { kind: 'missing', variable: undefined, lack: lackInWords(`TOKEN_COMMAND: ${answer.unsupported}`) };
  return variable === undefined
    ? { kind: 'missing', variable, lack: lackInWords(`TOKEN_COMMAND for ${key}`) }
    : { kind: 'missing', variable, lack: variableLack(variable) };
}

function unknownCredential(token: string, shell: string): Credential {
  return { source: 'random', variable: '(random)', recipe: 'a random token', shell, token };
}

function variableCredential(variable: string, token: string): Credential {
  return { source: 'variable', variable, recipe: `$${variable}`, shell: `$${variable}`, token };
}

/** What stands for the variable of a token that TOKEN_COMMAND made. @param key that of its use (`tokenKey`). */
export function mintedVariable(key: string): string {
  return `TOKEN_COMMAND ${key}`;
}

function mintedCredential(key: string, token: string): Credential {
  const variable = mintedVariable(key);
  return { source: 'minted', variable, recipe: variable, shell: `<a token from ${variable}>`, token };
}

/** @param recorded how the token was tampered with, from a journal. Then `valid` is a placeholder of any length. */
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

/** The people that a request may name, from the variables. */
export interface People {
  /** The person that tokens act as: ACT_AS_EMAIL. */
  readonly actAs: string | undefined;
  /** The owner of the other tokens: USER_EMAIL. */
  readonly user: string | undefined;
  /** An email without a person, at the domain of the others: UNKNOWN_EMAIL, or a random one. */
  readonly nobody: string;
  /** An email without a person, at a domain that does not exist. */
  readonly nobodyElsewhere: string;
  /** A person who no longer exists: FORMER_EMAIL. */
  readonly former: string | undefined;
}

/** Who a GLOBAL token acts as in the cases of the plan, the other person that it can act as, and who is gone. */
export type Acting = 'actAs' | 'user' | 'former';

/** The people of a request that acts as one of them. Who no longer exists stands for nobody. */
export function actingAs(people: People, person: Acting): People {
  switch (person) {
    case 'actAs':
      return people;
    case 'user':
      return { ...people, actAs: people.user, user: people.actAs };
    case 'former':
      return { ...people, nobody: people.former ?? people.nobody };
  }
}

/** @param run the id of the run, which makes the addresses of nobody unique. */
export function peopleOf(contract: Contract, variables: Settings['variables'], run: string): People {
  const value = (owner: string) => variables.get(personVariable(contract, owner))?.value;
  const actAs = value('ACT_AS');
  const user = value('USER');
  const domain = (actAs ?? user ?? 'nobody@example.com').split('@')[1] ?? 'example.com';
  const [random, elsewhere] = areEmails(contract)
    ? [`nobody-${run}@${domain}`, `nobody-${run}@conformance.invalid`]
    : [`nobody-${run}`, `no-one-${run}`];
  return { actAs, user, nobody: value('UNKNOWN') ?? random, nobodyElsewhere: elsewhere, former: value('FORMER') };
}
