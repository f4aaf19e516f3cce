import { basename } from 'node:path';
import { configurationError } from './configuration-error.ts';
import { allDescribed, type Described, exampleOf, filledPath } from './named-operations.ts';
import type { OpenApiDocument, SecurityScheme } from './openapi.ts';

/** An operation, the scheme of its token and the scopes that it needs. */
interface Secured {
  readonly described: Described;
  readonly scheme: string;
  readonly needs: readonly string[];
}

/**
 * A contract for an OpenAPI document, in YAML: its operations with their scopes, and a kind of token for each security scheme
 * that its operations need. What a person must decide is marked in place.
 * @param file the document, which lies beside the contract.
 * @throws a configuration error if no operation needs a token that a line or a parameter carries.
 */
export function firstContract(document: OpenApiDocument, file: string) {
  const { securitySchemes: schemes = {} } = document.components ?? {};
  const all = allDescribed(document).flatMap((described) => securedBy(document, described));
  const credential = carrierOf(schemes[all[0]?.scheme ?? '']);
  if (credential === undefined)
    throw configurationError(
      `${file}: wanted an operation whose security names a scheme with a token (http bearer, oauth2, openIdConnect, or apiKey in a header or the query), found none`,
    );
  const isSame = ({ scheme }: Secured) => carrierOf(schemes[scheme]) === credential;
  const [operations, others] = [all.filter(isSame), all.filter((one) => !isSame(one))];
  const kinds = [...new Set(operations.map(({ scheme }) => scheme))];
  const name = wordOf(document.info?.title ?? '', '-') || 'first';
  const written = operationLines(operations);
  const isNamed = written.some((line) => /^ *[\w-]+: \{ is: /.test(line));
  const lines = [
    `# A first contract for ${basename(file)}. Decide what is marked, and then run: init --contract, plan --contract, run --contract.`,
    '# docs/contracts-of-your-own.md says what each key means; specs/schemas/contract.schema.json says it to editors.',
    `name: ${name}`,
    // A document that no operation names is refused. Those that are comments may name it later.
    `${isNamed ? '' : '# '}openapi: ${quoted(basename(file))}`,
    `credential: ${credential}`,
    '# decide: how people are named, if not by their email; LOGIN gives the variables USER_LOGIN and so on',
    '# people: LOGIN',
    '',
    'operations:',
    ...written,
    ...others.map(({ described, scheme }) => `  # ${requestOf(described)} needs ${scheme}, which is sent otherwise`),
    '',
    'kinds: # decide: what the tokens of each are never or never have, such as { never: { expired: they have no date } }',
    ...kinds.map(
      (kind) => `  ${wordOf(kind, '_').toUpperCase()}: { made: ${quoted(madeBy(kind, schemes[kind]))} } # decide: how`,
    ),
    '',
    '# decide: whether a token can act as another person, and which operation shows whom a request runs as',
    '# acting: { header: X-Act-As, by: KIND, is: optional }',
    '# identity: { operation: me, pointer: /login }',
    '',
  ];
  return { name, text: lines.join('\n') };
}

/** How an operation is secured: the first alternative that is one scheme with a token. */
function securedBy(document: OpenApiDocument, described: Described): readonly Secured[] {
  const { securitySchemes: schemes = {} } = document.components ?? {};
  const { security = document.security ?? [] } = described.definition;
  const found = security.flatMap((alternative) => {
    const [[scheme, needs] = ['', []], ...more] = Object.entries(alternative);
    return more.length === 0 && carrierOf(schemes[scheme]) ? [{ described, scheme, needs }] : [];
  });
  return found.slice(0, 1);
}

/** What carries the token of a scheme, as a contract writes it. Undefined if it is no token in a line or a parameter. */
function carrierOf({ type, scheme = '', in: where, name = '' }: SecurityScheme = {}): string | undefined {
  switch (type) {
    case 'oauth2':
    case 'openIdConnect':
      return BEARER;
    case 'http':
      return /^bearer$/i.test(scheme) ? BEARER : undefined;
    case 'apiKey':
      if (where === 'header') return quoted(`${name}: {token}`);
      return where === 'query' ? `{ query: ${quoted(name)} }` : undefined;
    default:
      return undefined;
  }
}
const BEARER = '"Authorization: Bearer {token}"';

/**
 * Operations that change nothing are asked. The others are written as comments: each request is sent often, and only a person
 * knows whether that does harm. If there are no others, those with an example of their body are asked.
 */
function operationLines(operations: readonly Secured[]): readonly string[] {
  const isPlain = ({ method, definition }: Described) => method === 'get' && queriesOf(definition).length === 0;
  const isSome = operations.some(({ described }) => isPlain(described));
  const used = new Set<string>();
  const idOf = ({ described: { definition, method, path } }: Secured) => {
    const word = wordOf(definition.operationId ?? `${method} ${path}`, '-');
    const own = /^[a-z]/.test(word) ? word : `operation-${word}`;
    const id = [own, ...operations.map((_one, at) => `${own}-${at + 2}`)].find((one) => !used.has(one)) ?? own;
    used.add(id);
    return id;
  };
  return operations.map((one) => {
    const { described, needs } = one;
    const { definition, method } = described;
    const { missing } = filledPath(described);
    const queries = queriesOf(definition);
    const values = Object.fromEntries(missing.map((name) => [name, 1]));
    const { filled } = filledPath(described, { path: values });
    const own = definition.operationId;
    const keys = [
      own === undefined ? `request: ${quoted(requestOf({ ...described, path: filled }))}` : `is: ${quoted(own)}`,
      ...(needs.length > 0 ? [`needs: [${needs.map(quoted).join(', ')}]`] : []),
      ...(own !== undefined && missing.length > 0 ? [`path: ${JSON.stringify(values)}`] : []),
    ];
    const decide = [
      ...(method === 'get' ? [] : [`${method.toUpperCase()} is sent often: add harmless: true if it changes nothing`]),
      ...(missing.length > 0 ? ['which one exists'] : []),
      ...(queries.length > 0 ? [`it needs the parameter ${queries.join(' and ')}`] : []),
    ];
    const hasBody = exampleOf(definition.requestBody?.content?.['application/json']) !== undefined;
    const isLeftOut = isSome ? !isPlain(described) : queries.length > 0 || !(own !== undefined && hasBody);
    const line = `${isLeftOut ? '# ' : ''}${idOf(one)}: { ${keys.join(', ')} }`;
    return `  ${line}${decide.length > 0 ? ` # decide: ${decide.join('; ')}` : ''}`;
  });
}

/** The parameters of the query that must be there. A contract has none. */
function queriesOf({ parameters = [] }: Described['definition']): readonly string[] {
  return parameters.flatMap(({ in: where, required, name }) => (where === 'query' && required && name ? [name] : []));
}

const requestOf = ({ method, path }: Described): string => `${method.toUpperCase()} ${path}`;

function madeBy(name: string, { description = '' }: SecurityScheme = {}): string {
  const [sentence = ''] = description.trim().split('\n');
  return sentence.length >= 5 ? sentence : `a token of the security scheme ${name}`;
}

/** A name in lower case, its words joined: `list-pets` of `listPets`. */
function wordOf(text: string, joint: '-' | '_'): string {
  const words = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[a-z\d]+/gi) ?? [];
  return words.join(joint).toLowerCase();
}

/** A text as YAML, which takes every JSON string. */
const quoted = (text: string): string => JSON.stringify(text);
