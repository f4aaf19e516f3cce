import pMap from 'p-map';
import type { Contract, Values } from '../contract/contract.ts';
import { expand } from '../plan/expand.ts';
import { redactorFor, type SecretSettings } from '../record/redact.ts';
import { type Made, type Minted, mintKey } from '../settings/minted-tokens.ts';
import { doublesOf, type TokenUse } from '../settings/same-token-twice.ts';
import type { Settings } from '../settings/settings.ts';
import { lifetimeProblem, tokenProblem } from '../settings/token-problems.ts';
import { tokenVariables } from '../settings/variables.ts';
import { ask, type Command, withoutSecrets } from './run-command.ts';
import { shownReason } from './shown-reason.ts';

const AT_ONCE = 4;

/** Asks TOKEN_COMMAND for every token that the plan could use and no variable supplies (OUTCOMES 5). */
export async function mintTokens(
  contract: Contract,
  settings: Pick<Settings, 'variables' | 'claims' | 'depth' | 'extraHeaders'>,
): Promise<Minted> {
  const { variables } = settings;
  const line = variables.get('TOKEN_COMMAND')?.value;
  const minted = new Map<string, Made>();
  if (line === undefined) return minted;
  const command: Command = { name: 'TOKEN_COMMAND', line, environment: withoutSecrets(contract) };
  const mint = async ({ key, values }: Mintable) => {
    const answer = await ask(command, requestFor(contract, values, variables));
    minted.set(key, 'output' in answer ? readAnswer(answer.output, values.validity) : answer);
  };
  await pMap(mintable(contract, settings), mint, { concurrency: AT_ONCE });
  return withoutDoubles(contract, variables, showable(minted, settings));
}

/** With nothing secret in the reasons, which every output repeats: the command knows the person, and tokens of its own. */
function showable(minted: Minted, settings: SecretSettings): Minted {
  const redactor = redactorFor({ ...settings, minted });
  const shown = (made: Made): Made =>
    'unsupported' in made ? { unsupported: shownReason(redactor, made.unsupported) } : made;
  return new Map([...minted].map(([key, made]) => [key, shown(made)]));
}

/** A command that gives one token for two things does not look at what it is asked for: neither is used. */
function withoutDoubles(contract: Contract, variables: Settings['variables'], minted: Minted): Minted {
  const supplied = tokenVariables(contract).flatMap((variable): TokenUse[] => {
    const known = variables.get(variable.name);
    return known ? [{ ...variable, token: known.value }] : [];
  });
  // By name: minted in parallel, they come in any order.
  const made = [...minted]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([name, answer]): TokenUse[] => {
      const [kind = '', validity = '', holding = ''] = name.split(' ');
      return 'token' in answer ? [{ name, kind, validity, holding, token: answer.token }] : [];
    });
  const doubles = doublesOf(contract, [...supplied, ...made]);
  return new Map(
    [...minted].map(([key, answer]): [string, Made] => {
      const names = 'token' in answer ? doubles.get(answer.token) : undefined;
      return [key, names ? { failed: `TOKEN_COMMAND made one token for ${names.join(' and ')}` } : answer];
    }),
  );
}

/** A token that the command could make, and the name that it is kept by. */
interface Mintable {
  readonly key: string;
  readonly values: Values;
}

/** What TOKEN_COMMAND is asked for: each token that the plan could use and no variable supplies, once. */
export function mintable(
  contract: Contract,
  { variables, claims, depth }: Pick<Settings, 'variables' | 'claims' | 'depth'>,
): readonly Mintable[] {
  const supplied = new Set(
    tokenVariables(contract).flatMap((token) => (variables.has(token.name) ? [mintKey(token)] : [])),
  );
  const wanted = new Map<string, Values>();
  for (const { values } of expand(contract, depth)) {
    if (!claims.kinds.includes(values.kind)) continue;
    // A tampered token is made from a valid one.
    const needed = values.validity === 'tampered' ? { ...values, validity: 'valid' } : values;
    if (!supplied.has(mintKey(needed))) wanted.set(mintKey(needed), needed);
  }
  return [...wanted].map(([key, values]) => ({ key, values }));
}

/** What the command reads on its standard input. */
function requestFor(
  { matrix, operations }: Contract,
  { kind, validity, holding, family }: Values,
  variables: Settings['variables'],
): object {
  const email = kind === 'GLOBAL' ? undefined : (variables.get(`${kind}_EMAIL`) ?? variables.get('USER_EMAIL'))?.value;
  return {
    version: 1,
    kind,
    permission: family === 'service' ? kind : null,
    scopes: scopesOf(
      matrix,
      operations.map(({ scope }) => scope),
      holding,
    ),
    validity,
    email: email ?? null,
  };
}

function scopesOf(
  { scopes, sets }: Contract['matrix'],
  ofOperations: readonly string[],
  holding: string,
): readonly string[] {
  const [form, name = ''] = holding.split(':');
  switch (form) {
    case 'only':
      return [name];
    case 'all-but':
      return scopes.filter((scope) => scope !== name);
    case 'set':
      return sets[name] ?? [];
    case 'none':
      return scopes.filter((scope) => !ofOperations.includes(scope)).slice(0, 1);
    default:
      return scopes;
  }
}

function readAnswer(output: string, validity: string): Made {
  try {
    const answer: unknown = JSON.parse(output);
    if (typeof answer === 'object' && answer !== null) {
      if ('token' in answer && typeof answer.token === 'string' && answer.token.trim() !== '') {
        const problem = tokenProblem(answer.token) ?? lifetimeProblem(answer.token, validity, Date.now());
        return problem === undefined ? { token: answer.token } : { failed: `the token of TOKEN_COMMAND ${problem}` };
      }
      if ('unsupported' in answer && typeof answer.unsupported === 'string') return { unsupported: answer.unsupported };
    }
  } catch {
    // The output may hold a token, so it is not shown.
  }
  return { failed: 'TOKEN_COMMAND answered neither {"token": "..."} nor {"unsupported": "..."}' };
}
