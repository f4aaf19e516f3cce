import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inapplicable } from './check-row.ts';
import { isConfigurationError } from './configuration-error.ts';
import { loadContractFile } from './load-contract.ts';

const SMALL = {
  name: 'name: small',
  credential: 'credential: "X-Api-Key: {token}"',
  operations:
    'operations: { list: { request: GET /list, needs: read }, find: { request: POST /find, harmless: true } }',
  kinds: 'kinds: { KEY: { made: "Settings, Keys", never: { expired: a key has no date } } }',
};

/** Loads a contract with these lines instead of those of the small one, and with more lines. A document lies beside it. */
function read(lines: Readonly<Partial<typeof SMALL>> = {}, ...more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'small.yaml');
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n');
  writeFileSync(file, [...Object.values({ ...SMALL, ...lines }), ...more].join('\n'));
  return loadContractFile(file);
}

describe('a contract that stands alone', () => {
  test('never loses a requirement: what it cannot decide is excluded with the reason', async () => {
    const { requirements } = await read();
    const excludedOf = (id: string) => requirements.find((one) => one.id === id)?.excluded;
    expect(excludedOf('token.expired')).toBe('a key has no date');
    expect(excludedOf('act-as.unknown')).toBe('this contract has no acting as somebody');
    expect(excludedOf('token.unknown')).toBeUndefined();
  });

  test('replaces a rule with a reason, or leaves it open', async () => {
    const { rules } = await read(
      {},
      'rules:',
      '  token.unknown: { expect: 403, reason: the gateway answers so }',
      '  token.tampered: { silenced: the gateway answers as it likes }',
    );
    const ruleOf = (wanted: string) => rules.refusals.find(({ id }) => id === wanted);
    expect(ruleOf('token.unknown')).toMatchObject({ outcome: [{ status: 403 }], reason: 'the gateway answers so' });
    expect(ruleOf('token.tampered')).toMatchObject({ silent: 'the gateway answers as it likes' });
  });

  test('names no status in a requirement, so that none contradicts its rule', async () => {
    const { requirements } = await read(
      {},
      'rules: { token.unknown: { expect: 403, reason: the gateway answers so } }',
    );
    const own = requirements.filter(({ id, excluded }) => excluded === undefined && !id.startsWith('rfc.'));
    expect(own.filter(({ text = '' }) => /\b[1-5]\d\d\b/.test(text.replace(/RFC \d+ [\d.]+/g, '')))).toEqual([]);
  });

  test('tries what a request may carry besides its token, wherever that stands', async () => {
    for (const credential of ['credential: "X-Api-Key: {token}"', 'credential: { query: key }']) {
      const contract = await read({ credential });
      const has = (id: string) => contract.checks.some((check) => check.id === id && !inapplicable(contract, check));
      const ids = [
        'influences',
        'side-doors',
        'other-paths',
        'every-time',
        'sequences',
        'tampering',
        'repetition',
        'alteration',
        'grammar',
      ];
      expect(ids.filter((id) => !has(id))).toEqual([]);
    }
  });

  test.each([
    ['an unknown key', {}, 'scope: {}', /line 5: .*unknown key "scope"; did you mean scopes\?/],
    ['an unknown rule', {}, 'rules: { token.unknwon: { silenced: "it is so" } }', /did you mean token\.unknown\?/],
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
    ['a document that is not there', {}, 'openapi: nothing.yaml', /line 5: openapi: there is no file nothing\.yaml/],
    [
      'braces in a line of braces, with nothing that follows from it',
      { operations: 'operations: { list: { request: GET /list/{id}, needs: read } }' },
      '',
      /^ConfigurationError: [^\n]*line 3: [^\n]*$/,
    ],
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
    ['an operationId without a document', { operations: 'operations: { find: { is: findAll } }' }, '', /openapi/],
  ])('refuses %s, and says where and what to do', async (_what, lines, more, problem) => {
    const error = await read(lines, more).catch((thrown: unknown) => thrown);
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toMatch(problem);
  });
});
