import { counted } from '../contract/amounts.ts';
import { type Contract, ownContractOf } from '../contract/contract.ts';
import { INTERRUPTED } from '../record/exchange.ts';
import { basisOfClaims, type Claims, claimsInWords } from '../settings/claims.ts';
import { type Baseline, type BaselineVerdict, judgeBaseline } from './baseline.ts';
import { judgeRequirements, type RequirementVerdict, type Undecided } from './judge-requirements.ts';
import type { JudgedCases } from './tallies.ts';

/** The exit code of each ending. 2 is a configuration error and 130 an interruption (outcomes 4). */
export const EXIT_CODES = {
  conforms: 0,
  'conforms-except': 0,
  partial: 0,
  deviates: 1,
  inconclusive: 3,
  incomplete: 4,
} as const;
export type Ending = keyof typeof EXIT_CODES;
export const ENDINGS = Object.keys(EXIT_CODES) as readonly Ending[];

/** The exit code of a run. An interrupted one has its own, whatever it decided (outcomes 4). */
export function exitCodeOf({ ending, stopped }: { readonly ending: Ending; readonly stopped: string | undefined }) {
  return stopped === INTERRUPTED ? 130 : EXIT_CODES[ending];
}

interface EndingInput extends JudgedCases {
  /** The run was only a part of the whole. */
  readonly narrowed: boolean;
  readonly baseline?: Baseline | undefined;
}
export interface RunVerdict {
  readonly ending: Ending;
  readonly requirements: readonly RequirementVerdict[];
  /** The state of each baseline entry. Undefined without a baseline. */
  readonly baseline: BaselineVerdict | undefined;
}

/** Gives the verdict on each requirement and on the run. Pure. */
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

/** The ending, in the order of precedence (outcomes 4). */
function endingOf(
  { stopped, narrowed }: EndingInput,
  requirements: readonly RequirementVerdict[],
  baseline: BaselineVerdict | undefined,
): Ending {
  const undecided = obliging(requirements).flatMap((requirement) => requirement.undecided);
  if (baseline?.deviates ?? requirements.some(({ verdict }) => verdict === 'fail')) return 'deviates';
  if (stopped !== undefined || undecided.some(({ status }) => status === 'inconclusive')) return 'inconclusive';
  const lacks = undecided.some(({ accepted }) => !accepted);
  // A part of a run that decides nothing at all must not look like success.
  const decidesSomething = requirements.some(({ units }) => [...units.values()].includes(true));
  if (narrowed && (decidesSomething || !lacks)) return 'partial';
  if (lacks) return 'incomplete';
  return inUse(baseline) > 0 ? 'conforms-except' : 'conforms';
}

/** Only a `must` obliges: what else stays undecided is listed, and changes no ending (outcomes 3). */
function obliging(requirements: readonly RequirementVerdict[]): readonly RequirementVerdict[] {
  return requirements.filter(({ requirement: { level } }) => level === 'must');
}

/** The number of baseline entries that list something that would otherwise change the ending. */
export function inUse(baseline: Pick<BaselineVerdict, 'entries'> | null | undefined): number {
  return baseline?.entries.filter(({ covers }) => covers > 0).length ?? 0;
}

/**
 * The line that a run ends with. A good one names what the target claims. It names a contract that somebody else wrote: what
 * keeps that does not conform to the client API.
 */
export function endingLine({ ending, baseline, requirements }: RunVerdict, claims: Claims, contract: Contract): string {
  const listed = inUse(baseline);
  const words = endingInWords(ending, listed, { contract: contract.digest, ownContract: ownContractOf(contract) });
  switch (ending) {
    case 'conforms':
    case 'conforms-except':
      return `${words}: ${claimsInWords(claims)} (claims ${basisOfClaims(claims)})`;
    case 'partial':
      return `${words}: nothing deviates${listed === 0 ? '' : ` except ${listed} listed`}`;
    case 'deviates':
      return words;
    case 'inconclusive': {
      const lost = requirements.filter(({ undecided }) => undecided.some(({ status }) => status === 'inconclusive'));
      if (obliging(lost).length === 0) return `${words}: the run stopped early`;
      const open = requirements.filter(({ undecided }) => undecided.some(({ accepted }) => !accepted));
      return `${words}: ${claimedInWords(open, 'is', 'are')} undecided${adviceIn(open)}`;
    }
    case 'incomplete': {
      const isLack = ({ accepted, status }: Undecided) => !accepted && status === 'not-testable';
      const lacking = requirements.filter(({ undecided }) => undecided.some(isLack));
      return `${words}: ${claimedInWords(lacking, 'needs', 'need')} more variables${adviceIn(lacking)}`;
    }
  }
}

function claimedInWords({ length }: readonly RequirementVerdict[], one: string, many: string): string {
  return `${counted(length, 'claimed requirement')} ${length === 1 ? one : many}`;
}

/** How many of these the ending does not depend on. The figures above the line count them, too. */
function adviceIn(requirements: readonly RequirementVerdict[]): string {
  const advice = requirements.length - obliging(requirements).length;
  return advice === 0 ? '' : `, ${advice} of them advice`;
}

/** The digest of a contract, and its name if it is not ours. */
interface Under {
  readonly contract: string;
  readonly ownContract?: string | undefined;
}

/** The ending in words. @param listed the number of baseline entries in use. @param under the contract, named if it is not ours. */
export function endingInWords(ending: Ending, listed: number, { contract, ownContract }: Under): string {
  const named = ownContract === undefined ? '' : `${ownContract} (own contract ${contract})`;
  switch (ending) {
    case 'conforms':
    case 'conforms-except':
      return `conforms${named && ` to ${named}`}${ending === 'conforms' ? '' : ` except ${listed} listed`}`;
    case 'deviates':
      return `deviates${named && ` from ${named}`}${listed === 0 ? '' : `, beyond ${listed} listed`}`;
    case 'partial':
    case 'inconclusive':
    case 'incomplete':
      return `${ending}${named && ` for ${named}`}`;
  }
}
