import { didYouMean } from './configuration-error.ts';
import { allDescribed, type Described } from './named-operations.ts';
import { METHODS, type OpenApiDocument, type SecurityScheme } from './openapi-document.ts';

export interface Secured {
  readonly described: Described;
  readonly scheme: string;
  /** That scheme, and those of the alternatives that are sent in the same way. No other kind reaches it. */
  readonly schemes: readonly string[];
  readonly needs: readonly string[];
  /** The schemes that it needs beside that one. */
  readonly beside: readonly string[];
  /** The other alternatives of its security, in words. A contract has no choice. */
  readonly others: readonly string[];
  /** Which of its scopes the scheme does not offer, though it offers others, in words. */
  readonly strange: readonly string[];
}

/**
 * How an operation is secured: the first alternative that is one scheme with a token, or else the first with one. Not at all if
 * it may be asked without, or if a contract has not its method.
 */
export function securedBy(document: OpenApiDocument, described: Described): readonly Secured[] {
  const { securitySchemes: schemes = {} } = document.components ?? {};
  const security = securityOf(document, described);
  if (isOpen(security) || !METHODS.some((method) => method === described.method)) return [];
  const found = security.flatMap((alternative) => {
    const all = Object.entries(alternative);
    const [scheme, needs] = all.find(([name]) => carrierOf(schemes[name])) ?? [];
    const beside = all.flatMap(([name]) => (name === scheme ? [] : [name])).sort();
    return scheme === undefined ? [] : [{ alternative, scheme, needs: needs ?? [], beside }];
  });
  const first = found.find(({ beside }) => beside.length === 0) ?? found[0];
  if (!first) return [];
  const { scheme, needs, beside } = first;
  const alike = ({ needs, beside }: typeof first) => `${[...needs].sort()} ${beside}`;
  const sent = found.filter((one) => carrierOf(schemes[one.scheme]) === carrierOf(schemes[scheme]));
  const same = sent.filter((one) => alike(one) === alike(first)).map(({ alternative }) => alternative);
  const others = security.filter((one) => !same.includes(one)).map(inWords);
  const own = sent.filter((one) => `${one.beside}` === `${beside}`).map((one) => one.scheme);
  const offered = offeredBy(schemes[scheme]);
  const strange = offered.length === 0 ? [] : needs.filter((scope) => !offered.includes(scope));
  return [
    {
      ...{ described, scheme, schemes: [...new Set(own)], needs, beside, others },
      strange: strange.map((scope) => `${scheme} offers no scope ${scope}${didYouMean(scope, offered)}`),
    },
  ];
}

const offeredBy = ({ flows = {} }: SecurityScheme = {}): readonly string[] =>
  Object.values(flows).flatMap(({ scopes = {} }) => Object.keys(scopes));

/** The scopes that a document names: in the flows of its schemes, and where something needs them. */
export function declaredScopes(document: OpenApiDocument): readonly string[] {
  const schemes = Object.values(document.components?.securitySchemes ?? {});
  const offered = schemes.flatMap(offeredBy);
  const needed = [document, ...allDescribed(document).map(({ definition }) => definition)];
  const alternatives = needed.flatMap(({ security = [] }) => security);
  return [...new Set([...offered, ...alternatives.flatMap((alternative) => Object.values(alternative).flat())])];
}

const securityOf = ({ security = [] }: OpenApiDocument, { definition }: Described) => definition.security ?? security;
type Security = ReturnType<typeof securityOf>;

/** Whether nothing, or an alternative without a scheme, is enough. */
const isOpen = (security: Security): boolean =>
  security.length === 0 || security.some((alternative) => Object.keys(alternative).length === 0);

/** `oauth with read and write` */
const inWords = (alternative: Security[number]): string =>
  Object.entries(alternative)
    .map(([name, needs]) => (needs.length > 0 ? `${name} with ${needs.join(' and ')}` : name))
    .join(' beside ');

/** Why an operation of a document is no operation of the contract. */
export function whyUnasked(document: OpenApiDocument, described: Described): string {
  if (described.method === 'head') return 'is tried beside GET';
  const security = securityOf(document, described);
  if (isOpen(security)) return 'needs no token';
  if (!METHODS.some((method) => method === described.method)) return 'has a method that no operation of a contract has';
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  const unknown = security.flatMap((one) => Object.keys(one)).find((name) => !schemes.includes(name));
  const why =
    unknown === undefined
      ? 'no line or parameter carries that'
      : `the document has no security scheme ${unknown}${didYouMean(unknown, schemes)}`;
  return `needs ${security.map(inWords).join(' or ')}, and ${why}`;
}

/** What carries the token of a scheme, as a contract writes it. Undefined if it is no token in a line or a parameter. */
export function carrierOf({ type, scheme = '', in: where, name = '' }: SecurityScheme = {}): string | undefined {
  switch (type) {
    case 'oauth2':
    case 'openIdConnect':
      return BEARER;
    case 'http':
      if (/^basic$/i.test(scheme)) return BASIC;
      return /^bearer$/i.test(scheme) ? BEARER : undefined;
    case 'apiKey':
      if (!/^[\w.-]+$/.test(name)) return undefined;
      if (where === 'header') return quoted(`${name}: {token}`);
      if (where === 'cookie') return quoted(`Cookie: ${name}={token}`);
      return where === 'query' ? `{ query: ${quoted(name)} }` : undefined;
    default:
      return undefined;
  }
}
const BEARER = '"Authorization: Bearer {token}"';
const BASIC = '"Authorization: Basic {token}" # a token is the base64 of a name, a colon and a password (RFC 7617 2)';

export const requestOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

/** A text as YAML, which takes every JSON string. */
export const quoted = (text: string): string => JSON.stringify(text);
