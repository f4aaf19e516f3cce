import type { Aim, Call, CheckAnswer, CheckApi, RawCall } from '../../../harness/checks/check.ts';
import { ACT_AS, type HeaderLines, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { credentialLine, parameterOf, tokenIn, withParameter } from '../../../harness/plan/request.ts';
import type { Route } from '../../../harness/send/routes.ts';
import type { Variation } from '../../variations/variation.ts';
import { PATIENCE_MS } from './confirm.ts';
import { curlRequest, type Draft, entriesOf, hasCurlLine, type Line, textOf } from './written-request.ts';

/** A request to an operation, as it is documented. */
export interface Base {
  readonly credential: Credential | undefined;
  /** As in a call. */
  readonly authorization?: string | null | undefined;
  readonly headers: readonly Line[];
  /** The message that has the fields inside, and those of its example. By default the fields are the body. */
  readonly message?: { readonly fields: object; readonly around: (fields: object) => object } | undefined;
}

export interface Varied extends Aim {
  readonly base: Base;
  readonly variations: readonly Variation[];
  /** Fields of the body instead of those of the example. */
  readonly fields?: object;
  readonly finds?: string | undefined;
  /** Whether it is sent though this run has an answer to it. By default it is. */
  readonly isAnew?: boolean;
}

export function sendVaried(api: CheckApi, operation: Operation, varied: Varied): Promise<CheckAnswer> {
  const { base, variations, fields: _fields, isAnew = true, ...aim } = varied;
  const { credential } = base;
  const draft = draftOf(api, operation, varied);
  const { path, type, body, lines, authorization } = draft;
  const isElsewhere = variations.some(({ kind }) => kind === 'method' || kind === 'path');
  // An HTTP client would tidy up what is odd.
  if (
    !isElsewhere &&
    (type === operation.contentType || body === undefined) &&
    !variations.some(({ isRaw }) => isRaw)
  ) {
    const query = path.slice(operation.path.length);
    const usual =
      credential && authorization === credentialLine(api.contract, credential.token) ? undefined : authorization;
    const route = routeOf(variations);
    const call: Call = { operation, credential, authorization: usual, headers: lines, query, body, route, ...aim };
    return isAnew ? api.call(call) : api.callOnce(call, 'same body');
  }
  const transports = variations.flatMap(({ kind, name }) => (kind === 'transport' ? [name] : []));
  const { authorization: carrier } = api.contract.matrix.headers;
  const whole = carried(draft, carrier);
  const text = textOf(whole, transports);
  const curl: RawCall['curl'] = (write) =>
    hasCurlLine(transports) ? write(curlRequest(whole, transports), credential) : '';
  // Many servers never answer another path or method.
  return api.raw({ operation, text, curl, ...(isElsewhere && { patienceMs: PATIENCE_MS }), ...aim });
}

/** A way to the target is sent alone. */
function routeOf([first]: readonly Variation[]): Route | undefined {
  if (first?.kind !== 'route') return undefined;
  return first.name === 'address' ? { address: String(first.value) } : { protocol: 'h2' };
}

function draftOf(api: CheckApi, { method, path, example, contentType }: Operation, varied: Varied): Draft {
  const { base, fields = base.message?.fields ?? example } = varied;
  const variations = varied.variations.flatMap(whereItStands);
  const { headers } = api.contract.matrix;
  const written = base.credential?.token;
  const { authorization: plain = written === undefined ? null : credentialLine(api.contract, written) } = base;
  const token = written ?? (plain === null ? api.unknownToken : tokenIn(api.contract, plain));
  // In parameters, placeholders are percent-encoded.
  const fillText = (text: string) =>
    text.replaceAll('{token}', token).replaceAll('%7Btoken%7D', encodeURIComponent(token));
  const fill = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_name, one) => (typeof one === 'string' ? fillText(one) : one));
  const all = (kind: Variation['kind']) => variations.filter((one) => one.kind === kind);
  const [[other], [type]] = [all('method'), all('content-type')];
  const query = all('query').map(({ value }) => ({ query: value }))[0];
  const fieldsIn = (side: Variation['place']) =>
    Object.fromEntries(all('field').flatMap(({ name, value, place }) => (place === side ? [[name, fill(value)]] : [])));
  const own = { ...fields, ...fieldsIn(undefined), ...query };
  const message = base.message?.around(own) ?? own;
  // What stands before it in a batch.
  const body = Array.isArray(type?.value) ? [...type.value, message] : message;
  const isInQuery = other?.value === 'query';
  const hasBody = !isInQuery && (fields !== undefined || Object.keys(body).length > 0);
  const parameters = [
    ...(isInQuery ? [new URLSearchParams(entriesOf(body)).toString()].filter((text) => text !== '') : []),
    ...all('parameter').map(({ name, value }) => `${name}${value === '' ? '' : `=${String(fill(value))}`}`),
  ];
  const named = [...all('person'), ...all('acting')].flatMap(({ value }) => [value].flat());
  const lines: readonly Line[] = [
    ...all('header').flatMap(({ name, value }): readonly Line[] =>
      value === null ? [] : [[name, String(fill(value))]],
    ),
    ...all('auth-type').map(({ name }): Line => [headerOf(api.contract, 'auth-type').name, name]),
    ...named.map((line): Line => [headerOf(api.contract, ACT_AS).name, String(line)]),
    ...variations.flatMap(({ lines }) => lines),
  ];
  const replaced = new Set(
    [...all('header').map(({ name }) => name), ...lines.map(([name]) => name)].map((name) => name.toLowerCase()),
  );
  const cookies = all('cookie').map(({ name, value }) => `${name}=${String(fill(value))}`);
  const line = all('authorization').map(({ value }) => String(fill(value)))[0];
  return {
    method: other?.name ?? method,
    path: `${all('path').map(({ value }) => String(value))[0] ?? path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
    name: headers.authorization.name,
    authorization: base.authorization === null ? null : (line ?? plain),
    lines: [
      ...base.headers.filter(([name]) => !replaced.has(name.toLowerCase())),
      ...lines,
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
    ],
    type: hasBody ? (type?.name ?? contentType) : '',
    body: hasBody ? body : undefined,
    beside: [fieldsIn('before'), fieldsIn('behind')],
    as: String(type?.value ?? 'json'),
    trailers: trailersFor(api),
  };
}

/** X-Service-ActAs and X-Service-Auth-Type. No server may read them there as if they were header lines (RFC 9110 6.5.1). */
function trailersFor({ contract, people }: CheckApi): readonly Line[] {
  return contract.headers.flatMap((dimension): Line[] => {
    const { name, lines } = headerOf(contract, dimension);
    const [line] = dimension === ACT_AS ? [people.actAs] : (lines['OAUTH'] ?? []);
    return line === undefined ? [] : [[name, line]];
  });
}

/** The draft with its token in the query, if the contract carries it there. */
function carried(draft: Draft, carrier: HeaderLines): Draft {
  const { path, authorization } = draft;
  if (carrier.in !== 'query' || authorization === null) return draft;
  return { ...draft, path: withParameter(path, parameterOf(carrier, authorization)), authorization: null };
}

/** A token elsewhere is a header, a cookie, a parameter or a field. */
function whereItStands(one: Variation): readonly Variation[] {
  const { place, ...plain } = one;
  switch (place) {
    case undefined:
      return [one];
    case 'before':
    case 'behind':
      return [{ ...one, kind: 'field' }];
    case 'form':
      return [
        { ...plain, kind: 'field' },
        { ...plain, kind: 'content-type', name: FORM_TYPE, value: 'form' },
      ];
    default:
      return [{ ...plain, kind: place }];
  }
}
const FORM_TYPE = 'application/x-www-form-urlencoded';
