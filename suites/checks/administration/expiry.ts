import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckResult } from '../../../harness/checks/check.ts';
import { type Decided, fail, inconclusive, observed, observedRefusal, pass } from '../shared/decision.ts';
import { type CheckPart, mustMake, mustNotMake, resultFor } from './assertions.ts';
import { dateAfter, type MadeToken, recordOf, type TokenMaker } from './token-maker.ts';

/** In days from today. Two days ago is past in every time zone. */
const TWO_DAYS_AGO = -2;
const YESTERDAY = -1;

/** When a token expires (spec 2.1 and 8.1). */
export const expiry: CheckPart = {
  requirements: ['administration.expires', 'reference.last-day'],
  async decide(maker) {
    const past = await mustExpire(maker, TWO_DAYS_AGO, 'a token whose date passed two days ago');
    const none = await withoutDate(maker);
    // A console that refuses past dates shows nothing about the tokens that it makes.
    const isSeen = past.verdict !== 'observed';
    const found = [past, none.verdict === 'pass' && !isSeen ? observed(none.detail) : none].map((decided) =>
      resultFor(maker, 'administration.expires', decided),
    );
    if (!maker.api.trusted || past.verdict === 'fail') return found;
    const beyond = () => mustExpire(maker, YESTERDAY, 'a token whose date was yesterday', pass);
    return [...found, ...(await lastDay(maker, beyond))];
  },
};

/** A token whose date has passed does not work. Where none is made, no token is seen to expire. */
function mustExpire(maker: TokenMaker, day: number, what: string, refused = observedRefusal): Promise<Decided> {
  const changes = { expires: dateAfter(today(maker), day) };
  const made = async (token: MadeToken) => {
    const answer = await maker.use(token, { shows: `${what} is refused`, wanted: 'refused' });
    const outcome = outcomeOf(answer);
    switch (outcome.kind) {
      case 'accepted':
        return fail(answer, `${what} was made and accepted`);
      case 'refused':
        return pass(maker.control, `${what} was made and refused`);
      case 'lost':
        return inconclusive(outcome.why);
    }
  };
  return mustNotMake(maker, 'super-admin', what, { changes, made, refused });
}

/** A token without a date has no expiry: it works, and its record has no date. */
async function withoutDate(maker: TokenMaker): Promise<Decided> {
  const what = 'a token without a date';
  const found = await mustMake(maker, 'super-admin', what, { expires: undefined });
  const made = maker.made.findLast(({ terms }) => terms.expires === undefined);
  if (found.verdict !== 'pass' || !made) return found;
  const read = await recordOf(maker, made);
  if (read.kind === 'lost') return inconclusive(read.why);
  const expires = made.token.expires ?? (read.kind === 'record' ? read.record.expires : undefined);
  // The record may say "never".
  return expires !== undefined && /^\d{4}-\d{2}-\d{2}/.test(expires)
    ? fail(undefined, `${what} was made, but its record says that it expires on ${expires}`)
    : found;
}

/** The date is the last day (UTC) on which the token works. Tries again if midnight passed meanwhile. */
async function lastDay(maker: TokenMaker, beyond: () => Promise<Decided>): Promise<CheckResult[]> {
  const date = dateAfter(today(maker), 0);
  const within = await mustMake(maker, 'super-admin', 'a token that expires today', { expires: date });
  const found = [within, await beyond()];
  if (found.some(({ verdict }) => verdict !== 'pass') && dateAfter(today(maker), 0) !== date)
    return lastDay(maker, beyond);
  return found.map((decided) => resultFor(maker, 'reference.last-day', decided));
}

/** The current time of the target's clock, in epoch milliseconds: when it made the first token, and the time since. */
function today({ made: [first], startedAt }: TokenMaker): number {
  const created = Date.parse(first?.token.created ?? '');
  return (Number.isNaN(created) ? startedAt : created) + Date.now() - startedAt;
}
