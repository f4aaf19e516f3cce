import { createHash } from 'node:crypto';
import { counted, firstOf } from '../contract/amounts.ts';
import { tallied } from '../contract/collections.ts';
import type { Attribution, Basis, Contract } from '../contract/contract.ts';
import { type CitedSection, citedSections } from '../contract/sections.ts';
import { isOfOthers } from '../judge/alike-causes.ts';
import type { BaselineVerdict } from '../judge/baseline.ts';
import type { Conjunction } from '../judge/conjunction.ts';
import type { Finding } from '../judge/findings.ts';
import { statusOf } from '../judge/judge-answer.ts';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { curlFor } from '../plan/curl.ts';
import { type Decision, decisionId } from '../record/exchange.ts';
import type { ReportedStep, StepLog } from './steps.ts';

export interface ReportedFinding extends ReportedAttribution {
  readonly id: string;
  /** The same for the same cause in every run. */
  readonly key: string;
  readonly verdict: Finding['verdict'];
  /** The baseline lists everything that fails in this finding. */
  readonly listed: boolean;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
  /** What the sources cite: sections of the specification with their texts, sections of RFCs with their addresses. */
  readonly sections: readonly CitedSection[];
  readonly text: string;
  readonly where: string;
  readonly wanted: string;
  readonly got: string;
  readonly curl: string;
  readonly caveat: string | null;
  /** The id of the case, or check/operation/kind, that shows the finding best. */
  readonly example: string;
  /** What was sent for the example, and what came back. */
  readonly steps: readonly ReportedStep[];
  readonly cases: readonly string[];
}

/** @param baseline what the baseline lists; undefined without one. */
export function reportFinding(
  { contract, parts, settings, redactor }: RunFacts,
  finding: Finding,
  baseline: BaselineVerdict | undefined,
  log: StepLog,
): ReportedFinding {
  const { decisions } = finding;
  // What hangs on other requests is shown by the check that sent them. A case alone may get a right answer.
  const remembered = decisions.find(isOfOthers);
  const example = remembered ? undefined : finding.example;
  const decision = remembered ?? decisions.find(({ verdict }) => verdict === finding.verdict) ?? decisions[0];
  const cited = contract.requirements.filter(({ id }) => finding.requirements.includes(id));
  const text = cited.map((requirement) => requirement.text).join(' ');
  const sources = [...new Set(cited.map(({ source }) => source))];
  const sections = sources.flatMap((source) => citedSections(contract.sections, source));
  const units = [...new Set([...(decision ? [decision] : []), ...decisions].map(decisionId))];
  const steps = example ? log.ofCase(example) : decision ? log.ofDecision(decision) : [];
  const failed = steps.find((step) => step.failed);
  return {
    id: finding.id,
    key: causeKey(finding),
    verdict: finding.verdict,
    listed: finding.verdict === 'fail' && baseline !== undefined && isListed(finding, baseline),
    requirements: finding.requirements,
    sources,
    sections: [...new Map(sections.map((section) => [section.source, section])).values()],
    text,
    ...reportAttribution(finding.attribution),
    where: whereOf(contract, finding, units),
    wanted: example?.miss?.wanted ?? wantedBy(decision, failed) ?? text,
    got: redactor.text(example ? gotOf(example, finding.cases) : (decision?.detail ?? '')),
    curl: example ? curlFor(parts, settings, example.case) : (decision?.curl ?? failed?.curl ?? ''),
    caveat: finding.caveat ?? null,
    example: example?.case.id ?? (decision ? decisionId(decision) : ''),
    steps,
    cases: [...finding.cases.map(({ case: { id } }) => id), ...units],
  };
}

/** What a check wanted of the step that failed, with the private documents that this must hide or show, if that is not said. */
function wantedBy(decision: Decision | undefined, failed: ReportedStep | undefined): string | undefined {
  const wanted = decision?.wanted;
  if (wanted === undefined || failed?.shows !== wanted) return wanted;
  const markers = failed.wanted.match(/\$\w+_MARKER/g) ?? [];
  return markers.every((marker) => wanted.includes(marker)) ? wanted : `${wanted}: ${failed.wanted}`;
}

function whereOf(contract: Contract, finding: Finding, units: readonly string[]): string {
  if (finding.example) return placesOf(contract, finding);
  const checks = firstOf(units, MOST_UNITS);
  return finding.cases.length === 0 ? checks : `${checks}; only a warning: ${placesOf(contract, finding)}`;
}

/** What the example got, and the other statuses: `404; also 500 in 12 cases, 403 in 1 case`. */
function gotOf({ miss, observation }: CaseVerdict, cases: readonly CaseVerdict[]): string {
  const own = statusOf(observation);
  const counts = [...tallied(cases.map((found) => statusOf(found.observation)))].filter(([status]) => status !== own);
  const others = counts
    .sort(([, a], [, b]) => b - a)
    .map(([status, count]) => `${status} in ${counted(count, 'case')}`);
  return `${miss?.got ?? ''}${others.length > 0 ? `; also ${others.join(', ')}` : ''}`;
}

/** The first of many checks and conditions are named; `cases` has all of them. */
const MOST_UNITS = 6;

/** What comes and goes has many conditions, which nobody reads. The first ones hold for the most cases. */
function placesOf(contract: Contract, { places, scattered, since, decisions }: Finding): string {
  if (since !== undefined) return `all that must be refused, since request ${since} of the run`;
  const named = places.slice(0, MOST_UNITS);
  const texts = named.map((place) => place.map((one) => conditionInWords(contract, one)).join(', '));
  const more = places.length - named.length;
  if (more > 0) texts.push(counted(more, 'further condition'));
  const apart = decisions.some(isOfOthers) ? 'that only other requests separate' : 'that no condition separates';
  if (scattered > 0) texts.push(`${counted(scattered, 'scattered case')} ${apart} from cases that pass`);
  return texts.join('; or ') || 'everywhere';
}

/** A contract of somebody's own may have one family of tokens, and no bearer tokens. */
export function conditionInWords({ matrix, has }: Contract, { aspect, value }: Conjunction[number]): string {
  const families = new Set(Object.values(matrix.kinds).map(({ family }) => family));
  if (aspect === 'family' && value === 'service' && !families.has('own') && !families.has('external'))
    return 'an issued token';
  if (aspect === 'authorization' && value === 'bearer' && !has.includes('bearer'))
    return `the documented ${matrix.headers.authorization.name}`;
  return `${aspect} ${value}`;
}

function isListed({ cases, decisions }: Finding, { listed }: BaselineVerdict): boolean {
  const failing = [
    ...cases.flatMap((found) => (found.verdict === 'fail' ? [found.case.id] : [])),
    ...decisions.filter(({ verdict }) => verdict === 'fail'),
  ];
  return failing.every((key) => listed.has(key));
}

/**
 * Names the same cause in every run: the requirements and the conditions, without what differs from run to run, such as
 * the number of its cases. Of a cause that only checks found, the conditions are these checks. Pure.
 */
function causeKey({ requirements, places, scattered, example, decisions }: Finding): string {
  const conditions = example
    ? [
        ...places.map((place) => place.map(({ aspect, value }) => `${aspect}=${value}`).join(' ')),
        ...(scattered > 0 ? ['scattered'] : []),
      ]
    : decisions.map(({ check }) => check);
  const named = [[...requirements].sort(), [...new Set(conditions)].sort()];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 12);
}

export interface ReportedAttribution {
  readonly basis: Basis;
  /** Why it is interpreted. Null if it is stated. */
  readonly interpretation: string | null;
}

export function reportAttribution({ basis, reason }: Attribution): ReportedAttribution {
  return { basis, interpretation: reason ?? null };
}

/** `stated`, or `interpreted: Section 7 gives 401 for an invalid token.` */
export function attributionInWords({ basis, interpretation }: ReportedAttribution): string {
  return interpretation === null ? basis : `${basis}: ${interpretation}`;
}
