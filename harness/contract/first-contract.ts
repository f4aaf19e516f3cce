import { basename } from 'node:path';
import { given } from './collections.ts';
import { configurationError } from './configuration-error.ts';
import { scopeInName } from './holdings.ts';
import { allDescribed, filledPath, isNoSuccess, requiredIn } from './named-operations.ts';
import type { OpenApiDocument, SecurityScheme } from './openapi-document.ts';
import { installedAs } from './package-files.ts';
import { carrierOf, quoted, requestOf, type Secured, securedBy, whyUnasked } from './secured-operations.ts';
import { visible } from './visible-text.ts';
import { MOST_OPERATIONS, OF_OTHERS, OF_TOKENS } from './written-contract.ts';

/**
 * A contract for an OpenAPI document, in YAML: its operations with their scopes, and a kind of token for each security scheme
 * that its operations need. What a person must decide is marked in place.
 * @param file the document, which lies beside the contract.
 * @throws a configuration error if no operation needs a token that a line or a parameter carries.
 */
export function firstContract(document: OpenApiDocument, file: string) {
  const { securitySchemes: schemes = {} } = document.components ?? {};
  const described = allDescribed(document);
  const all = described.flatMap((one) => securedBy(document, one));
  const unasked = described.filter((one) => !all.some((secured) => secured.described === one));
  const credential = carrierOf(schemes[all[0]?.scheme ?? '']);
  if (credential === undefined)
    throw configurationError(
      `${file}: wanted an operation whose security names a scheme with a token (http bearer or basic, oauth2, openIdConnect, or apiKey in a header, a cookie or the query), found none${unasked[0] ? ` (${requestOf(unasked[0])} ${whyUnasked(document, unasked[0])})` : ''}; name one in the document, or write the contract by hand`,
    );
  // Of an address, what follows its host. A relative one has none.
  const below = visible(document.servers?.[0]?.url ?? '').replace(/^\w+:\/\/[^/]*/, '');
  const isSame = ({ scheme }: Secured) => carrierOf(schemes[scheme]) === credential;
  const [operations, others] = [all.filter(isSame), all.filter((one) => !isSame(one))];
  const allSchemes = operations.flatMap(({ schemes }) => schemes);
  const kinds = namesFor(allSchemes, kindNamed);
  const allScopes = operations.flatMap(({ needs }) => needs);
  const scopes = namesFor(allScopes, scopeNamed);
  const renamed = [...scopes].filter(([scope, name]) => scope !== name);
  const name = wordOf(document.info?.title ?? '', '-').slice(0, LONGEST) || 'first';
  const planned = operationLines(operations, scopes, credential);
  // A kind that only comments need would reach no operation.
  const reaching = new Set(planned.flatMap(({ isAsked, schemes }) => (isAsked ? schemes : [])));
  const written = planned.map(({ isAsked, id, keys, schemes, decide }) => {
    const isBarring = [...reaching].some((scheme) => !schemes.includes(scheme));
    const by = isBarring ? [`by: [${schemes.map((scheme) => kinds.get(scheme)).join(', ')}]`] : [];
    return `  ${isAsked ? '' : '# '}${id}: { ${[...keys, ...by].join(', ')} }${decide.length > 0 ? ` # decide: ${decide.join('; ')}` : ''}`;
  });
  const asked = written.filter((line) => !/^ *#/.test(line));
  // If all are comments, a person takes one of them.
  const likely = asked.length > 0 ? asked : written;
  const isNamed = likely.some((line) => /^[ #]*[\w-]+: \{ is: /.test(line));
  // A scope that only comments need is refused.
  const comment = (own: string) => (likely.some((line) => line.includes(quoted(own))) ? '' : '# ');
  const isScoped = renamed.some(([, own]) => comment(own) === '');
  const lines = given([
    `# A first contract for ${basename(file)}. Decide what is marked, and then run: ${installedAs} init --contract ${name}.contract.yaml`,
    '# docs/contracts-of-your-own.md says what each key means; specs/schemas/contract.schema.json says it to editors.',
    `name: ${name}`,
    // A document that no operation names is refused. Those that are comments may name it later.
    `${isNamed ? '' : '# '}openapi: ${quoted(basename(file))}`,
    `credential: ${credential}`,
    /^"authorization: \{token\}"$/i.test(credential) &&
      '# decide: the word before the token, as in "Authorization: Token {token}", unless there is none',
    !/^\/*$/.test(below) && `# decide: TARGET_BASE_URL ends with ${below}, where the servers of the document begin`,
    '# decide: how people are named, if not by their email; LOGIN gives the variables USER_LOGIN and so on',
    '# people: LOGIN',
    '',
    `operations:${asked.length > 0 ? '' : ' # decide: take the # from one that a run may send hundreds of times'}`,
    ...written,
    ...others.map(({ described, scheme }) => `  # ${requestOf(described)} needs ${scheme}, which is sent otherwise`),
    ...unasked.map((one) => `  # ${requestOf(one)} ${whyUnasked(document, one)}`),
    '',
    renamed.length > 0 &&
      `${isScoped ? '' : '# '}scopes: # what the server calls them, where that is no name for a variable`,
    ...renamed.map(([scope, own]) => `  ${comment(own)}${quoted(own)}: { wire: ${quoted(scope)} }`),
    renamed.length > 0 && '',
    'kinds: # decide: what the tokens of each are never or never have, such as { never: { expired: they have no date } }',
    ...[...kinds].map(
      ([scheme, kind]) =>
        `  ${reaching.size === 0 || reaching.has(scheme) ? '' : '# '}${kind}: { made: ${quoted(madeBy(scheme, schemes[scheme]))} } # decide: how`,
    ),
    '',
    '# decide: whether a token can act as another person, and which operation shows whom a request runs as',
    '# acting: { header: X-Act-As, by: KIND, is: optional }',
    '# identity: { operation: me, pointer: /login }',
    '',
  ]);
  return { name, text: lines.join('\n') };
}

const LONGEST = 60;

/** A name for each of these, no two of which are one in the names of variables. */
function namesFor(all: readonly string[], named: (one: string) => string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const one of new Set(all)) {
    const taken = [...names.values()].map(scopeInName);
    const own = named(one);
    const free = [own, ...all.map((_one, at) => `${own}_${at + 2}`)].find((name) => !taken.includes(scopeInName(name)));
    names.set(one, free ?? own);
  }
  return names;
}

function kindNamed(scheme: string): string {
  const word = wordOf(scheme, '_').toUpperCase();
  return /^[A-Z]/.test(word) && !OF_OTHERS.test(word) ? word : ['KIND', word].filter(Boolean).join('_');
}

function scopeNamed(scope: string): string {
  const word = scope.trim().replace(/\s+/g, '-');
  return word === '' || OF_TOKENS.test(scopeInName(word)) ? `scope-${word}` : word;
}

/**
 * Operations that change nothing are asked. The others are written as comments: each request is sent often, and only a person
 * knows whether that does harm.
 */
function operationLines(operations: readonly Secured[], scopes: ReadonlyMap<string, string>, credential: string) {
  const ids = operations.map(({ described: { definition } }) => definition.operationId);
  const used = new Set<string>();
  const paths = new Set<string>();
  const idOf = ({ described: { definition, method, path } }: Secured) => {
    const word = wordOf(definition.operationId ?? `${method} ${path}`, '-');
    const own = /^[a-z]/.test(word) ? word : `operation-${word}`;
    const id = [own, ...operations.map((_one, at) => `${own}-${at + 2}`)].find((one) => !used.has(one)) ?? own;
    used.add(id);
    return id;
  };
  return operations.map((one) => {
    const { described, needs, beside, others, strange } = one;
    const { definition, method, path } = described;
    const { missing } = filledPath(described);
    const [queries = [], headers = [], cookies = []] = (['query', 'header', 'cookie'] as const).map((where) =>
      // What carries the token, a document may name as a parameter too.
      requiredIn(definition, where).filter((name) => carrierOf({ type: 'apiKey', in: where, name }) !== credential),
    );
    const values = Object.fromEntries(missing.map((name) => [name, 1]));
    const { filled } = filledPath(described, { path: values });
    // A name that two operations have names neither.
    const own = ids.filter((id) => id === definition.operationId).length > 1 ? undefined : definition.operationId;
    const keys = given([
      own === undefined ? `request: ${quoted(requestOf({ ...described, path: filled }))}` : `is: ${quoted(own)}`,
      needs.length > 0 && `needs: [${needs.map((scope) => quoted(scopes.get(scope) ?? scope)).join(', ')}]`,
      own !== undefined && missing.length > 0 && `path: ${JSON.stringify(values)}`,
    ]);
    const types = Object.keys(definition.requestBody?.content ?? {});
    const isUnsure = method !== 'get' || isNoSuccess(definition) || /[?#]/.test(path) || queries.length > 0;
    const isTwin = !isUnsure && paths.has(`${method} ${filled}`);
    if (!isUnsure) paths.add(`${method} ${filled}`);
    const isOver = !isUnsure && paths.size > MOST_OPERATIONS;
    const isJson = types.length === 0 || types.some((type) => /json/i.test(type));
    const decide = given([
      isOver && `a contract has at most ${MOST_OPERATIONS} operations`,
      isTwin && `another operation is ${method.toUpperCase()} ${filled} too`,
      ...strange,
      others.length > 0 && `${others.join(' or ')} is enough too, and a contract names one`,
      beside.length > 0 && `it needs ${beside.join(' and ')} too: CONFORMANCE_EXTRA_HEADERS sends headers`,
      isNoSuccess(definition) && 'the document has no 2xx for it, and a contract wants a success',
      method !== 'get' && !isJson && `its body is ${types.join(' or ')}, and a contract sends JSON`,
      method !== 'get' && `${method.toUpperCase()} is sent often: add harmless: true if it changes nothing`,
      missing.length > 0 && 'which one exists',
      queries.length > 0 && `it needs the parameter ${queries.join(' and ')}`,
      headers.length > 0 && `it needs the header ${headers.join(' and ')}: CONFORMANCE_EXTRA_HEADERS`,
      cookies.length > 0 && `it needs the cookie ${cookies.join(' and ')}: CONFORMANCE_EXTRA_HEADERS`,
    ]);
    return { id: idOf(one), isAsked: !(isUnsure || isOver || isTwin), keys, schemes: one.schemes, decide };
  });
}

function madeBy(name: string, { description = '' }: SecurityScheme = {}): string {
  const [line = ''] = description.trim().split('\n');
  const sentence = line.length > LONGEST_WAY ? `${line.slice(0, LONGEST_WAY).replace(/\s+\S*$/, '')} ...` : line;
  return sentence.length >= 5 ? sentence : `a token of the security scheme ${name}`;
}

/** It stands above each token of a `.env`. */
const LONGEST_WAY = 160;

/** A name in lower case, its words joined: `list-pets` of `listPets`. */
function wordOf(text: string, joint: '-' | '_'): string {
  const words = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[a-z\d]+/gi) ?? [];
  return words.join(joint).toLowerCase();
}
