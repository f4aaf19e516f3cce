import { badge, element, reasonOf } from './case.js';

/** Rows that are in the document above and below those in view. */
const BEYOND = 6;

/** An id in which lines break only after a slash. */
function breakable(id) {
  return id.split(/(?<=\/)/).flatMap((part) => [element('span', {}, part), element('wbr')]);
}

function summaryOf({ verdict, reason, got, wanted }) {
  if (reason) return reasonOf(reason);
  return wanted && (verdict === 'fail' || verdict === 'warn') ? `got ${got}, wanted ${wanted}` : got;
}

function timeOf({ change, ms }) {
  return [change, ms === undefined ? undefined : `${ms} ms`].filter(Boolean).join(' · ');
}

/**
 * A list of any length. Each row is a link to its case. Only the rows in view, and a few above and below, are in the document. One row at a time is in
 * the tab order; the arrow keys move to the others.
 */
export function makeList(list, addressOfRow) {
  const frame = list.parentElement;
  let found = [];
  let active = 0;
  let chosen;
  let height = 56;

  const rowAt = (index) => list.querySelector(`li[aria-posinset="${index + 1}"] a`);

  function renderRow(row, index) {
    const link = element(
      'a',
      { href: addressOfRow(row), tabindex: index === active ? '0' : '-1' },
      badge(row.verdict),
      element('span', { class: 'id' }, ...breakable(row.id)),
      element('span', { class: 'time' }, timeOf(row)),
      element('span', { class: 'summary' }, summaryOf(row)),
    );
    if (row === chosen) link.setAttribute('aria-current', 'true');
    return element('li', { 'aria-posinset': index + 1, 'aria-setsize': found.length }, link);
  }

  function render() {
    const { scrollTop } = frame;
    const first = Math.max(0, Math.floor(scrollTop / height) - BEYOND);
    const last = Math.min(found.length, Math.ceil((scrollTop + frame.clientHeight) / height) + BEYOND);
    const hadFocus = list.contains(document.activeElement);
    list.style.paddingTop = `${first * height}px`;
    list.style.paddingBottom = `${(found.length - last) * height}px`;
    if (active < first || active >= last) active = Math.min(first + BEYOND, Math.max(0, last - 1));
    list.replaceChildren(...found.slice(first, last).map((row, offset) => renderRow(row, first + offset)));
    // Chrome may scroll up while the row with the focus is replaced, because the list is shorter for a moment.
    if (frame.scrollTop !== scrollTop) frame.scrollTop = scrollTop;
    const measured = list.firstElementChild?.offsetHeight || height;
    if (measured !== height) {
      height = measured;
      render();
    }
    if (hadFocus) (rowAt(active) ?? list).focus({ preventScroll: true });
  }

  /** Makes a row the active one and scrolls it into view. */
  function reveal(index) {
    const to = Math.min(Math.max(index, 0), found.length - 1);
    let before;
    // Rendering may measure another height of a row, and then the row is elsewhere.
    do {
      before = height;
      active = to;
      const top = active * height;
      if (top < frame.scrollTop) frame.scrollTop = top;
      if (top + height > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + height - frame.clientHeight;
      render();
    } while (height !== before);
  }

  function focus() {
    (rowAt(active) ?? list).focus({ preventScroll: true });
  }

  frame.addEventListener('scroll', render, { passive: true });
  addEventListener('resize', render);
  list.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.floor(frame.clientHeight / height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -found.length, End: found.length };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    reveal(active + step);
    focus();
  });

  return {
    /** Shows these rows, and one of them as the chosen one. */
    show(rows, row) {
      chosen = row;
      if (rows !== found) {
        found = rows;
        active = 0;
        frame.scrollTop = 0;
        // The list needs its height before it can scroll to a row.
        render();
      }
      reveal(found.indexOf(row));
    },
    /** Gives the keyboard focus to the active row. */
    focus,
  };
}
