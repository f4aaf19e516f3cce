import { mapped } from '../contract/collections.ts';
import type { Contract, Family, HeaderDimension, HeaderLines } from '../contract/contract.ts';
import { personVariable } from '../contract/people.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import { type Planner, plannerOf } from '../plan/planner.ts';
import { bodyOf, contentTypeOf } from '../plan/request.ts';
import type { Count } from '../plan/strength/combinations.ts';
import { percentOf, seenBy } from '../plan/strength/documented-rows.ts';
import { isolatedCases } from '../plan/strength/isolation.ts';
import { STRENGTHS, type Strength } from '../plan/strength/numbering.ts';
import { kindsSent } from '../settings/claims.ts';

/** How much a run saw of the documented rows, and of the rows with so many more values (docs/proof.md). */
export interface ReportedSight {
  /** How many values beside a rule, an operation and a kind. 0 stands for the documented rows. */
  readonly values: 0 | Strength;
  /** Of what the tokens that are set can show. */
  readonly ofTokens: Share;
  /** Of what every token of the claimed kinds can show. */
  readonly ofClaims: Share;
}
interface Share {
  /** The documented rows, or the combinations of so many values that can occur beside a rule for an operation and kind. */
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
  const ofTokens = seenBy(contract, [...atHand], sent);
  const ofClaims = claimed.length === atHand.size ? ofTokens : seenBy(contract, claimed, sent);
  return ([0, ...STRENGTHS] as const).map((values) => ({
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
  const all = new Map([
    ...[...names, personVariable(catalogue.contract, 'ACT_AS')].map((name) => [name, known] as const),
    ...variables,
  ]);
  const credentials = createCredentials({ catalogue, variables: all, minted, unknownToken: '' });
  return plannerOf({ catalogue, claims, credentials, people: peopleOf(catalogue.contract, all, '') }).canSend;
}

/** What a run would catch, in one sentence if the tokens that are set can show everything claimed, and else in two. */
export function sightInWords(sight: readonly ReportedSight[]): readonly string[] {
  const ofTokens = percentInWords(sight.map((one) => [one.values, one.ofTokens.percent]));
  const ofClaims = percentInWords(sight.map((one) => [one.values, one.ofClaims.percent]));
  return ofTokens === ofClaims
    ? [ofTokens]
    : [`${ofTokens} (of what the tokens that are set can show)`, `${ofClaims} (of everything claimed)`];
}

/** What a narrowed run does not see of what its tokens can show, in the same words. */
export function unseenInWords(sight: readonly ReportedSight[]): string {
  return percentInWords(sight.map(({ values, ofTokens }) => [values, 100 - ofTokens.percent]));
}

const WORDS = [
  'of faults of one documented row',
  'of those triggered by one more value',
  'by two more',
  'by three more',
];

/** Nobody reads "one value" as "on any operation, with any kind of token". */
export const COUNTED_IN_FRAMES = 'counted for each operation and kind of token';

/** `100 % of faults of one documented row, 50 % of those triggered by one more value, 20 % by two more`. */
function percentInWords(percents: readonly (readonly [values: number, percent: number])[]): string {
  return percents.map(([values, percent]) => `${percent} % ${WORDS[values]}`).join(', ');
}

/** What the values of cases mean, so that a report can be read without the suite. */
export interface ReportedMatrix {
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    /** Those that a token must hold, with blanks between them. */
    readonly scope: string;
    /** The request body, by the value of the dimension `body`. Empty if the operation takes none. */
    readonly bodies: Readonly<Record<string, ReportedBody>>;
  }[];
  readonly kinds: Readonly<Record<string, Family>>;
  readonly headers: Readonly<Record<HeaderDimension, HeaderLines>>;
  /** Meanings by dimension and value, in the order of matrix.yaml. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface ReportedBody {
  readonly contentType: string;
  readonly text: string;
}

export function reportMatrix({ operations, matrix, dimensions: named }: Contract): ReportedMatrix {
  const { headers, dimensions, kinds } = matrix;
  return {
    operations: operations.map((operation) => {
      const { id, method, path, scopes } = operation;
      const bodies = Object.keys(dimensions.body).flatMap((value) => {
        const text = bodyOf(operation, value);
        return text === undefined ? [] : [[value, { contentType: contentTypeOf(operation, value), text }] as const];
      });
      return { id, method, path, scope: scopes.join(' '), bodies: Object.fromEntries(bodies) };
    }),
    kinds: mapped(kinds, ({ family }) => family),
    headers,
    values: Object.fromEntries(
      named.flatMap((dimension) => {
        const values = dimensions[dimension];
        return values ? [[dimension, values]] : [];
      }),
    ),
  };
}
