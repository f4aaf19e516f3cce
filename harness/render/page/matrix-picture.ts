import { groupedBy } from '../../contract/collections.ts';
import type { Verdict } from '../../judge/judge-cases.ts';
import { readCaseId } from '../../plan/case.ts';
import type { ReportedCase } from '../../report/cases.ts';
import type { ReportedMatrix } from '../../report/sight.ts';
import { SYMBOLS, worstOf } from '../../report/verdict-words.ts';
import { type Html, html } from './html.ts';

export interface Place {
  readonly operation: string;
  readonly kind: string;
  readonly band: string;
  readonly row: string;
}
/** The cases of one place: their gravest verdict, how many have it, and how many cases there are. */
interface Cell {
  readonly worst: Verdict;
  readonly count: number;
  readonly total: number;
}
/** The picture of one operation: cells by the two axes and kind. Rows and columns without cases are left out. */
interface Picture {
  readonly operation: ReportedMatrix['operations'][number];
  readonly kinds: readonly string[];
  readonly bands: readonly { readonly band: string; readonly rows: readonly Row[] }[];
}
interface Row {
  readonly row: string;
  readonly cells: readonly (Cell | undefined)[];
}

/** The dimensions of bands and rows: the first two headers of the contract. One that has fewer shows the form of the token, or bodies. */
function axesOf({ headers }: ReportedMatrix): readonly [band: string, row: string] {
  const { authorization: _always, ...own } = headers;
  const [band = '', row = ''] = [...Object.keys(own), 'authorization', 'body'];
  return [band, row];
}

function placeOf(matrix: ReportedMatrix, id: string): Place {
  const [band, row] = axesOf(matrix);
  const values = readCaseId(id, (kind) => matrix.kinds[kind] ?? 'none');
  return { operation: values.operation, kind: values.kind, band: values[band] ?? '', row: values[row] ?? '' };
}

/** A picture for each operation: kinds of token are columns, header values are rows. Pure. */
export function picturesOf(matrix: ReportedMatrix, cases: readonly ReportedCase[]): readonly Picture[] {
  const keyOf = (...parts: readonly string[]) => parts.join(' ');
  const placed = cases.map(({ id, verdict }) => ({ ...placeOf(matrix, id), verdict }));
  const cells = groupedBy(placed, ({ operation, band, row, kind }) => keyOf(operation, band, row, kind));
  const seen = new Set(
    placed.flatMap(({ operation, band, row, kind }) => [keyOf(operation, band, row), keyOf(operation, kind)]),
  );
  const [bandAxis, rowAxis] = axesOf(matrix);
  const valuesOf = (dimension: string) => Object.keys(matrix.values[dimension] ?? {});
  return matrix.operations.flatMap((operation) => {
    const kinds = Object.keys(matrix.kinds).filter((kind) => seen.has(keyOf(operation.id, kind)));
    const bands = valuesOf(bandAxis).flatMap((band) => {
      const rows = valuesOf(rowAxis)
        .filter((row) => seen.has(keyOf(operation.id, band, row)))
        .map((row) => ({ row, cells: kinds.map((kind) => cellOf(cells.get(keyOf(operation.id, band, row, kind)))) }));
      return rows.length === 0 ? [] : [{ band, rows }];
    });
    return bands.length === 0 ? [] : [{ operation, kinds, bands }];
  });
}

function cellOf(found: readonly { readonly verdict: Verdict }[] = []): Cell | undefined {
  const worst = worstOf(found.map(({ verdict }) => verdict));
  return worst && { worst, count: found.filter(({ verdict }) => verdict === worst).length, total: found.length };
}

export function renderPicture(matrix: ReportedMatrix, { operation, kinds, bands }: Picture): Html {
  const axes = axesOf(matrix);
  const [bandName = '', rowName = ''] = axes.map((axis) => matrix.headers[axis]?.name ?? axis);
  const renderBand = ({ band, rows }: Picture['bands'][number]) => html`<tbody>
<tr><th class="band" scope="rowgroup" colspan="${kinds.length + 1}">${bandName}: <b>${band}</b></th></tr>
${rows.map(
  ({ row, cells }) => html`<tr><th scope="row">${row}</th>${cells.map((cell, index) =>
    renderCell(axes, cell, { operation: operation.id, kind: kinds[index] ?? '', band, row }),
  )}</tr>
`,
)}</tbody>
`;
  return html`<div class="scroll"><table class="picture" data-operation="${operation.id}">
<caption><strong>${operation.id}</strong> <code>${operation.method} ${operation.path}</code></caption>
<thead><tr><th scope="col">${rowName}</th>${kinds.map(
    (kind) => html`<th scope="col" class="kind"><span>${kind}</span></th>`,
  )}</tr></thead>
${bands.map(renderBand)}</table></div>
`;
}

function renderCell(
  [bandAxis, rowAxis]: readonly [string, string],
  cell: Cell | undefined,
  { operation, kind, band, row }: Place,
): Html {
  if (!cell) return html`<td></td>`;
  const { worst, count, total } = cell;
  const label = `${kind}, ${bandAxis} ${band}, ${rowAxis} ${row}: ${count === total ? `${total}` : `${count} of ${total}`} ${worst}`;
  const address = `#operation=${operation}&kind=${kind}&${bandAxis}=${band}&${rowAxis}=${row}`;
  return html`<td><a class="cell" href="${address}" data-verdict="${worst}" aria-label="${label}" title="${label}"><i>${SYMBOLS[worst]}</i>${count}</a></td>`;
}
