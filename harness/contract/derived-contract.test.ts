import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isConfigurationError } from './configuration-error.ts';
import { loadContractFile } from './load-contract.ts';

const SMALL = {
  name: 'name: small',
  credential: 'credential: "X-Api-Key: {token}"',
  operations:
    'operations: { list: { request: GET /list, needs: read }, find: { request: POST /find, harmless: true } }',
  kinds: 'kinds: { KEY: { made: "Settings, Keys", never: { expired: a key has no date } } }',
};

/** Loads a contract with these lines instead of those of the small one, and with more lines. */
function read(lines: Readonly<Partial<typeof SMALL>> = {}, ...more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'small.yaml');
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
    ['a scope that nothing uses', {}, 'scopes: { write: { wire: "list:write" } }', /write/],
    ['a POST that may do harm', { operations: 'operations: { find: { request: POST /find } }' }, '', /harmless: true/],
    ['an operationId without a document', { operations: 'operations: { find: { is: findAll } }' }, '', /openapi/],
  ])('refuses %s, and says where and what to do', async (_what, lines, more, problem) => {
    const error = await read(lines, more).catch((thrown: unknown) => thrown);
    expect(isConfigurationError(error)).toBe(true);
    expect(String(error)).toMatch(problem);
  });
});
