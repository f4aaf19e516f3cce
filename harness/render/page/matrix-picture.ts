import type { Verdict } from '../../judge/judge-cases.ts';
import { readCaseId } from '../../plan/case.ts';
import type { ReportedCase } from '../../report/cases.ts';
import type { ReportedMatrix } from '../../report/sight.ts';
import { GRAVITY, SYMBOLS } from '../../report/verdict-words.ts';
import { type Html, html } from './html.ts';

/** The place of a case in the picture. */
export interface Place {
  readonly operation: string;
  readonly kind: string;
  readonly actAs: string;
  readonly authType: string;
}
/** The cases of one place: their gravest verdict, how many have it, and how many cases there are. */
export interface Cell {
  readonly worst: Verdict;
  readonly count: number;
  readonly total: number;
}
/** The picture of one operation: cells by act-as, auth type and kind. Rows and columns without cases are left out. */
export interface Picture {
  readonly operation: ReportedMatrix['operations'][number];
  readonly kinds: readonly string[];
  readonly bands: readonly { readonly actAs: string; readonly rows: readonly Row[] }[];
}
interface Row {
  readonly authType: string;
  readonly cells: readonly (Cell | undefined)[];
}

function placeOf({ kinds }: ReportedMatrix, id: string): Place {
  const values = readCaseId(id, (kind) => kinds[kind] ?? 'none');
  return { operation: values.operation, kind: values.kind, actAs: values['act-as'], authType: values['auth-type'] };
}

/** A picture for each operation: kinds of token are columns, header values are rows. Pure. */
export function picturesOf(matrix: ReportedMatrix, cases: readonly ReportedCase[]): readonly Picture[] {
  const cells = new Map<string, Map<Verdict, number>>();
  const keyOf = (...parts: readonly string[]) => parts.join(' ');
  const seen = new Set<string>();
  for (const { id, verdict } of cases) {
    const { operation, kind, actAs, authType } = placeOf(matrix, id);
    const key = keyOf(operation, actAs, authType, kind);
    const counts = cells.get(key) ?? new Map<Verdict, number>();
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    cells.set(key, counts);
    seen.add(keyOf(operation, actAs, authType)).add(keyOf(operation, kind));
  }
  const valuesOf = (dimension: string) => Object.keys(matrix.values[dimension] ?? {});
  return matrix.operations.flatMap((operation) => {
    const kinds = Object.keys(matrix.kinds).filter((kind) => seen.has(keyOf(operation.id, kind)));
    const bands = valuesOf('act-as').flatMap((actAs) => {
      const rows = valuesOf('auth-type')
        .filter((authType) => seen.has(keyOf(operation.id, actAs, authType)))
        .map((authType) => ({
          authType,
          cells: kinds.map((kind) => cellOf(cells.get(keyOf(operation.id, actAs, authType, kind)))),
        }));
      return rows.length === 0 ? [] : [{ actAs, rows }];
    });
    return bands.length === 0 ? [] : [{ operation, kinds, bands }];
  });
}

function cellOf(counts: ReadonlyMap<Verdict, number> | undefined): Cell | undefined {
  const worst = GRAVITY.find((verdict) => counts?.has(verdict));
  if (!counts || !worst) return undefined;
  return { worst, count: counts.get(worst) ?? 0, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

export function renderPicture({ headers }: ReportedMatrix, { operation, kinds, bands }: Picture): Html {
  const band = ({ actAs, rows }: Picture['bands'][number]) => html`<tbody>
<tr><th class="band" scope="rowgroup" colspan="${kinds.length + 1}">${headers['act-as'].name}: <b>${actAs}</b></th></tr>
${rows.map(
  ({ authType, cells }) => html`<tr><th scope="row">${authType}</th>${cells.map((cell, index) =>
    renderCell(cell, { operation: operation.id, kind: kinds[index] ?? '', actAs, authType }),
  )}</tr>
`,
)}</tbody>
`;
  return html`<div class="scroll"><table class="picture" data-operation="${operation.id}">
<caption><strong>${operation.id}</strong> <code>${operation.method} ${operation.path}</code></caption>
<thead><tr><th scope="col">${headers['auth-type'].name}</th>${kinds.map(
    (kind) => html`<th scope="col" class="kind"><span>${kind}</span></th>`,
  )}</tr></thead>
${bands.map(band)}</table></div>
`;
}

function renderCell(cell: Cell | undefined, { operation, kind, actAs, authType }: Place): Html {
  if (!cell) return html`<td></td>`;
  const { worst, count, total } = cell;
  const label = `${kind}, act-as ${actAs}, auth type ${authType}: ${count === total ? `${total}` : `${count} of ${total}`} ${worst}`;
  const address = `#operation=${operation}&kind=${kind}&act-as=${actAs}&auth-type=${authType}`;
  return html`<td><a class="cell" href="${address}" data-verdict="${worst}" aria-label="${label}" title="${label}"><i>${SYMBOLS[worst]}</i>${count}</a></td>`;
}
