import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirementFor } from '../harness/contract/contract.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import { checks } from './checks/index.ts';

const contract = await loadContract();
const { operations, requirements, rules } = contract;
const templates = [
  ...[...rules.refusals, ...rules.acceptances, ...Object.values(rules.messages)].map(({ requirement }) => requirement),
  '{operation}.response',
  'response.content-type',
];
const decided = new Set([
  ...templates.flatMap((template) => operations.map(({ id }) => requirementFor(template, id))),
  ...checks.flatMap((check) => check.requirements),
]);

describe('the ledger', () => {
  test('has nothing that nothing decides', () => {
    const idle = requirements.filter(({ id, excluded }) => excluded === undefined && !decided.has(id));
    expect(idle.map(({ id }) => id)).toEqual([]);
  });

  test('excludes nothing that something decides', () => {
    const needless = requirements.filter(({ id, excluded }) => excluded !== undefined && decided.has(id));
    expect(needless.map(({ id }) => id)).toEqual([]);
  });

  test('has an entry for everything that a check cites, and every check cites one', () => {
    const ids = new Set(requirements.map(({ id }) => id));
    expect(checks.filter((check) => check.requirements.length === 0).map(({ id }) => id)).toEqual([]);
    expect(checks.flatMap((check) => check.requirements).filter((id) => !ids.has(id))).toEqual([]);
  });

  test('gives a capability to what only a check of that capability decides, and to our own decisions', () => {
    const capabilities = checks.flatMap(({ capability, requirements: ids }) => ids.map((id) => [id, capability]));
    const ofLedger = new Map(requirements.map(({ id, capability }) => [id, capability]));
    expect(capabilities.filter(([id, capability]) => ofLedger.get(id ?? '') !== capability)).toEqual([]);
    expect(requirements.filter(({ source, capability }) => source === 'reference' && !capability)).toEqual([]);
  });

  test('lets only the specification oblige: RFC entries advise', () => {
    const strict = requirements.filter(({ source, level }) => source.startsWith('RFC') && level === 'must');
    expect(strict.map(({ id }) => id)).toEqual([]);
  });

  test.each(['1', '2.1', '2.2', '2.3', '2.4', '3', '4', '5.1', '5.2', '5.3', '5.4', '6', '7', '8', '9'])(
    'has section %s of the specification',
    (section) => {
      const cited = new RegExp(`(^spec | |and )${section.replace('.', '\\.')}(\\.| |$)`);
      expect(requirements.filter(({ source }) => cited.test(source)).map(({ id }) => id)).not.toEqual([]);
    },
  );
});

describe('check ids', () => {
  test('are unique', () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('what the contract says stands in specs/ alone', () => {
  const literals = [
    ...Object.values(rules.messages).map(({ text }) => text),
    ...operations.map(({ path }) => path),
    ...Object.values(contract.matrix.headers)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('X-')),
  ];
  const files = ['harness', 'suites'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.|^testing\b|second-oracle/.test(file))
      .map((file) => join(folder, file)),
  );

  test.each(files)('%s repeats no path, header name or message of it', (file) => {
    const code = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
      .join('\n');
    expect(literals.filter((literal) => code.includes(literal))).toEqual([]);
  });
});
