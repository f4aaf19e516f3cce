import { matrix, requirements, symbols } from './data.js';

const FAMILIES = {
  none: 'no token',
  unknown: 'a token that nobody issued',
  service: 'a service-issued token',
  own: "an OAuth token of the service's own authorization server",
  external: 'an OAuth token of an external provider',
};
const HOLDINGS = {
  all: 'every scope or permission',
  none: 'nothing that covers an operation',
  only: 'that scope alone',
  'all-but': 'every scope but that',
  set: 'that suggested set of scopes',
};

const DESCRIBED = ['act-as', 'auth-type', 'authorization', 'header-case', 'body'];
// The request shows these, and there is nothing to say of them.
const ORDINARY = { authorization: 'bearer', 'header-case': 'documented', body: 'valid' };

/** An element with children; a string is always text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function badge(verdict) {
  const symbol = element('i', { 'aria-hidden': 'true' }, symbols[verdict]);
  return element('span', { class: 'badge', 'data-verdict': verdict }, symbol, verdict);
}

/** A reason that is a variable says what to do; any other is words already. */
export function reasonOf(reason) {
  return /^[A-Z_]+$/.test(reason) ? `set ${reason}` : reason;
}

/** One case in full: what was sent, wanted and got, what it rests on, and the line that sends it again. */
export function describe(row) {
  const times = row.sent === 1 ? 'sent once' : row.sent ? `sent ${row.sent} times` : 'not sent';
  return [
    element('p', { class: 'overline' }, badge(row.verdict), row.check ? ' hand-written check' : ` ${times}`),
    element('h3', { tabindex: '-1' }, row.id),
    facts([
      [row.check || row.sent ? 'Sent' : 'To send', row.check ? `what the check ${row.check} sends` : sentOf(row)],
      ['Wanted', row.check ? undefined : row.wanted],
      [row.check ? 'Found' : 'Got', row.got && element('span', { class: 'got' }, row.got)],
      ['Why', row.reason && reasonOf(row.reason)],
      ['Rests on', element('ul', { class: 'plain' }, ...row.expectation.requirements.map(requirementOf))],
    ]),
    row.curl ? command(row.curl) : undefined,
  ].filter((part) => part !== undefined);
}

function facts(pairs) {
  const given = pairs.filter(([, value]) => value);
  const parts = given.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return element('dl', { class: 'facts' }, ...parts);
}

/** The request as it goes over the wire, with names where the secrets stand; below it what its values mean. */
function sentOf({ values, credential }) {
  const { method, path } = matrix.operations.find(({ id }) => id === values.operation) ?? {};
  const lines = ['authorization', 'act-as', 'auth-type'].flatMap((dimension) => {
    const { name, lines: templates } = matrix.headers[dimension];
    const fill = (template) =>
      template.replace(/\{([a-z-]+)\}/g, (_, what) => `‹${what === 'token' ? credential || 'a token' : what}›`);
    return (templates[values[dimension]] ?? []).map((line) => `${inCase(name, values['header-case'])}: ${fill(line)}`);
  });
  const [form] = (values.holding ?? '').split(':');
  const meanings = [
    ['token', values.kind, FAMILIES[matrix.kinds[values.kind]]],
    ['validity', values.validity, matrix.values.validity[values.validity]],
    ['holding', values.holding, HOLDINGS[form]],
    ...DESCRIBED.filter((dimension) => values[dimension] !== ORDINARY[dimension]).map((dimension) => [
      dimension,
      values[dimension],
      matrix.values[dimension][values[dimension]],
    ]),
  ].filter(([, value, meaning]) => value !== undefined && meaning !== undefined);
  const sent = document.createDocumentFragment();
  sent.append(
    element('pre', { class: 'request' }, [`${method} ${path}`, ...lines].join('\n')),
    element(
      'ul',
      { class: 'plain meanings' },
      ...meanings.map(([name, value, meaning]) =>
        element('li', {}, `${name} `, element('b', {}, value), `: ${meaning}`),
      ),
    ),
  );
  return sent;
}

function inCase(name, headerCase) {
  if (headerCase === 'lower') return name.toLowerCase();
  return headerCase === 'upper' ? name.toUpperCase() : name;
}

function requirementOf(id) {
  const { text = '', source = '', level = '' } = requirements[id] ?? {};
  const link = element('a', { href: `#requirement-${id}` }, element('code', {}, id));
  return element(
    'li',
    {},
    link,
    ' ',
    ...prose(text),
    ' ',
    element('span', { class: 'quiet' }, [source, level].filter(Boolean).join(', ')),
  );
}

/** Words of ours, in which backticks set off what is code. */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}

function command(curl) {
  return element(
    'figure',
    { class: 'command' },
    element('figcaption', {}, 'Sends it again'),
    element('pre', {}, element('code', {}, curl)),
    element('button', { type: 'button', class: 'copy' }, 'Copy'),
  );
}
