import type { CheckResult } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { type Decided, fail } from '../shared/decision.ts';
import { type CheckPart, type Harm, mustMake, mustNotMake, resultFor } from './assertions.ts';
import { dateAfter, type MadeToken, recordOf, type TokenMaker } from './token-maker.ts';

/** In days from today. Two days ago is past in every time zone. */
const TWO_DAYS_AGO = -2;
const YESTERDAY = -1;

/** When a token expires (spec 2.1 and 8.1). */
export const expiry: CheckPart = {
  requirements: ['administration.expires', 'reference.last-day'],
  async decide(maker) {
    const until = (day: number, what: string) =>
      mustNotMake(maker, 'super-admin', what, {
        changes: { expires: dateAfter(today(maker), day) },
        harm: (made) => works(maker, made),
      });
    const past = await until(TWO_DAYS_AGO, 'a working token whose date has passed');
    const none = await withoutDate(maker);
    const found = [past, none].map((decided) => resultFor('administration.expires', decided));
    if (!maker.api.trusted || past.verdict !== 'pass') return found;
    return [...found, ...(await lastDay(maker, () => until(YESTERDAY, 'a working token whose date was yesterday')))];
  },
};

/** A token without a date has no expiry: it works, and its record has no date. */
async function withoutDate(maker: TokenMaker): Promise<Decided> {
  const what = 'a token without a date';
  const found = await mustMake(maker, 'super-admin', what, { expires: undefined });
  const made = maker.made.findLast(({ terms }) => terms.expires === undefined);
  if (found.verdict !== 'pass' || !made) return found;
  const expires = made.token.expires ?? (await recordOf(maker, made)).expires;
  // The record may say "never".
  return expires !== undefined && /^\d{4}-\d{2}-\d{2}/.test(expires)
    ? fail(`${what} was made, but its record says that it expires on ${expires}`)
    : found;
}

async function works(maker: TokenMaker, made: MadeToken): Promise<Harm> {
  const outcome = outcomeOf(await maker.use(made));
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'harmful' };
    case 'refused':
      return { kind: 'harmless' };
    case 'lost':
      return outcome;
  }
}

/** The date is the last day (UTC) on which the token works. Tries again if midnight passed meanwhile. */
async function lastDay(maker: TokenMaker, beyond: () => Promise<Decided>): Promise<CheckResult[]> {
  const date = dateAfter(today(maker), 0);
  const within = await mustMake(maker, 'super-admin', 'a token that expires today', { expires: date });
  const found = [within, await beyond()];
  if (found.some(({ verdict }) => verdict !== 'pass') && dateAfter(today(maker), 0) !== date)
    return lastDay(maker, beyond);
  return found.map((decided) => resultFor('reference.last-day', decided));
}

/** The current time of the target's clock, in epoch milliseconds: when it made the first token, and the time since. */
function today({ made: [first], startedAt }: TokenMaker): number {
  const created = Date.parse(first?.token.created ?? '');
  return (Number.isNaN(created) ? startedAt : created) + Date.now() - startedAt;
}
