import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { type Actor, SELF, type TokenRecord, type TokenTerms } from '../../../harness/commands/administration.ts';
import { confirm } from '../shared/confirm.ts';
import { type Decided, decisionOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { type MadeToken, type MakeResult, recordOf, type TokenMaker, type Use } from './token-maker.ts';

/** A part of the check: the requirements that it decides, and how. */
export interface CheckPart {
  readonly requirements: readonly string[];
  decide(maker: TokenMaker): Promise<readonly CheckResult[]>;
}

/** The result for a requirement. The requirements are about tokens, so no operation is named. */
export function resultFor(
  { api }: Pick<TokenMaker, 'api'>,
  requirement: string,
  decided: Decided,
  kind = 'any',
): CheckResult {
  return decisionOn(api, { requirement, operation: 'any', kind }, decided);
}

/** The verdict if ADMINISTRATION_COMMAND could not do what was asked, for a reason that is not the target's decision. */
export function notTestableBecause(answer: Extract<MakeResult, { kind: 'unsupported' | 'failed' }>): Decided {
  switch (answer.kind) {
    case 'unsupported':
      return { verdict: 'not-testable', detail: `ADMINISTRATION_COMMAND: ${answer.why}` } as const;
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
      return fail(undefined, `${what} was refused: ${result.why}`);
    case 'unsupported':
    case 'failed':
      return notTestableBecause(result);
  }
}

async function mustWork(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const actAs = made.terms.permission === 'GLOBAL' ? maker.api.variable('ACT_AS_EMAIL') : undefined;
  const { outcome, answer } = await confirmUse(maker, made, {
    ...(actAs !== undefined && { actAs }),
    shows: `${what} is accepted`,
    wanted: 'accepted',
  });
  switch (outcome.kind) {
    case 'accepted':
      return pass(await maker.api.acceptance(answer), `${what} was made and accepted`);
    case 'refused':
      return fail(answer, `${what} was made, but a request with it got ${outcome.status}`);
    case 'lost':
      return inconclusive(outcome.why);
  }
}

/** Sends a request with a token that must work. A refusal counts if it comes again (outcomes 3). */
export async function confirmUse(
  maker: TokenMaker,
  made: MadeToken,
  use: Use,
): Promise<{ readonly outcome: CheckOutcome; readonly answer: CheckAnswer }> {
  const { kind, got: answer } = await confirm(
    () => maker.use(made, use),
    (one) => (({ accepted: 'right', refused: 'wrong', lost: 'lost' }) as const)[outcomeOf(one).kind],
  );
  const fleeting = { kind: 'lost', why: 'the token was refused once; it did not happen again' } as const;
  return { outcome: kind === 'fleeting' ? fleeting : outcomeOf(answer), answer };
}

/** A token that nobody should get. */
interface ForbiddenToken {
  /** How it differs from the ordinary token. */
  readonly changes: TokenTerms;
  /** The verdict on a token that was made all the same. By default it is a failure. */
  readonly made?: (made: MadeToken) => Promise<Decided>;
  /** The verdict if no token was made. By default a pass. */
  readonly refused?: typeof pass;
}

/** Requests a token that must not be made. */
export async function mustNotMake(
  maker: TokenMaker,
  actor: Actor,
  what: string,
  { changes, made = async () => fail(undefined, `${what} was made`), refused = pass }: ForbiddenToken,
): Promise<Decided> {
  const result = await maker.make(actor, changes);
  switch (result.kind) {
    case 'made':
      return made(result);
    case 'refused':
      return refused(maker.control, `${what} was refused`);
    case 'unsupported':
      return observed(`${what} cannot be requested: ${result.why}`);
    case 'failed':
      return notTestableBecause(result);
  }
}

/**
 * The verdict on a token that was requested with a field that no token may have. A console that fills in a legal value
 * made a legal token, which the specification does not forbid.
 */
export function mustBeLegal<T extends keyof TokenRecord>(
  maker: TokenMaker,
  what: string,
  field: T,
  isLegal: (value: NonNullable<TokenRecord[T]>) => boolean,
): (made: MadeToken) => Promise<Decided> {
  return async (made) => {
    const read = await recordOf(maker, made);
    if (read.kind === 'lost') return inconclusive(read.why);
    const { [field]: value } = { ...made.token, ...(read.kind === 'record' && read.record) };
    if (value !== undefined)
      return isLegal(value as NonNullable<TokenRecord[T]>)
        ? observed(`${what} was made with another ${field}, which is allowed`)
        : fail(undefined, `${what} was made, and its record keeps that ${field}`);
    // Records need not show every field. One that shows it for an ordinary token shows here that it is empty.
    return maker.made[0]?.token[field] === undefined
      ? inconclusive(`${what} was made, and its record does not show ${field}`)
      : fail(undefined, `${what} was made, and its record has no ${field}`);
  };
}

/** Whether a token runs as this person, by its record or by what it finds. Undefined if neither shows it. */
export async function runsAs(
  maker: TokenMaker,
  made: MadeToken,
  owner: 'USER' | 'ACT_AS',
): Promise<{ readonly runs: boolean | undefined; readonly answer?: CheckAnswer; readonly lost?: string }> {
  const email = maker.api.variable(`${owner}_EMAIL`);
  const recorded = made.token.userEmail;
  if (recorded !== undefined && recorded !== SELF) return { runs: recorded.toLowerCase() === email?.toLowerCase() };
  const query = maker.api.variable(`${owner}_PRIVATE_QUERY`);
  if (query === undefined) return { runs: undefined };
  const answer = await maker.use(made, { query, shows: `the token does not run as $${owner}_EMAIL`, wanted: 'either' });
  const outcome = readIn(answer, maker.operation);
  return outcome.kind === 'lost'
    ? { runs: undefined, lost: outcome.why }
    : { runs: showsMarker(answer, owner), answer };
}

export function describeAnswer({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? `got ${observation.status}` : observation.detail;
}
