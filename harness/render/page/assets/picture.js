import { verdicts } from './data.js';

/** The nearest cell in a direction. Skips gaps and headings. */
function cellBeyond(grid, row, column, [down, right]) {
  const places = grid[row + down];
  if (!places || column + right < 0 || column + right >= grid[0].length) return undefined;
  return places[column + right] ?? cellBeyond(grid, row + down, column + right, [down, right]);
}

/** One cell of each picture is in the tab order, at first the gravest. The arrow keys move to the others. */
for (const picture of document.querySelectorAll('table.picture')) {
  const grid = [...picture.rows].map((row) => [...row.cells].map((place) => place.querySelector('.cell')));
  const cells = grid.flat().filter(Boolean);
  const gravest = verdicts.flatMap((verdict) => cells.filter((cell) => cell.dataset.verdict === verdict))[0];
  for (const cell of cells) cell.tabIndex = cell === gravest ? 0 : -1;
  picture.addEventListener('keydown', (event) => {
    const direction = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const from = event.target.closest('.cell');
    if (!direction || !from) return;
    event.preventDefault();
    const next = cellBeyond(grid, from.closest('tr').rowIndex, from.parentElement.cellIndex, direction);
    if (!next) return;
    from.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
