import type { JudgedRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { createCredentials } from '../plan/credentials.ts';
import { peopleOf } from '../plan/people.ts';
import { type Planner, plannerOf } from '../plan/planner.ts';
import type { Count } from '../plan/strength/combinations.ts';
import { isolatedCases } from '../plan/strength/isolation.ts';
import { STRENGTHS, type Strength } from '../plan/strength/numbering.ts';
import { percentOf, seenBy } from '../plan/strength/seen.ts';
import { kindsSent } from '../settings/claims.ts';

/** How much of the faults that depend on so many values a run saw (docs/proof.md). */
export interface ReportedSight {
  readonly values: Strength;
  /** Of what the tokens that are set can show. */
  readonly ofTokens: Share;
  /** Of what every token of the claimed kinds can show. */
  readonly ofClaims: Share;
}
export interface Share {
  /** The combinations of so many values that can occur beside a rule. */
  readonly combinations: number;
  /** How many of them were sent and answered, in a case that shows the rule. */
  readonly seen: number;
  readonly percent: number;
}

type Facts = Pick<RunFacts, 'contract' | 'settings'>;

/** What a run saw, of what it could see. It takes a few tenths of a second. */
export function sightOf(
  { contract, settings }: Facts,
  { plan, verdicts }: Pick<JudgedRun, 'plan' | 'verdicts'>,
): readonly ReportedSight[] {
  const decided = verdicts.filter(({ sent, verdict }) => sent > 0 && verdict !== 'inconclusive');
  const sent = new Set(decided.map(({ case: { id } }) => id));
  const known = isolatedCases(contract, kindsSent(settings.catalogue, settings.claims));
  const atHand = new Set(known.filter(plan.canSend));
  const isSendable = sendableWithEveryToken(settings);
  // Every token that is set is one of the tokens of the claimed kinds.
  const claimed = known.filter((one) => atHand.has(one) || isSendable(one));
  const ofTokens = seenBy([...atHand], sent);
  const ofClaims = claimed.length === atHand.size ? ofTokens : seenBy(claimed, sent);
  return STRENGTHS.map((values) => ({
    values,
    ofTokens: shareOf(ofTokens[values]),
    ofClaims: shareOf(ofClaims[values]),
  }));
}

function shareOf(count: Count): Share {
  return { combinations: count.all, seen: count.seen, percent: percentOf(count) };
}

/** Which cases could be sent if every token of the claimed kinds were set, and ACT_AS_EMAIL. */
function sendableWithEveryToken({ catalogue, claims, variables, minted }: Facts['settings']): Planner['canSend'] {
  const names = catalogue.tokens.filter(({ kind }) => claims.kinds.includes(kind)).map(({ name }) => name);
  const known = { value: 'somebody@example.com', origin: '.env' } as const;
  const all = new Map([...[...names, 'ACT_AS_EMAIL'].map((name) => [name, known] as const), ...variables]);
  const credentials = createCredentials({ catalogue, variables: all, minted, unknownToken: '' });
  return plannerOf({ catalogue, claims, credentials, people: peopleOf(all, '') }).canSend;
}

/** What a run would catch, in one sentence if the tokens that are set can show everything claimed, and else in two. */
export function sightInWords(sight: readonly ReportedSight[]): readonly string[] {
  const [ofTokens, ofClaims] = SHARES.map((of) => percentInWords(sight.map((one) => one[of].percent)));
  return ofTokens === ofClaims
    ? [`${ofTokens}`]
    : [`${ofTokens} (of what the tokens that are set can show)`, `${ofClaims} (of everything claimed)`];
}

/** What a narrowed run does not see of what its tokens can show: `97 % of faults triggered by one value, 99 % by two together`. */
export function unseenInWords(sight: readonly ReportedSight[]): string {
  return percentInWords(sight.map(({ ofTokens }) => 100 - ofTokens.percent));
}

const SHARES = ['ofTokens', 'ofClaims'] as const;
const WORDS = ['of faults triggered by one value', 'by two together', 'by three'];

/** A reader may take an operation and a kind of token for something else than values. */
export const COUNTED_AS_VALUES = 'operation and kind of token count as values';

/** `100 % of faults triggered by one value, 60 % by two together, 37 % by three`. */
function percentInWords(percents: readonly number[]): string {
  return percents.map((percent, index) => `${percent} % ${WORDS[index]}`).join(', ');
}
