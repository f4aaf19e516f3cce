// The address of what the explorer shows: its filters and one case, as the fragment of the page's address.

import { axes } from './data.js';

const NAMES = ['search', 'verdict', 'operation', 'kind', ...axes, 'cause', 'requirement', 'change', 'order', 'case'];

/** The filters and the case that a fragment names. Undefined for a fragment that names a part of the page. */
export function readAddress(fragment) {
  if (!fragment.includes('=')) return undefined;
  const values = new URLSearchParams(fragment.slice(1));
  return Object.fromEntries(NAMES.flatMap((name) => (values.get(name) ? [[name, values.get(name)]] : [])));
}

/** The fragment with these filters and this case. Ids stay readable in it. */
export function addressOf(view) {
  const named = NAMES.filter((name) => view[name]).map((name) => `${name}=${readable(view[name])}`);
  // An address without a filter still leads to the list.
  return `#${named.join('&') || 'search='}`;
}

function readable(value) {
  return encodeURIComponent(value)
    .replace(/%(2F|3A|40|24|2C)/g, decodeURIComponent)
    .replaceAll('%20', '+');
}
