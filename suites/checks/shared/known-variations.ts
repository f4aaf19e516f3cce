import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { isLoopback } from '../../../harness/settings/loopback.ts';
import type { Variation, VariationKind } from '../../variations/variation.ts';
import { pathSpellings } from './path-spellings.ts';
import type { Line } from './request-form.ts';

/** Every variation of a request to an operation. */
export function variationsOf(api: CheckApi, operation: Operation): readonly Variation[] {
  const origin = new URL(api.variable('TARGET_BASE_URL') ?? 'http://localhost').origin;
  const person = api.people.actAs ?? api.people.user ?? 'admin';
  const first = [...addresses(operation, '127.0.0.1'), ...people(person), ...browser(origin), ...odd];
  const second = [
    ...addresses({ path: '/health' }, '10.0.0.1'),
    ...people('admin'),
    ...crawler,
    ...people(person).map(([name, value]): Line => [name.replace(/^X-/, ''), value]),
  ];
  const header = ([name, value]: Line) =>
    variation('header', name, value, { leadsElsewhere: LEADING_ELSEWHERE.has(name) });
  return [
    ...first.map(header),
    ...parameters(api, operation, person),
    ...fields(api, operation, person),
    variation('transport', 'chunked', ''),
    ...second.map(header),
    variation('transport', 'HTTP/1.0', ''),
    variation('content-type', 'text/plain', 'json'),
    variation('content-type', 'application/x-www-form-urlencoded', 'form'),
    variation('transport', 'gzip', '', { isTelling: false }),
    ...methods(operation),
    ...pathSpellings(operation.path).map(({ how, path, isTelling }) => variation('path', how, path, { isTelling })),
  ];
}

/** Other methods and paths. Without the whole breadth, those that are known to be open elsewhere. */
export function elsewhere(api: CheckApi, operation: Operation): readonly Variation[] {
  const isElsewhere = ({ kind }: Variation) => kind === 'method' || kind === 'path';
  return variationsOf(api, operation).filter((one) => isElsewhere(one) && (one.isTelling || api.breadth === 'whole'));
}

function variation(kind: VariationKind, name: string, value: unknown, traits: Partial<Variation> = {}): Variation {
  const leadsElsewhere = kind === 'method' || kind === 'path';
  return { kind, name, value, how: inWords(kind, name, value), isTelling: true, leadsElsewhere, ...traits };
}

function inWords(kind: VariationKind, name: string, value: unknown): string {
  const text = String(value);
  switch (kind) {
    case 'header':
      return `the header ${name}${text.length > 60 ? ` of ${text.length} characters` : `: ${text}`}`;
    case 'cookie':
      return `the cookie ${name}=${text}`;
    case 'parameter':
      if (text === '{token}') return 'the token in the query string too';
      return `the parameter ${name}=${text.length > 60 ? ` of ${text.length} characters` : text}`;
    case 'field':
      return `the body field ${name}`;
    case 'content-type':
      return value === 'form' ? 'a body that is a form' : `the content type ${name}`;
    case 'transport':
      return TRANSPORTS[name] ?? name;
    case 'method':
    case 'path':
    case 'query':
      return name;
  }
}

const TRANSPORTS: Readonly<Record<string, string>> = { gzip: 'a compressed body', chunked: 'a body in chunks' };

/** Headers with which some servers take another method or path for the requested one. */
const LEADING_ELSEWHERE: ReadonlySet<string> = new Set([
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Prefix',
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
]);

/**
 * What proxies add, and what some servers trust.
 * @param path the path that a rewriting proxy asked for. With that of the operation, a server that obeys must answer as
 * if nothing was sent; others are often open to everybody.
 * @param ip an address of this machine or of a private network.
 */
const addresses = ({ path }: Pick<Operation, 'path'>, ip: string): readonly Line[] => [
  ['X-Forwarded-For', ip],
  ['X-Real-IP', ip],
  ['Forwarded', `for=${ip};proto=https;host=localhost`],
  ['X-Client-IP', ip],
  ['X-Originating-IP', ip],
  ['X-Remote-Addr', ip],
  ['True-Client-IP', ip],
  ['CF-Connecting-IP', ip],
  ['X-Forwarded-Host', 'localhost'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Port', '443'],
  ['Via', '1.1 localhost'],
  ['X-Original-URL', path],
  ['X-Rewrite-URL', path],
  ['X-Forwarded-Prefix', '/'],
  ['X-HTTP-Method-Override', 'OPTIONS'],
  ['X-HTTP-Method', 'GET'],
  ['X-Method-Override', 'HEAD'],
];

/** What a gateway behind which everybody is signed in adds. */
const people = (person: string): readonly Line[] => [
  ['X-User', person],
  ['X-User-Email', person],
  ['X-User-Id', '1'],
  ['X-Email', person],
  ['X-Remote-User', person],
  ['X-Forwarded-User', person],
  ['X-Forwarded-Email', person],
  ['X-Auth-Request-Email', person],
  ['X-Authenticated-User', person],
  ['X-Consumer-Username', person],
  ['X-Authenticated-Userid', person],
  ['X-Goog-Authenticated-User-Email', `accounts.google.com:${person}`],
  ['X-MS-Client-Principal-Name', person],
  ['X-Amzn-Oidc-Identity', person],
  ['X-Role', 'admin'],
  ['X-Admin', 'true'],
  ['X-Scopes', '*'],
  ['X-Internal', 'true'],
];

const browser = (origin: string): readonly Line[] => [
  ['Origin', origin],
  ['Referer', `${origin}/`],
  ['Cookie', 'session=1; user=admin; authenticated=true'],
  ['User-Agent', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'],
  ['X-Requested-With', 'XMLHttpRequest'],
  ['Sec-Fetch-Site', 'same-origin'],
];

const crawler: readonly Line[] = [
  ['Origin', 'http://localhost'],
  ['Cookie', 'debug=1'],
  ['User-Agent', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  ['X-Requested-With', 'com.android.browser'],
];

const odd: readonly Line[] = [
  ['X-Debug', 'true'],
  ['X-Debug-Mode', '1'],
  ['X-Test', 'true'],
  ['X-Health-Check', '1'],
  ['X-Bypass', 'true'],
  ['X-Skip-Auth', 'true'],
  ['X-Api-Version', '0'],
  ['X-Long', 'a'.repeat(1500)],
  ['X-Odd', `%00 ${'\xfc'} '" {{1}} ../`],
];

function parameters(api: CheckApi, { scope }: Operation, person: string): readonly Variation[] {
  const email = encodeURIComponent(person);
  const plain = [
    ...['debug=1', 'admin=true', 'test=1', 'internal=1', 'auth=false', 'noauth=1', 'bypass=1'],
    ...['health=1', 'format=json', 'callback=x', `scope=${scope}`, `q=${'a'.repeat(500)}`],
    ...['act_as', 'actAs', 'user', 'email'].map((name) => `${name}=${email}`),
    'debug=true',
  ];
  return [
    // A query string ends up in logs, so a token is sent there only if it was made for this run or stays on this machine.
    variation('parameter', 'access_token', isPrivate(api) ? '{token}' : 'null'),
    ...plain.map((one) => variation('parameter', one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1))),
  ];
}

const isPrivate = (api: CheckApi): boolean =>
  api.trusted || isLoopback(new URL(api.variable('TARGET_BASE_URL') ?? 'http://unknown.invalid').hostname);

function fields({ contract }: CheckApi, { scope, documentsBody }: Operation, person: string): readonly Variation[] {
  const { authorization, 'act-as': actAs, 'auth-type': authType } = contract.matrix.headers;
  const values: readonly (readonly [string, unknown])[] = [
    // Only a search has this documented field.
    ...(documentsBody ? [['pageSize', 10] as const] : []),
    ...['user', 'email', 'userEmail', 'actAs', 'act_as', actAs.name].map((name) => [name, person] as const),
    [authorization.name, 'Bearer null'],
    [authType.name, 'OAUTH'],
    ['userId', 1],
    ['role', 'admin'],
    ['admin', true],
    ['debug', true],
    ['internal', true],
    ['scope', scope],
    ['scopes', [scope]],
    ['permissions', 'GLOBAL'],
    ['authenticated', true],
    ['comment', 'a'.repeat(1000)],
  ];
  return values.map(([name, value]) => variation('field', name, value));
}

/** Other methods. Those without a body ask the same in the query string. */
function methods({ method }: Operation): readonly Variation[] {
  const telling = ['GET', 'OPTIONS', 'PUT'];
  const all = [
    ...['GET', 'HEAD', 'OPTIONS', 'TRACE'].map((name) => [name, 'query'] as const),
    ...['PUT', 'PATCH', 'DELETE', 'POST'].map((name) => [name, 'body'] as const),
  ];
  return all.flatMap(([name, place]) =>
    name === method ? [] : variation('method', name, place, { isTelling: telling.includes(name) }),
  );
}
