import { addressOf } from './address.js';
import { matrix, NAMED, requirements, symbols } from './data.js';

const FAMILIES = {
  none: 'no token',
  unknown: 'a token that nobody issued',
  service: 'a service-issued token',
  own: "an OAuth token of the service's own authorization server",
  external: 'an OAuth token of an external provider',
};
const HOLDINGS = {
  all: 'every scope or permission',
  none: 'no scope or permission of any operation',
  only: 'only this scope',
  'all-but': 'every scope except this one',
  set: 'this suggested set of scopes',
};

// Values of a well-made request. They need no explanation.
const ORDINARY = { authorization: 'bearer', 'header-case': 'documented', body: 'valid' };

/** An element with children. A string becomes text, never markup. */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children.filter((child) => child !== undefined));
  return created;
}

export function badge(verdict) {
  const symbol = element('i', { 'aria-hidden': 'true' }, symbols[verdict]);
  return element('span', { class: 'badge', 'data-verdict': verdict }, symbol, verdict);
}

/** A reason in words. A reason that is the name of a variable says to set it. */
export function reasonOf(reason) {
  return /^[A-Z_]+$/.test(reason) ? `set ${reason}` : reason;
}

/** One case or check in full: what was sent, what was wanted, what came, the requirements, and a curl line. */
export function describe(row) {
  const times = row.sent === 1 ? 'sent once' : row.sent ? `sent ${row.sent} times` : 'not sent';
  return [
    element(
      'p',
      { class: 'overline' },
      badge(row.verdict),
      row.check ? ' hand-written check' : ` ${times}`,
      element('a', { href: addressOf({ case: row.address }) }, 'link to this case'),
    ),
    element('h3', { tabindex: '-1' }, row.id),
    facts([
      [row.check || row.sent ? 'Sent' : 'To send', row.check ? `the requests of the check ${row.check}` : sentOf(row)],
      ['Wanted', row.check ? undefined : row.wanted],
      [row.check ? 'Found' : 'Got', row.got && element('span', { class: 'got' }, row.got)],
      ['Reason', row.reason && reasonOf(row.reason)],
      ['Basis', row.attribution],
      ['Requires', element('ul', { class: 'plain' }, ...row.expectation.requirements.map(requirementOf))],
    ]),
    row.steps.length === 0 ? responseOf(row) : undefined,
    row.curl && row.steps.length === 0 ? command('Reproduce', row.curl) : undefined,
    row.steps.length > 0 ? element('ol', { class: 'log' }, ...row.steps.map(stepOf)) : undefined,
  ].filter((part) => part !== undefined);
}

/** The response as it is recorded. The report has those of twenty thousand cases only as far as many are the same. */
function responseOf({ check, sent, response, ms }) {
  if (check || !sent) return undefined;
  if (response === undefined) return element('p', { class: 'quiet' }, 'The journal of the run has the response.');
  return responseFigure(response, ms === undefined ? 'Response' : `Response after ${ms} ms`);
}

function responseFigure(response, title) {
  return element('figure', { class: 'response' }, element('figcaption', {}, title), element('pre', {}, response));
}

function facts(pairs) {
  const known = pairs.filter(([, value]) => value);
  const parts = known.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return element('dl', { class: 'facts' }, ...parts);
}

/** The request as it is sent, with the names of secrets in place of their values; below it what its values mean. */
function sentOf({ values, credential }) {
  const { method, path, bodies } = matrix.operations.find(({ id }) => id === values.operation) ?? {};
  const body = bodies?.[values.body];
  const lines = Object.entries(matrix.headers).flatMap(([dimension, { name, lines: templates }]) => {
    const fill = (template) =>
      template.replace(/\{([a-z-]+)\}/g, (_, what) => `‹${what === 'token' ? credential || 'a token' : what}›`);
    return (templates[values[dimension]] ?? []).map((line) => `${inCase(name, values['header-case'])}: ${fill(line)}`);
  });
  const [form] = (values.holding ?? '').split(':');
  const meanings = [
    ['token', values.kind, FAMILIES[matrix.kinds[values.kind]]],
    ['validity', values.validity, matrix.values.validity[values.validity]],
    ['holding', values.holding, HOLDINGS[form]],
    ...NAMED.filter((dimension) => values[dimension] !== ORDINARY[dimension]).map((dimension) => [
      dimension,
      values[dimension],
      matrix.values[dimension][values[dimension]],
    ]),
  ].filter(([, value, meaning]) => value !== undefined && meaning !== undefined);
  const sent = document.createDocumentFragment();
  sent.append(
    element(
      'pre',
      { class: 'request' },
      [
        `${method} ${path}`,
        ...lines,
        ...(body ? [`${inCase('Content-Type', values['header-case'])}: ${body.contentType}`, '', body.text] : []),
      ].join('\n'),
    ),
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

/** A text of ours in which code is between backticks. */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}

/** A step: what it was to show, the request as a command line, and the response. */
function stepOf({ failed, shows, wanted, curl, response }) {
  const mark = failed ? element('b', { class: 'got' }, '✕ failed: ') : undefined;
  return element(
    'li',
    {},
    element('p', {}, ...(mark ? [mark] : []), shows, ' ', element('span', { class: 'quiet' }, `(wanted: ${wanted})`)),
    curl ? command('Request', curl) : undefined,
    responseFigure(response, 'Response'),
  );
}

function command(title, curl) {
  return element(
    'figure',
    { class: 'command' },
    element('figcaption', {}, title),
    element('pre', {}, element('code', {}, curl)),
    element('button', { type: 'button', class: 'copy' }, 'Copy'),
  );
}
