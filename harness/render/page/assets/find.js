import { findings, rows, verdicts } from './data.js';

/** Every row, the gravest first and otherwise in the order of the plan. */
const ordered = verdicts.flatMap((verdict) => rows.filter((row) => row.verdict === verdict));

/** What a search looks through; made when it is first needed. */
function words(row) {
  row.words ??= [row.id, row.verdict, row.credential, row.got, row.wanted, row.reason, ...row.expectation.requirements]
    .join(' ')
    .toLowerCase();
  return row.words;
}

/** The rows that meet every condition given: `search`, `verdict`, `operation`, `kind`, and what `narrowed` names. */
export function find({ search = '', verdict = '', operation = '', kind = '', narrowed = {} }) {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const { requirement, finding, actAs, authType } = narrowed;
  const caused = finding && new Set(findings[finding].map((index) => rows[index]));
  return ordered.filter(
    (row) =>
      (!verdict || row.verdict === verdict) &&
      (!operation || row.values.operation === operation) &&
      (!kind || row.values.kind === kind) &&
      (actAs === undefined || row.values['act-as'] === actAs) &&
      (authType === undefined || row.values['auth-type'] === authType) &&
      (!requirement || row.expectation.requirements.includes(requirement)) &&
      (!caused || caused.has(row)) &&
      wanted.every((word) => words(row).includes(word)),
  );
}
