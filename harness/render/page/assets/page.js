import { describe } from './case.js';
import { verdicts } from './data.js';
import { find } from './find.js';
import { makeList } from './list.js';

const byId = (id) => document.getElementById(id);
const fields = ['search', 'verdict', 'operation', 'kind'].map(byId);
const shown = byId('case');
let narrowed = {};
let cameFrom;

const list = makeList(byId('list'), (row, byHand) => {
  shown.replaceChildren(...describe(row));
  shown.scrollTop = 0;
  // On a small screen the case is below the list: focus moves there, and Escape returns to the list.
  if (byHand) shown.querySelector('h3').focus();
});

function refresh() {
  const filters = Object.fromEntries(fields.map(({ id, value }) => [id, value]));
  const found = find({ ...filters, narrowed });
  const checks = found.filter(({ check }) => check).length;
  const counts = [counted(found.length - checks, 'case'), counted(checks, 'check')].filter(Boolean);
  byId('found').textContent = counts.join(' and ') || 'No cases match.';
  byId('narrowed').hidden = narrowed.label === undefined;
  byId('narrowed-to').textContent = narrowed.label ?? '';
  byId('back').textContent = narrowed.back ?? '';
  list.show(found);
}

function counted(count, noun) {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Shows exactly these cases and opens the first. The back link returns to the element `from`. */
function showOnly(filter, from, { operation = '', kind = '' } = {}) {
  const values = { search: '', verdict: '', operation, kind };
  for (const field of fields) field.value = values[field.id];
  narrowed = filter;
  cameFrom = from;
  refresh();
  byId('cases').scrollIntoView();
  list.openFirst(true);
}

function showCell(cell) {
  const { operation, kind, actAs, authType } = cell.dataset;
  const label = `act-as ${actAs}, auth type ${authType}`;
  showOnly({ actAs, authType, label, back: 'back to the matrix' }, cell, { operation, kind });
}

for (const field of fields) field.addEventListener('input', refresh);
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('clear').addEventListener('click', () => {
  narrowed = {};
  cameFrom = undefined;
  for (const field of fields) field.value = '';
  refresh();
  byId('search').focus();
});
byId('back').addEventListener('click', () => {
  cameFrom?.scrollIntoView({ block: 'center' });
  cameFrom?.focus({ preventScroll: true });
});
shown.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') list.focus();
});

document.addEventListener('click', ({ target }) => {
  // A link to a closed <details> opens it.
  const linked = document.getElementById(target.closest('a[href^="#"]')?.hash.slice(1) ?? '');
  if (linked?.matches('details')) linked.open = true;
  const button = target.closest('button');
  if (!button) return;
  const { finding, requirement } = button.dataset;
  if (button.matches('.cell')) showCell(button);
  if (button.matches('.copy')) copy(button);
  if (finding) showOnly({ finding, label: `cause ${finding}`, back: `back to ${finding}` }, button);
  if (requirement)
    showOnly({ requirement, label: `requirement ${requirement}`, back: 'back to the requirement' }, button);
});

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Some viewers give no clipboard to a page from a file. The line is selected, so that a key press copies it.
    button.textContent = 'Selected';
  }
}

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

// Print shows the content of every <details>.
const opened = [];
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details:not([open])')) opened.push(details);
  for (const details of opened) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of opened.splice(0)) details.open = false;
});

document.documentElement.classList.add('scripted');
byId('explorer').hidden = false;
refresh();
list.openFirst(false);
