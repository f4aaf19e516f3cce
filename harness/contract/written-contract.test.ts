import { describe, expect, test } from 'vitest';
import { read } from '../testing/small-contract.ts';
import { isConfigurationError } from './configuration-error.ts';

describe('a contract that stands alone', () => {
  test.each([
    ['an unknown key', {}, 'scope: {}', /line 5: .*unknown key "scope"; did you mean scopes\?/],
    ['the name of ours', { name: 'name: client-api' }, '', /line 1: name: client-api is the contract/],
    ['an unknown rule', {}, 'rules: { token.unknwon: { silenced: "it is so" } }', /did you mean token\.unknown\?/],
    [
      'a text with a comma, without quotes',
      {},
      'rules: { token.unknown: { silenced: Basic is taken, too } }',
      /line 5: .*unknown key "too" without a value; a comma inside \{ \} begins another key/,
    ],
    [
      'a requirement as a rule',
      {},
      'rules: { authorization.required: { expect: 403, reason: "it is so" } }',
      /line 5: rules: unknown rule authorization\.required; that is a requirement, and its rule is authorization\.absent/,
    ],
    [
      'a rule of what it has not',
      {},
      'rules: { act-as.unknown: { expect: 404, reason: "it is so" } }',
      /concerns nothing/,
    ],
    [
      'a rule that changes nothing',
      {},
      'rules: { token.unknown: { expect: 401, reason: "it is so" } }',
      /expects that anyway/,
    ],
    ['an unknown operation', {}, 'identity: { operation: lst, pointer: /login }', /lst.*did you mean list\?/],
    ['a document that nothing uses', {}, 'openapi: api.yaml', /line 5: openapi: no operation is one of the document/],
    ['a scope that nothing uses', {}, 'scopes: { write: { wire: "list:write" } }', /write/],
    ['a POST that may do harm', { operations: 'operations: { find: { request: POST /find } }' }, '', /harmless: true/],
    [
      'a line without a token',
      { credential: 'credential: "X-Key: TOKEN"' },
      '',
      /line 2: .*"X-Key: TOKEN", wanted a text such as/,
    ],
    [
      'a misspelt place of the token',
      { credential: 'credential: { querry: key }' },
      '',
      /line 2: .*did you mean query\?/,
    ],
    [
      'scopes of another type',
      { operations: 'operations: { list: { request: GET /list, needs: 7 } }' },
      '',
      /line 3: .*needs is 7, wanted something such as read/,
    ],
    [
      'a rule without a reason',
      {},
      'rules: { token.unknown: { expect: 403 } }',
      /line 5: .*token\.unknown lacks "reason"/,
    ],
    [
      'a rule of two minds',
      {},
      'rules: { token.unknown: { expect: 403, reason: "it is so", silenced: "it is so" } }',
      /line 5: .*unknown key "silenced"/,
    ],
    [
      'a misspelt way to leave a rule open',
      {},
      'rules: { token.unknown: { silnced: "it is so" } }',
      /line 5: .*unknown key "silnced"; did you mean silenced\?$/,
    ],
    [
      'a status that is a text',
      {},
      'rules: { token.unknown: { expect: "403", reason: "it is so" } }',
      /line 5: .*is "403", wanted something such as 403/,
    ],
    [
      'an identity of two minds',
      {},
      'identity: { operation: list, pointer: /login, none: "it is so" }',
      /line 5: .*unknown key "none"/,
    ],
    [
      'a misspelt validity',
      { kinds: 'kinds: { KEY: { made: "Settings", never: { expird: "no date" } } }' },
      '',
      /line 4: .*has the unknown key "expird".*did you mean expired\?/,
    ],
    ['a reason that is short', {}, 'identity: { none: "no" }', /line 5: .*none has fewer than 5 characters/],
    [
      'more operations than a run can ask',
      { operations: `operations: {${Array.from({ length: 101 }, (_one, at) => ` o${at}: { request: GET /${at} }`)} }` },
      '',
      /line 3: operations: 101 of them, wanted at most 100.*write the others as comments/,
    ],
    ['a document that is not there', {}, 'openapi: nothing.yaml', /line 5: openapi: there is no file nothing\.yaml/],
    [
      'braces in a line of braces, with nothing that follows from it',
      { operations: 'operations: { list: { request: GET /list/{id}, needs: read } }' },
      '',
      /^ConfigurationError: [^\n]*line 3: [^\n]*$/,
    ],
    ['a query', { operations: 'operations: { a: { request: get /a?b=1 } }' }, '', /in capitals.*without host, query/],
    [
      'the rule of one operation',
      {},
      'rules: { scope.list: { expect: 404, reason: "it is so" } }',
      /line 5: .*a requirement, and its rule is scope\.missing/,
    ],
    [
      'a header that carries the token',
      {},
      'acting: { header: x-api-key, by: KEY, is: optional }\nidentity: { none: "nobody says" }',
      /line 5: acting: x-api-key carries the token/,
    ],
    ['people who are named like tokens', {}, 'people: TOKEN', /line 5: people: TOKEN ends the names of tokens/],
    [
      'a scope that is named like a token',
      { operations: 'operations: { list: { request: GET /list, needs: expired } }' },
      '',
      /line 3: .*KEY_TOKEN_EXPIRED/,
    ],
    [
      'two names of one scope',
      { operations: 'operations: { list: { request: GET /list, needs: [read, see] } }' },
      'scopes: { read: { wire: "list:read" }, see: { wire: "list:read" } }',
      /line 5: scopes: read and see are one scope for the server, list:read/,
    ],
    [
      'values of a path without a document',
      { operations: 'operations: { list: { request: GET /list, path: { id: 7 } } }' },
      '',
      /line 3: .*write the values into request/,
    ],
    [
      'a kind that no operation names',
      { operations: 'operations: { list: { request: GET /list, by: KEYS } }' },
      '',
      /line 3: operations: list: unknown kind KEYS; did you mean KEY\?/,
    ],
    [
      'kinds that are all of them',
      { operations: 'operations: { list: { request: GET /list, by: KEY } }' },
      '',
      /line 3: operations: list: every kind reaches it anyway; remove by/,
    ],
    [
      'a kind that reaches nothing',
      {
        operations: 'operations: { list: { request: GET /list, by: KEY } }',
        kinds: 'kinds: { KEY: { made: "Settings" }, NEW: { made: "Settings" } }',
      },
      '',
      /line 4: kinds: NEW reaches no operation/,
    ],
    [
      'a kind that is named like a person',
      { kinds: 'kinds: { ACT_AS: { made: "Settings" } }' },
      '',
      /line 4: kinds: ACT_AS begins the variable of another person/,
    ],
    [
      'a holding of a scope that nothing needs',
      { kinds: 'kinds: { KEY: { made: "Settings", never: { "only:reed": "nobody has it" } } }' },
      '',
      /line 4: kinds: KEY: no operation needs reed; did you mean read\?/,
    ],
    [
      'a line that every request has',
      { credential: 'credential: "Content-Type: {token}"' },
      '',
      /line 2: credential: every request has a line Content-Type anyway/,
    ],
    [
      'its own header as another one',
      {},
      'alternatives: [x-api-key]',
      /line 5: alternatives: x-api-key has its own line/,
    ],
    [
      'an identity in a word',
      {},
      'identity: none',
      /line 5: \/identity is "none", wanted something such as \{"operation":"me"/,
    ],
    [
      'a rule in a number',
      {},
      'rules: { token.unknown: 403 }',
      /line 5: .*is 403, wanted something such as \{"expect":403/,
    ],
    [
      'an operation in a text, with nothing that follows from it',
      { operations: 'operations: { list: GET /list }' },
      '',
      /^ConfigurationError: [^\n]*line 3: \/operations\/list is "GET \/list", wanted keys with values$/,
    ],
    [
      'a name in capitals',
      { operations: 'operations: { listAll: { request: GET /list } }' },
      '',
      /line 3: \/operations has the key "listAll", wanted a name such as list-tickets/,
    ],
    [
      'refusals that are successes',
      {},
      'rules: { token.unknown: { expect: [200, 401], reason: "the body says ok: false" } }',
      /line 5: rules: token\.unknown would expect a success/,
    ],
    [
      'that who acts as nobody is let in',
      {},
      'acting: { header: X-As, by: KEY, is: optional }\nidentity: { none: "nobody says" }\nrules: { act-as.unknown: { expect: 200, reason: "it is ignored" } }',
      /line 7: rules: act-as\.unknown would expect a success/,
    ],
    [
      'refusals that a run never judges',
      {},
      'rules: { token.unknown: { expect: [401, 429], reason: "too many" } }',
      /line 5: rules: token\.unknown would expect 401 or 429; a run sends again what gets 408, 423, 429, and never/,
    ],
    ['a line without quotes', { credential: 'credential: X-Key: {token}' }, '', /line 2: .*needs quotes/],
    [
      'scopes in one text',
      { operations: 'operations: { list: { request: GET /list, needs: read write } }' },
      '',
      /line 3: .*needs is "read write", wanted a text such as read or tickets:read/,
    ],
    [
      'another cookie after the token',
      { credential: 'credential: "Cookie: sid={token}; theme=dark"' },
      '',
      /line 2: credential: another cookie stands after the token/,
    ],
    ['a long line without a token', { credential: `credential: "X-Key: ${'a'.repeat(200)}"` }, '', /line 2: /],
    [
      'a merge of a number',
      { operations: 'operations: { list: { <<: 7, request: GET /list } }' },
      '',
      /line 3: << wants an alias of keys with values/,
    ],
    ['an alias of nothing', { kinds: 'kinds: { KEY: *key }' }, '', /line 4: nothing before \*key is its anchor/],
    ['a tag', { name: 'name: !env NAME' }, '', /line 1: .*!env; write the value without a tag/],
    ['two documents', {}, '---\nname: other', /line 5: [^;]*; keep one$/],
    ['an operationId without a document', { operations: 'operations: { find: { is: findAll } }' }, '', /openapi/],
  ])('refuses %s, and says where and what to do', async (_what, lines, more, problem) => {
    const error = await read(lines, more).catch((thrown: unknown) => thrown);
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toMatch(problem);
  });
});
