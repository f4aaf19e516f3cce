import pMap from 'p-map';
import { counted } from '../contract/amounts.ts';
import { groupedBy } from '../contract/collections.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { actsAs, type Contract, type Values } from '../contract/contract.ts';
import { neededScopes, scopesOf, wireName } from '../contract/holdings.ts';
import { parsedJson } from '../contract/json-value.ts';
import { personVariable } from '../contract/people.ts';
import { createCredentials, mintedVariable, peopleOf } from '../plan/credentials.ts';
import type { CasesAt } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { narrow } from '../plan/narrow.ts';
import { isNarrowed, type Narrowing, WHOLE } from '../plan/narrowing.ts';
import { redactorFor, type SecretSettings } from '../record/redact.ts';
import { tokenKey } from '../settings/catalogue.ts';
import type { MintAnswer, Minted, Settings } from '../settings/settings.ts';
import { lifetimeProblem, tokenProblem, tokensUsedTwice, type UsedToken } from '../settings/token-problems.ts';
import { NOBODY } from '../settings/variables.ts';
import { type CommandAnswer, commandOf, shownReason } from './run-command.ts';

/** How many commands run at once. */
const CONCURRENCY = 4;

/** The settings on which the tokens to request depend. */
type MintSettings = Pick<Settings, 'catalogue' | 'variables' | 'claims' | 'depth'>;
interface Mintable {
  /** The key of its use (`tokenKey`). */
  readonly key: string;
  readonly values: Values;
}
interface Answered extends Mintable {
  readonly answer: MintAnswer;
}

/** Shows how many of the tokens are made. Each is a step. */
export type ShowMinting = (whole: number) => { step(weight: number): void; end(): void };

interface MintOptions {
  readonly show?: ShowMinting | undefined;
  readonly narrowing?: Narrowing | undefined;
}

/** Runs TOKEN_COMMAND for what the plan can use and nothing supplies (outcomes 5). @throws for no answer, or no token at all. */
export async function mintTokens(
  settings: MintSettings & Pick<Settings, 'extraHeaders'>,
  casesAt: CasesAt,
  { show, narrowing = WHOLE }: MintOptions = {},
): Promise<Minted> {
  const command = commandOf(settings, 'TOKEN_COMMAND');
  if (!command) return new Map();
  const all = neededBy(narrowing, mintable(settings, casesAt), { ...settings, casesAt });
  const progress = show?.(all.length);
  const mint = async (wanted: Mintable): Promise<Answered> => {
    const answer = readAnswer(await command.ask(requestFor(settings, wanted.values)), wanted);
    progress?.step(1);
    return { ...wanted, answer };
  };
  const answered = await pMap(all, mint, { concurrency: CONCURRENCY }).finally(() => progress?.end());
  const minted = new Map(answered.map(({ key, answer }) => [key, answer]));
  const known = withRedactedReasons(new Map([...minted, ...conflicts(settings, answered)]), { ...settings, minted });
  refuseNoToken(settings, [...known.values()]);
  return known;
}

/** A run without any token decides nothing, as if no variable were set. */
function refuseNoToken({ catalogue, variables }: MintSettings, answers: readonly MintAnswer[]): void {
  if (answers.length === 0 || catalogue.tokens.some(({ name }) => variables.has(name))) return;
  const reasons = answers.map((one) => ('token' in one ? undefined : 'failed' in one ? one.failed : one.unsupported));
  if (reasons.includes(undefined)) return;
  const counts = [...groupedBy(reasons, (one) => one)].map(([reason, { length }]) => `${length} × ${reason}`);
  throw configurationError(
    `TOKEN_COMMAND made none of ${counted(answers.length, 'token')}, and no variable supplies one: ${counts.join('; ')}. Run it by hand with a request on its standard input, as docs/minting-tokens.md shows`,
  );
}

/** Redacts the reasons of the command, because reports show them and they may contain an email or a token. */
function withRedactedReasons(minted: Minted, secrets: SecretSettings): Minted {
  const redactor = redactorFor(secrets);
  const shown = (answer: MintAnswer): MintAnswer =>
    'unsupported' in answer ? { unsupported: shownReason(redactor, answer.unsupported) } : answer;
  return new Map([...minted].map(([key, answer]) => [key, shown(answer)]));
}

/** Failures for tokens that the command gave for two different uses: it ignores what it is asked for. */
function conflicts({ catalogue, variables }: MintSettings, answered: readonly Answered[]): Minted {
  const supplied = catalogue.tokens.flatMap((variable): UsedToken[] => {
    const known = variables.get(variable.name);
    return known ? [{ ...variable, token: known.value }] : [];
  });
  const made = answered.flatMap(({ key, values: { kind, validity, holding }, answer }): UsedToken[] =>
    'token' in answer ? [{ name: key, kind, validity, holding, token: answer.token }] : [],
  );
  made.sort((a, b) => a.name.localeCompare(b.name));
  const duplicates = tokensUsedTwice(catalogue.contract, [...supplied, ...made]);
  return new Map(
    made.flatMap(({ name, token }): [string, MintAnswer][] => {
      const names = duplicates.get(token);
      return names ? [[name, { failed: `TOKEN_COMMAND gave the same token for ${names.join(' and ')}` }]] : [];
    }),
  );
}

/** The tokens to request from TOKEN_COMMAND: each token that the plan can use and no variable supplies, once. */
export function mintable({ catalogue, variables, claims, depth }: MintSettings, casesAt: CasesAt): readonly Mintable[] {
  const supplied = new Set(catalogue.tokens.filter(({ name }) => variables.has(name)).map(tokenKey));
  const wanted = new Map<string, Values>();
  for (const { values } of casesAt(depth)) {
    if (!claims.kinds.includes(values.kind)) continue;
    // The suite makes a tampered token from a valid one.
    const needed = values.validity === 'tampered' ? { ...values, validity: 'valid' } : values;
    const key = tokenKey(needed);
    if (!supplied.has(key)) wanted.set(key, needed);
  }
  return [...wanted].map(([key, values]) => ({ key, values }));
}

/**
 * Those of the tokens that a narrowed run can use: those of its cases and of the requests that show that they work, or all of
 * them if a check runs. All shards of a run use the same ones.
 */
function neededBy(
  { shard: _shard, ...narrowing }: Narrowing,
  all: readonly Mintable[],
  { catalogue, variables, claims, depth, casesAt }: MintSettings & { readonly casesAt: CasesAt },
): readonly Mintable[] {
  if (!isNarrowed(narrowing)) return all;
  const { contract } = catalogue;
  // As if the command made each of them.
  const minted = new Map(all.map(({ key }) => [key, { token: key }]));
  const credentials = createCredentials({ catalogue, variables, minted, unknownToken: 'unknown' });
  const people = peopleOf(contract, variables, 'plan');
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  const { plan, checks } = narrow(contract, whole, contract.checks, narrowing);
  if (checks.length > 0) return all;
  const cases = [...plan.cases.values()];
  const kinds = new Set(cases.map(({ values }) => values.kind));
  const wellMade = plan.acceptances.filter(({ deviations, values }) => deviations === 0 && kinds.has(values.kind));
  const sent = [...cases, ...cases.map(plan.proofOf), ...wellMade];
  const used = new Set(sent.map((one) => one?.credential?.variable));
  return all.filter(({ key }) => used.has(mintedVariable(key)));
}

/** The request that the command reads on its standard input. */
function requestFor({ catalogue: { contract }, variables }: MintSettings, values: Values): object {
  const { kind, validity, holding, family } = values;
  const owners = actsAs(contract, kind) ? [] : [kind, 'USER'];
  const [email] = owners.flatMap((owner) => variables.get(personVariable(contract, owner))?.value ?? []);
  const scopes = holding === 'none' ? scopeWithoutOperation(contract) : scopesOf(contract, holding);
  return {
    version: 1,
    kind,
    permission: family === 'service' ? kind : null,
    scopes: scopes.map((scope) => wireName(contract, scope)),
    validity,
    email: email === undefined || email === NOBODY ? null : email,
  };
}

/** A service-issued token must have a scope, so an unscoped one has a scope that no operation needs. */
function scopeWithoutOperation(contract: Contract): readonly string[] {
  const needed = neededScopes(contract);
  return contract.matrix.scopes.filter((name) => !needed.has(name)).slice(0, 1);
}

/** @throws a configuration error for an output that is no answer. A command that fails leaves its token undecided instead. */
function readAnswer(answered: CommandAnswer, { key, values: { validity } }: Mintable): MintAnswer {
  if ('failed' in answered) return answered;
  const { token, expiresAt, unsupported }: Readonly<Record<string, unknown>> = Object(
    parsedJson(answered.output.trim()),
  );
  const expiry = timeOf(expiresAt);
  if (typeof token === 'string' && token.trim() !== '' && expiry !== 'no time') {
    const problem = tokenProblem(token) ?? lifetimeProblem(token, validity, Date.now(), expiry);
    return problem === undefined
      ? { token, ...(expiry !== undefined && { expiresAt: expiry }) }
      : { failed: `the token from TOKEN_COMMAND ${problem}` };
  }
  if (typeof unsupported === 'string') return { unsupported };
  // The output may contain a token, so the error does not quote it.
  throw configurationError(
    `TOKEN_COMMAND: line 1 of its output for ${key} is neither {"token": "..."} nor {"unsupported": "..."}; write one of them as JSON, and nothing else. A token may also have "expiresAt": "2026-12-31T23:59:59Z"`,
  );
}

/** Milliseconds since the epoch of a date and time (RFC 3339); undefined if the token has no expiry. */
function timeOf(written: unknown): number | undefined | 'no time' {
  if (written === undefined || written === null) return undefined;
  const isWhole =
    typeof written === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(written);
  const time = isWhole ? Date.parse(written) : Number.NaN;
  return Number.isNaN(time) ? 'no time' : time;
}
