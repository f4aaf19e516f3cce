import type { BaselineVerdict } from '../judge/baseline.ts';
import type { Finding } from '../judge/findings.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { curlFor } from '../plan/curl.ts';
import { type ReportedAttribution, reportAttribution } from './attribution.ts';

export interface ReportedFinding extends ReportedAttribution {
  readonly id: string;
  readonly verdict: string;
  /** The baseline lists everything that fails in this finding. */
  readonly listed: boolean;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
  readonly text: string;
  readonly where: string;
  readonly wanted: string;
  readonly got: string;
  readonly curl: string;
  readonly caveat: string | null;
  readonly example: string;
  readonly cases: readonly string[];
}

export function reportFinding(
  { contract, parts, settings, redactor }: RunFacts,
  finding: Finding,
  baseline: BaselineVerdict | undefined,
): ReportedFinding {
  const { example, decisions } = finding;
  const [decision] = decisions;
  const cited = contract.requirements.filter(({ id }) => finding.requirements.includes(id));
  const units = [...new Set(decisions.map(({ check, operation, kind }) => `${check}/${operation}/${kind}`))];
  return {
    id: finding.id,
    verdict: finding.verdict,
    listed: finding.verdict === 'fail' && baseline !== undefined && isListed(finding, baseline),
    requirements: finding.requirements,
    sources: [...new Set(cited.map(({ source }) => source))],
    text: cited.map(({ text }) => text).join(' '),
    ...reportAttribution(finding.attribution),
    where: example ? placesOf(finding) : units.join(', '),
    wanted: example?.miss?.wanted ?? cited.map(({ text }) => text).join(' '),
    got: redactor.text(example?.miss?.got ?? decision?.detail ?? ''),
    curl: example ? curlFor(parts, settings, example.case) : (decision?.curl ?? ''),
    caveat: finding.caveat ?? null,
    example: example?.case.id ?? units[0] ?? '',
    cases: [...finding.cases.map(({ case: { id } }) => id), ...units],
  };
}

function placesOf({ places, scattered }: Finding): string {
  const texts = places.map((place) => place.map(({ aspect, value }) => `${aspect} ${value}`).join(', '));
  if (scattered > 0) texts.push(`${scattered} scattered cases that no condition separates from cases that pass`);
  return texts.join('; or ') || 'everywhere';
}

function isListed({ cases, decisions }: Finding, { listed }: BaselineVerdict): boolean {
  const failing = [
    ...cases.flatMap((found) => (found.verdict === 'fail' ? [found.case.id] : [])),
    ...decisions.filter(({ verdict }) => verdict === 'fail'),
  ];
  return failing.every((key) => listed.has(key));
}
