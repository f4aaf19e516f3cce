import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { TokenTerms } from '../../../harness/commands/administration.ts';
import { byOutcome, type Decided, fail, inconclusive, observed, observedRefusal, pass } from '../shared/decision.ts';
import { GLOBAL, triesGlobal } from './terms.ts';
import { dateAfter, type MadeToken, recordOf, type TokenMaker, use } from './token-maker.ts';
import { type Finding, mustMake, mustNotMake, mustWork, type Trial } from './trials.ts';

/** In days from today. Two days ago is past in every time zone. */
const TWO_DAYS_AGO = -2;
const YESTERDAY = -1;

/** When a token expires (spec 2.1 and 8.1). */
export const expiry: Trial = async (maker) => {
  // Where none is made, no token is seen to expire.
  const before = { day: TWO_DAYS_AGO, refused: observedRefusal };
  const past = await mustExpire(maker, { ...before, what: 'a token whose date passed two days ago' });
  const none = await mustMake({ what: 'a token without a date', changes: { expires: undefined }, made: neverExpires })(
    maker,
  );
  // A console that refuses past dates shows nothing about the tokens that it makes.
  const isSeen = past.verdict !== 'observed';
  const found: Finding[] = [past, none.verdict === 'pass' && !isSeen ? observed(none.detail) : none];
  if (triesGlobal(maker.api)) {
    const global = { ...before, what: 'a GLOBAL token whose date passed two days ago', of: GLOBAL };
    found.push(await mustExpire(maker, global));
  }
  return !maker.api.trusted || past.verdict === 'fail' ? found : [...found, ...(await lastDay(maker))];
};

interface Past {
  readonly what: string;
  /** In days from today. */
  readonly day: number;
  /** The verdict if no such token is made. */
  readonly refused?: typeof pass;
  readonly of?: TokenTerms;
}

/** A token whose date has passed does not work. */
function mustExpire(maker: TokenMaker, { what, day, refused = pass, of = {} }: Past): Promise<Finding> {
  const made = async (_maker: TokenMaker, token: MadeToken) => {
    const answer = await use(maker, token, { shows: `${what} is refused`, wanted: 'refused' });
    return byOutcome(outcomeOf(answer), {
      accepted: fail(answer, `${what} was made and accepted`),
      refused: pass(maker.control, `${what} was made and refused`),
    });
  };
  return mustNotMake({ what, changes: { ...of, expires: dateAfter(today(maker), day) }, made }, refused)(maker);
}

/** A token without a date has no expiry: it works, and its record has no date. */
async function neverExpires(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const found = await mustWork(maker, made, what);
  if (found.verdict !== 'pass') return found;
  const read = await recordOf(maker, made);
  if (read.kind === 'lost') return inconclusive(read.why);
  const expires = made.token.expires ?? (read.kind === 'record' ? read.record.expires : undefined);
  // The record may say "never".
  return expires !== undefined && /^\d{4}-\d{2}-\d{2}/.test(expires)
    ? fail(undefined, `${what} was made, but its record says that it expires on ${expires}`)
    : found;
}

/** The date is the last day (UTC) on which the token works. Tries again if midnight passed meanwhile. */
async function lastDay(maker: TokenMaker): Promise<readonly Finding[]> {
  const expires = dateAfter(today(maker), 0);
  const found = [
    await mustMake({ what: 'a token that expires today', changes: { expires } })(maker),
    await mustExpire(maker, { day: YESTERDAY, what: 'a token whose date was yesterday' }),
  ];
  const isMidnight = dateAfter(today(maker), 0) !== expires;
  if (isMidnight && found.some(({ verdict }) => verdict !== 'pass')) return lastDay(maker);
  return found.map((one) => ({ ...one, requirement: 'reference.last-day' }));
}

/** The current time of the target's clock, in epoch milliseconds: when it made the first token, and the time since. */
function today({ made: [first], startedAt }: TokenMaker): number {
  const created = Date.parse(first?.token.created ?? '');
  return (Number.isNaN(created) ? startedAt : created) + Date.now() - startedAt;
}
