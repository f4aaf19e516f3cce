import { type CheckAnswer, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/outcome.ts';
import { type Actor, SELF, type TokenTerms } from '../../../harness/commands/administration.ts';
import { confirm } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, pass } from '../shared/decision.ts';
import type { MadeToken, MakeResult, TokenMaker } from './token-maker.ts';

/** A part of the check: the requirements that it decides, and how. */
export interface CheckPart {
  readonly requirements: readonly string[];
  decide(maker: TokenMaker): Promise<readonly CheckResult[]>;
}

/** The result for a requirement. The requirements are about tokens, so no operation is named. */
export function resultFor(requirement: string, decided: Decided, kind = 'any'): CheckResult {
  return { requirement, operation: 'any', kind, ...decided };
}

/** The verdict if ADMINISTRATION_COMMAND could not do what was asked, for a reason that is not the target's decision. */
export function notTestableBecause(answer: Extract<MakeResult, { kind: 'unsupported' | 'failed' }>): Decided {
  switch (answer.kind) {
    case 'unsupported':
      return { verdict: 'not-testable', detail: `ADMINISTRATION_COMMAND: ${answer.why}` };
    case 'failed':
      return { verdict: 'not-testable', detail: answer.why };
  }
}

/** Requests a token that must be made and must work. */
export async function mustMake(
  maker: TokenMaker,
  actor: Actor,
  what: string,
  changes: TokenTerms = {},
): Promise<Decided> {
  const result = await maker.make(actor, changes);
  switch (result.kind) {
    case 'made':
      return mustWork(maker, result, what);
    case 'refused':
      return fail(`${what} was refused: ${result.why}`);
    case 'unsupported':
    case 'failed':
      return notTestableBecause(result);
  }
}

async function mustWork(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const actAs = made.terms.permission === 'GLOBAL' ? maker.api.variable('ACT_AS_EMAIL') : undefined;
  const outcome = await confirmUse(maker, made, actAs === undefined ? {} : { actAs });
  switch (outcome.kind) {
    case 'accepted':
      return pass(`${what} was made and accepted`);
    case 'refused':
      return fail(`${what} was made, but a request with it got ${outcome.status}`);
    case 'lost':
      return inconclusive(outcome.why);
  }
}

/** Sends a request with a token that must work. A refusal counts if it comes again (outcomes 3). */
export async function confirmUse(maker: TokenMaker, made: MadeToken, options: UseOptions = {}): Promise<CheckOutcome> {
  const { kind, got } = await confirm(
    async () => outcomeOf(await maker.use(made, options)),
    (outcome) => {
      switch (outcome.kind) {
        case 'accepted':
          return 'right';
        case 'refused':
          return 'wrong';
        case 'lost':
          return 'lost';
      }
    },
  );
  return kind === 'fleeting' ? { kind: 'lost', why: 'the token was refused once; it did not happen again' } : got;
}
type UseOptions = Parameters<TokenMaker['use']>[1];

/** A token that nobody should get. */
interface ForbiddenToken {
  /** How it differs from the ordinary token. */
  readonly changes: TokenTerms;
  /** Says whether the token that was made is the forbidden one. By default it is. */
  readonly harm?: (made: MadeToken) => Promise<Harm>;
}

/** Requests a token that must not be made. */
export async function mustNotMake(
  maker: TokenMaker,
  actor: Actor,
  what: string,
  { changes, harm = async () => ({ kind: 'harmful' }) }: ForbiddenToken,
): Promise<Decided> {
  const result = await maker.make(actor, changes);
  switch (result.kind) {
    case 'made':
      return mustBeHarmless(await harm(result), what);
    case 'refused':
      return pass(`${what} was refused`);
    case 'unsupported':
      return { verdict: 'observed', detail: `${what} cannot be requested: ${result.why}` };
    case 'failed':
      return notTestableBecause(result);
  }
}

/** Whether a token does what a token must not do. `lost`: the target's answer does not show it. */
export type Harm =
  | { readonly kind: 'harmful' }
  | { readonly kind: 'harmless' }
  | { readonly kind: 'lost'; readonly why: string };

function mustBeHarmless(harm: Harm, what: string): Decided {
  switch (harm.kind) {
    case 'harmful':
      return fail(`${what} was made`);
    case 'harmless':
      return pass(`${what} was not made: a harmless one was made instead`);
    case 'lost':
      return inconclusive(harm.why);
  }
}

/** Whether a token runs as this person, by its record or by what it finds. If neither shows it, the token counts as harmful. */
export async function runsAs(maker: TokenMaker, made: MadeToken, owner: 'USER' | 'ACT_AS'): Promise<Harm> {
  const email = maker.api.variable(`${owner}_EMAIL`);
  const recorded = made.token.userEmail;
  const harmIf = (isOwner: boolean): Harm => ({ kind: isOwner ? 'harmful' : 'harmless' });
  if (recorded !== undefined && recorded !== SELF) return harmIf(recorded.toLowerCase() === email?.toLowerCase());
  const query = maker.api.variable(`${owner}_PRIVATE_QUERY`);
  if (query === undefined) return { kind: 'harmful' };
  const answer = await maker.use(made, { query });
  const outcome = readIn(answer, maker.operation);
  return outcome.kind === 'lost' ? outcome : harmIf(showsMarker(answer, owner));
}

export function describeAnswer({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? `got ${observation.status}` : observation.detail;
}
