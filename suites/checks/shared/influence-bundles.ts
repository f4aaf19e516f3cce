import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { isLoopback } from '../../../harness/settings/loopback.ts';
import type { Line } from './request-form.ts';
import type { Influence } from './send-influenced.ts';

/** Bundles of influences that can be sent together. A header that is tried with two values is in two bundles. */
export function influenceBundles(api: CheckApi, operation: Operation): readonly (readonly Influence[])[] {
  const origin = new URL(api.variable('TARGET_BASE_URL') ?? 'http://localhost').origin;
  const person = api.people.actAs ?? api.people.user ?? 'admin';
  const header = ([name, value]: Line): Influence => ({
    how: `the header ${name}${value.length > 60 ? ` of ${value.length} characters` : `: ${value}`}`,
    line: [name, value],
    isTelling: TELLING.includes(`${name}: ${value}`),
    leadsElsewhere: LEADING_ELSEWHERE.has(name),
  });
  const first = [...addresses(operation, '127.0.0.1'), ...people(person), ...browser(origin), ...odd];
  const second = [
    ...addresses({ path: '/health' }, '10.0.0.1'),
    ...people('admin'),
    ...crawler,
    ...people(person).map(([name, value]): Line => [name.replace(/^X-/, ''), value]),
  ];
  const transfer = (one: NonNullable<Influence['transfer']>): Influence => ({
    how: TRANSFERS[one],
    transfer: one,
    isTelling: one.includes('/') && one !== 'HTTP/1.0',
  });
  const largest = [...first.map(header), ...parameters(api, operation, person), ...fields(api, operation, person)];
  // A slow operation gets the largest bundle only.
  if (operation.isSlow) return [largest];
  return [
    [...largest, transfer('chunked')],
    [...second.map(header), transfer('HTTP/1.0')],
    [transfer('text/plain')],
    [transfer('application/x-www-form-urlencoded')],
    // Many targets do not unpack a request.
    ...(api.breadth === 'whole' ? [[transfer('gzip')]] : []),
  ];
}

const TELLING = ['X-Forwarded-For: 127.0.0.1', 'X-Original-URL: /health', 'X-HTTP-Method-Override: OPTIONS'];

/** Headers with which some servers take another method or path for the requested one. */
const LEADING_ELSEWHERE: ReadonlySet<string> = new Set([
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Prefix',
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
]);

const TRANSFERS = {
  'text/plain': 'the content type text/plain',
  'application/x-www-form-urlencoded': 'a body that is a form',
  gzip: 'a compressed body',
  chunked: 'a body in chunks',
  'HTTP/1.0': 'HTTP/1.0',
} as const;

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

function parameters(api: CheckApi, { scope }: Operation, person: string): readonly Influence[] {
  const email = encodeURIComponent(person);
  const plain = [
    ...['debug=1', 'debug=true', 'admin=true', 'test=1', 'internal=1', 'auth=false', 'noauth=1', 'bypass=1'],
    ...['health=1', 'format=json', 'callback=x', `scope=${scope}`, `q=${'a'.repeat(500)}`],
    ...['act_as', 'actAs', 'user', 'email'].map((name) => `${name}=${email}`),
  ];
  return [
    // A query string ends up in logs, so a token is sent there only if it was made for this run or stays on this machine.
    { how: 'the token in the query string too', parameter: `access_token=${isPrivate(api) ? '{token}' : 'null'}` },
    ...plain.map((parameter) => ({
      how: `the parameter ${parameter.length > 60 ? `${parameter.slice(0, 2)} of ${parameter.length} characters` : parameter}`,
      parameter,
    })),
  ];
}

const isPrivate = (api: CheckApi): boolean =>
  api.trusted || isLoopback(new URL(api.variable('TARGET_BASE_URL') ?? 'http://unknown.invalid').hostname);

function fields({ contract }: CheckApi, { scope, documentsBody }: Operation, person: string): readonly Influence[] {
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
  return values.map(([name, value]) => ({ how: `the body field ${name}`, field: [name, value] }));
}
