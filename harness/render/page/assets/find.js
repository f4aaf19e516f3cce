import { axes, findings, rows, verdicts } from './data.js';

/** Rows in the order of the causes, then the others in the order of the plan. */
const caused = new Set(Object.values(findings).flatMap((indices) => indices.map((index) => rows[index])));
const byCause = [...caused, ...rows.filter((row) => !caused.has(row))];

/** Every row: the gravest verdict first, then the gravest cause. */
const ordered = verdicts.flatMap((verdict) => byCause.filter((row) => row.verdict === verdict));

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

/** The rows that match every filter of a view. The axes are those of a cell. */
export function find(view) {
  const words = (view.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const ofCause = view.cause && new Set((findings[view.cause] ?? []).map((index) => rows[index]));
  const values = ['operation', 'kind', ...axes].filter((name) => view[name]);
  const found = ordered.filter(
    (row) =>
      (!view.change || row.change === view.change) &&
      (!view.verdict || row.verdict === view.verdict) &&
      values.every((name) => row.values[name] === view[name]) &&
      (!view.requirement || row.expectation.requirements.includes(view.requirement)) &&
      (!ofCause || ofCause.has(row)) &&
      words.every((word) => searchable(row).includes(word)),
  );
  return view.order ? found.sort((a, b) => (b.ms ?? -1) - (a.ms ?? -1)) : found;
}
