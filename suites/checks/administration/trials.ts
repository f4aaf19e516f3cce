import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import type { Actor, TokenTerms } from '../../../harness/commands/administration.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { byOutcome, type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { confirmUse, type MadeToken, make, type TokenMaker, type Unmade } from './token-maker.ts';

/** Decides something by making a token, or with one that was made. */
export type Trial = (maker: TokenMaker) => Promise<Finding | readonly Finding[]>;

/** What was decided: by default of the requirement of the trial, and not for a kind of its own. */
export type Finding = Decided & { readonly requirement?: string; readonly kind?: string };

export type Trials = Readonly<Record<string, (maker: TokenMaker) => readonly Trial[]>>;

/** A request for a token. What it leaves out is as in an ordinary token that a Super Admin requests. */
interface Requested {
  readonly what: string;
  readonly actor?: Actor;
  readonly changes?: TokenTerms;
  readonly made?: (maker: TokenMaker, made: MadeToken, what: string) => Promise<Finding>;
}

/** The verdict if ADMINISTRATION_COMMAND could not do what was asked, for a reason that is not the target's decision. */
export const notDone = ({ kind, why }: { readonly kind: 'unsupported' | 'failed'; readonly why: string }): Decided => ({
  verdict: 'not-testable',
  detail: kind === 'unsupported' ? `ADMINISTRATION_COMMAND: ${why}` : why,
});

/** A trial that requests a token. @param unmade what is decided if none is made. */
const requesting =
  <T>(
    { actor, changes }: Pick<Requested, 'actor' | 'changes'>,
    made: (maker: TokenMaker, made: MadeToken) => Promise<T>,
    unmade: (result: Unmade, maker: TokenMaker) => Decided,
  ) =>
  async (maker: TokenMaker): Promise<T | Decided> => {
    const result = await make(maker, changes, actor);
    return result.kind === 'made' ? made(maker, result) : unmade(result, maker);
  };

/** A token that must be made, and by default must work. */
export const mustMake = ({ what, made = mustWork, ...terms }: Requested) =>
  requesting(
    terms,
    (maker, token) => made(maker, token, what),
    (result) => (result.kind === 'refused' ? fail(undefined, `${what} was refused: ${result.why}`) : notDone(result)),
  );

export async function mustWork(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const { outcome, answer } = await confirmUse(maker, made, { shows: `${what} is accepted`, wanted: 'accepted' });
  return byOutcome(outcome, {
    accepted: pass(await maker.api.acceptance(answer), `${what} was made and accepted`),
    refused: fail(answer, `${what} was made, but a request with it ${gotOf(answer)}`),
  });
}

/** A token that must not be made. @param refused the verdict if it was not. */
export const mustNotMake = ({ what, made = wasMade, ...terms }: Requested, refused = pass) =>
  requesting(
    terms,
    (maker, token) => made(maker, token, what),
    (result, { control }) => {
      if (result.kind === 'refused') return refused(control, `${what} was refused`);
      const { kind, why } = result;
      return kind === 'failed' ? notDone(result) : observed(`${what} cannot be requested: ${why}`);
    },
  );

const wasMade = async (_maker: TokenMaker, _made: MadeToken, what: string) => fail(undefined, `${what} was made`);

export const withToken = (
  decide: (maker: TokenMaker, made: MadeToken) => ReturnType<Trial>,
  changes: TokenTerms = {},
): Trial =>
  requesting({ changes }, decide, (result) =>
    result.kind === 'refused' ? inconclusive(`no token could be made: ${result.why}`) : notDone(result),
  );

/**
 * Decides on a request that must be refused. If it was accepted, the same case with a token of the variables is sent. If
 * that is accepted too, the cause is not how the token was made, and the matrix blames it.
 */
export async function mustNotReach(
  { api }: TokenMaker,
  answer: CheckAnswer,
  sameCase: PlannedCase | undefined,
  decisions: Readonly<Record<'accepted' | 'refused', Decided>>,
): Promise<Decided> {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'accepted' || !sameCase) return byOutcome(outcome, decisions);
  const other = outcomeOf((await api.send(sameCase, 'the same with a token of the variables is refused')).answer);
  return byOutcome(other, { accepted: decisions.refused, refused: decisions.accepted });
}

export const gotOf = ({ observation }: CheckAnswer): string =>
  observation.kind === 'answer' ? `got ${observation.status}` : observation.detail;
