import { type Claims, claimsInWords } from '../settings/claims.ts';
import { type Baseline, type BaselineVerdict, judgeBaseline } from './baseline.ts';
import { type JudgedCases, judgeRequirements, type RequirementVerdict } from './judge-requirements.ts';

export const ENDINGS = ['conforms', 'conforms-except', 'partial', 'deviates', 'inconclusive', 'incomplete'] as const;
export type Ending = (typeof ENDINGS)[number];
/** The exit code of each way to end; 2 is a configuration error and 130 an interruption (OUTCOMES 4). */
export const EXIT_CODES: Readonly<Record<Ending, number>> = {
  conforms: 0,
  'conforms-except': 0,
  partial: 0,
  deviates: 1,
  inconclusive: 3,
  incomplete: 4,
};

/** What a run ends as rests on what was judged, and on how much of the whole it was. */
export interface EndingInput extends JudgedCases {
  readonly narrowed: boolean;
  readonly baseline?: Baseline | undefined;
  /** Why the run ended before its end; what is cut short never conforms. */
  readonly stopped?: string | undefined;
}
export interface RunVerdict {
  readonly ending: Ending;
  readonly requirements: readonly RequirementVerdict[];
  /** What became of what the baseline lists; undefined without one. */
  readonly baseline: BaselineVerdict | undefined;
}

/** The verdict on each requirement and on the run. Pure. */
export function runVerdictOf(input: EndingInput): RunVerdict {
  const judgedRequirements = judgeRequirements(input);
  const baseline =
    input.baseline && judgeBaseline({ ...input, baseline: input.baseline, requirements: judgedRequirements });
  const requirements = judgedRequirements.map((found) => ({
    ...found,
    undecided: found.undecided.map((unit) => ({
      ...unit,
      accepted:
        unit.status === 'not-testable' && (baseline?.accepts(found.requirement.id, unit.unit, unit.lack) ?? false),
    })),
  }));
  return { ending: endingOf(input, requirements, baseline), requirements, baseline };
}

/** In the order of precedence (OUTCOMES 4). */
function endingOf(
  { stopped, narrowed }: EndingInput,
  requirements: readonly RequirementVerdict[],
  baseline: BaselineVerdict | undefined,
): Ending {
  const undecided = requirements.flatMap((requirement) => requirement.undecided);
  if (baseline?.deviates ?? requirements.some(({ verdict }) => verdict === 'fail')) return 'deviates';
  if (stopped !== undefined || undecided.some(({ status }) => status === 'inconclusive')) return 'inconclusive';
  if (narrowed) return 'partial';
  if (undecided.some(({ accepted }) => !accepted)) return 'incomplete';
  return inUse(baseline) > 0 ? 'conforms-except' : 'conforms';
}

/** How many entries of a baseline list something that would otherwise decide how the run ends. */
export function inUse(baseline: Pick<BaselineVerdict, 'entries'> | null | undefined): number {
  return (baseline?.entries ?? []).filter(({ covers }) => covers > 0).length;
}

/** The line a run ends with, naming what the target claims. */
export function endingLine({ ending, baseline }: RunVerdict, claims: Claims): string {
  const listed = inUse(baseline);
  const words = endingInWords(ending, listed);
  switch (ending) {
    case 'conforms':
    case 'conforms-except': {
      const how = claims.inferred ? 'inferred from the variables that are set' : 'as CONFORMANCE_CLAIMS states';
      return `${words}: ${claimsInWords(claims)} (claims ${how})`;
    }
    case 'partial':
      return `${words}: nothing deviates${listed === 0 ? '' : ` except ${listed} listed`}`;
    case 'deviates':
      return words;
    case 'inconclusive':
      return `${words}: something claimed stayed undecided`;
    case 'incomplete':
      return `${words}: something claimed cannot be tested with the variables that are set`;
  }
}

/** The ending alone, in words. @param listed how many entries of the baseline list something that occurs. */
export function endingInWords(ending: Ending, listed: number): string {
  switch (ending) {
    case 'conforms-except':
      return `conforms except ${listed} listed`;
    case 'deviates':
      return `deviates${listed === 0 ? '' : `, beyond ${listed} listed`}`;
    case 'conforms':
    case 'partial':
    case 'inconclusive':
    case 'incomplete':
      return ending;
  }
}
