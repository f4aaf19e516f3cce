import type { CheckResult } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { type Decided, fail } from '../parts/decision.ts';
import { type CheckPart, type Harm, mustMake, mustNotMake, say } from './findings.ts';
import { dateAfter, type Made, recordOf, type TokenMaker } from './token-maker.ts';

/** Days from today on which a token must not work any more, whatever the time zone, and by our own decision. */
const LONG_PAST = -2;
const YESTERDAY = -1;

/** When a token ends (spec 2.1, 8.1). */
export const expiry: CheckPart = {
  requirements: ['administration.expires', 'reference.last-day'],
  async decide(maker) {
    const until = (day: number, what: string) =>
      mustNotMake(maker, 'super-admin', what, {
        changes: { expires: dateAfter(today(maker), day) },
        harm: (made) => works(maker, made),
      });
    const past = await until(LONG_PAST, 'a token that works though its date has passed');
    const none = await endless(maker);
    const found = [past, none].map((one) => say('administration.expires', one));
    if (!maker.api.trusted || past.verdict !== 'pass') return found;
    return [
      ...found,
      ...(await lastDay(maker, () => until(YESTERDAY, 'a token that works on the day after its date'))),
    ];
  },
};

/** Without a date no expiry is set: it works, and nothing that is shown of it names a day. */
async function endless(maker: TokenMaker): Promise<Decided> {
  const what = 'a token without a date';
  const found = await mustMake(maker, 'super-admin', what, { expires: undefined });
  const made = maker.made.findLast(({ terms }) => terms.expires === undefined);
  if (found.verdict !== 'pass' || !made) return found;
  const said = made.token.expires ?? (await recordOf(maker, made)).expires;
  // Words, such as "never", are no day.
  return said !== undefined && /^\d{4}-\d{2}-\d{2}/.test(said) ? fail(`${what} was made, to expire on ${said}`) : found;
}

/** A token that is refused has ended; one of which nothing is heard may be in force. */
async function works(maker: TokenMaker, made: Made): Promise<Harm> {
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

/** The date is the last whole day, UTC; tried again where a day ended meanwhile. */
async function lastDay(maker: TokenMaker, beyond: () => Promise<Decided>): Promise<CheckResult[]> {
  const date = dateAfter(today(maker), 0);
  const within = await mustMake(maker, 'super-admin', 'a token that expires today', { expires: date });
  const found = [within, await beyond()];
  if (found.some(({ verdict }) => verdict !== 'pass') && dateAfter(today(maker), 0) !== date)
    return lastDay(maker, beyond);
  return found.map((one) => say('reference.last-day', one));
}

/** Now, by the target's clock: what it says of when the first token was made, and what has passed since. */
function today({ made: [first], startedAt }: TokenMaker): number {
  const created = Date.parse(first?.token.created ?? '');
  return (Number.isNaN(created) ? startedAt : created) + Date.now() - startedAt;
}
