import { findings, rows, verdicts } from './data.js';

/** Every row: the gravest verdict first, then in the order of the plan. */
const ordered = verdicts.flatMap((verdict) => rows.filter((row) => row.verdict === verdict));

/** The text that a search looks through. It is made when it is first needed. */
function searchable(row) {
  row.searchable ??= [
    row.id,
    row.verdict,
    row.credential,
    row.got,
    row.wanted,
    row.reason,
    ...row.expectation.requirements,
  ]
    .join(' ')
    .toLowerCase();
  return row.searchable;
}

/**
 * The rows that match every filter. `narrowed` is the filter of a link: a requirement, a finding, or the header values of
 * a cell.
 */
export function find({ search = '', verdict = '', operation = '', kind = '', narrowed = {} }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const { requirement, finding, actAs, authType } = narrowed;
  const ofFinding = finding && new Set(findings[finding].map((index) => rows[index]));
  return ordered.filter(
    (row) =>
      (!verdict || row.verdict === verdict) &&
      (!operation || row.values.operation === operation) &&
      (!kind || row.values.kind === kind) &&
      (actAs === undefined || row.values['act-as'] === actAs) &&
      (authType === undefined || row.values['auth-type'] === authType) &&
      (!requirement || row.expectation.requirements.includes(requirement)) &&
      (!ofFinding || ofFinding.has(row)) &&
      words.every((word) => searchable(row).includes(word)),
  );
}
