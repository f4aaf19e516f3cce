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
  // A reader who chose a row wants to read on there, on a small screen below the list; Escape leads back.
  if (byHand) shown.querySelector('h3').focus();
});

function refresh() {
  const asked = Object.fromEntries(fields.map(({ id, value }) => [id, value]));
  const found = find({ ...asked, narrowed });
  const checks = found.filter(({ check }) => check).length;
  const counted = [many(found.length - checks, 'case'), many(checks, 'check')].filter(Boolean);
  byId('found').textContent = counted.join(' and ') || 'Nothing is like that.';
  byId('narrowed').hidden = narrowed.label === undefined;
  byId('narrowed-to').textContent = narrowed.label ?? '';
  byId('back').textContent = narrowed.back ?? '';
  list.show(found);
}

function many(count, noun) {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Shows exactly these cases and opens the first; `from` is where a reader may want to return. */
function zoom(into, from, { operation = '', kind = '' } = {}) {
  const values = { search: '', verdict: '', operation, kind };
  for (const field of fields) field.value = values[field.id];
  narrowed = into;
  cameFrom = from;
  refresh();
  byId('cases').scrollIntoView();
  list.openFirst(true);
}

function zoomCell(cell) {
  const { operation, kind, actAs, authType } = cell.dataset;
  zoom({ actAs, authType, label: `with act-as ${actAs}, auth type ${authType}`, back: 'back to the matrix' }, cell, {
    operation,
    kind,
  });
}

for (const field of fields) field.addEventListener('input', refresh);
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('widen').addEventListener('click', () => {
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
  // A link to something closed opens it.
  const linked = document.getElementById(target.closest('a[href^="#"]')?.hash.slice(1) ?? '');
  if (linked?.matches('details')) linked.open = true;
  const button = target.closest('button');
  if (!button) return;
  const { finding, requirement } = button.dataset;
  if (button.matches('.cell')) zoomCell(button);
  if (button.matches('.copy')) copy(button);
  if (finding) zoom({ finding, label: `of cause ${finding}`, back: `back to ${finding}` }, button);
  if (requirement) zoom({ requirement, label: `on ${requirement}`, back: 'back to the requirement' }, button);
});

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // No clipboard for a page from a file in this viewer: the line is selected, a key press copies it.
    button.textContent = 'Selected';
  }
}

/** The nearest cell in a direction, over gaps and headings. */
function cellBeyond(grid, row, column, [down, right]) {
  const places = grid[row + down];
  if (!places || column + right < 0 || column + right >= grid[0].length) return undefined;
  return places[column + right] ?? cellBeyond(grid, row + down, column + right, [down, right]);
}

/** One cell of each picture takes part in the tab order, first the gravest; the arrow keys move to the others. */
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

// Paper cannot open anything.
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
