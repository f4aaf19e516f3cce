import { addressOf, readAddress } from './address.js';
import { describe, element } from './case.js';
import { axes, rowAt } from './data.js';
import { find } from './find.js';
import { makeList } from './list.js';

const byId = (id) => document.getElementById(id);
// A report that was not compared with another has no field for changes.
const fields = ['search', 'verdict', 'operation', 'kind', 'change', 'order'].map(byId).filter(Boolean);
const shown = byId('case');
/** On a small screen the case is below the list. */
const isNarrow = matchMedia('(max-width: 56rem)');

/** What the explorer shows: filters and the case that was chosen, as in its address. */
let view = {};
let found = [];
let filters;

const list = makeList(byId('list'), ({ address }) => addressOf({ ...view, case: address }));

/** Shows what an address names. Without a case that it names, the first case found is shown. */
function show(next) {
  view = next;
  const { case: named, ...others } = view;
  if (addressOf(others) !== filters) {
    filters = addressOf(others);
    found = find(others);
  }
  for (const field of fields) field.value = view[field.id] ?? '';
  const row = named ? rowAt(named) : found[0];
  describeFound();
  list.show(found, row);
  shown.replaceChildren(...(row ? describe(row) : nothing(named)));
  shown.scrollTop = 0;
}

function nothing(named) {
  return named
    ? missing(`case ${named}`)
    : [element('p', { class: 'quiet' }, 'Select a case to see what was sent, what was wanted and what came.')];
}

function missing(what) {
  return [element('p', { class: 'quiet' }, `This report has no ${what}.`)];
}

function describeFound() {
  const checks = found.filter(({ check }) => check).length;
  const counts = [counted(found.length - checks, 'case'), counted(checks, 'check')].filter(Boolean);
  byId('found').textContent = counts.join(' and ') || 'No cases match.';
  const [narrowing, back] = narrowingOf(view);
  byId('filtered').hidden = filters === addressOf({});
  byId('filters-address').href = filters;
  byId('narrowed').textContent = narrowing ? `${narrowing} · ` : '';
  byId('back').textContent = back ?? '';
}

function counted(count, noun) {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** The filter that has no field of its own, the words of the link back, and the address of the link that led here. */
function narrowingOf({ cause, requirement, operation, kind, ...others }) {
  if (cause) return [`cause ${cause}`, `back to ${cause}`, addressOf({ cause })];
  if (requirement) return [`requirement ${requirement}`, 'back to the requirement', addressOf({ requirement })];
  const named = axes.filter((axis) => others[axis]).map((axis) => [axis, others[axis]]);
  if (named.length === 0) return [];
  const cell = addressOf({ operation, kind, ...Object.fromEntries(named) });
  return [named.map((axis) => axis.join(' ')).join(', '), 'back to the matrix', cell];
}

/** Follows an address. The keyboard focus moves to the case that it names, or to the first row of the list. */
function follow(next) {
  show(next);
  showPart(next.case);
  if (next.case) shown.querySelector('h3')?.focus({ preventScroll: true });
  else list.focus();
}

function showPart(isOfCase) {
  (isOfCase && isNarrow.matches ? shown : byId('cases')).scrollIntoView();
}

/** Makes a view the address of the page, so that the browser leads back and forward. */
function remember(fragment) {
  history.pushState({ explored: true }, '', fragment);
}

/** A link to a closed <details> opens it. One from an older report may name a cause that this one lacks. */
function openLinked(fragment) {
  const id = fragment.slice(1);
  const linked = byId(id);
  if (linked?.matches('details')) linked.open = true;
  if (linked || id === '') return;
  shown.replaceChildren(...missing(id));
  showPart(true);
}

// Back and forward: the browser scrolls to where the reader was.
addEventListener('hashchange', () => {
  const next = readAddress(location.hash);
  if (next && !history.state?.explored) follow(next);
  else if (next || location.hash === '') show(next ?? {});
  else openLinked(location.hash);
});

document.addEventListener('click', (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  const fragment = target.closest('a[href^="#"]')?.hash;
  if (fragment === undefined || button !== 0 || ctrlKey || metaKey || shiftKey) return;
  const next = readAddress(fragment);
  if (!next) return openLinked(fragment);
  event.preventDefault();
  if (fragment !== location.hash) remember(fragment);
  // A row of the list is in view, and the list stays as it is.
  if (!byId('list').contains(target)) return follow(next);
  show(next);
  if (isNarrow.matches) shown.scrollIntoView();
  shown.querySelector('h3').focus({ preventScroll: isNarrow.matches });
});

/** Changed filters keep the others, and choose no case. */
function changed() {
  const { case: _case, ...others } = view;
  return { ...others, ...Object.fromEntries(fields.map(({ id, value }) => [id, value])) };
}
for (const field of fields) {
  field.addEventListener('input', () => show(changed()));
  field.addEventListener('change', () => remember(addressOf(changed())));
}
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('clear').addEventListener('click', () => {
  remember(addressOf({}));
  show({});
  byId('search').focus();
});
byId('back').addEventListener('click', () => {
  const [, , address] = narrowingOf(view);
  const origin = [...document.links].find((link) => link.getAttribute('href') === address);
  origin?.scrollIntoView({ block: 'center' });
  origin?.focus({ preventScroll: true });
});
shown.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') list.focus();
});

// As in many programs, a slash leads to the search.
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || target.closest('input, select, textarea')) return;
  event.preventDefault();
  byId('cases').scrollIntoView();
  byId('search').focus({ preventScroll: true });
  byId('search').select();
});

document.documentElement.classList.add('scripted');
byId('explorer').hidden = false;
const addressed = readAddress(location.hash);
if (addressed) follow(addressed);
else {
  show({});
  openLinked(location.hash);
}
