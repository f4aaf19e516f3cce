import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirementFor } from '../harness/contract/contract.ts';
import { contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';

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
  test('has only requirements that a rule or a check decides', () => {
    const undecided = requirements.filter(({ id, excluded }) => excluded === undefined && !decided.has(id));
    expect(undecided.map(({ id }) => id)).toEqual([]);
  });

  test('excludes only requirements that nothing decides', () => {
    const wronglyExcluded = requirements.filter(({ id, excluded }) => excluded !== undefined && decided.has(id));
    expect(wronglyExcluded.map(({ id }) => id)).toEqual([]);
  });

  test('has every requirement that a check names, and every check names at least one', () => {
    const ids = new Set(requirements.map(({ id }) => id));
    expect(checks.filter((check) => check.requirements.length === 0).map(({ id }) => id)).toEqual([]);
    expect(checks.flatMap((check) => check.requirements).filter((id) => !ids.has(id))).toEqual([]);
  });

  test('gives a requirement the capability of the check that decides it, and each own decision a capability', () => {
    const capabilities = checks.flatMap(({ capability, requirements: ids }) => ids.map((id) => [id, capability]));
    const ofLedger = new Map(requirements.map(({ id, capability }) => [id, capability]));
    expect(capabilities.filter(([id, capability]) => ofLedger.get(id ?? '') !== capability)).toEqual([]);
    expect(requirements.filter(({ source, capability }) => source === 'reference' && !capability)).toEqual([]);
  });

  test('gives the level must to no requirement that rests on an RFC, except two that say so', () => {
    const musts = requirements.filter(({ source, level }) => source.includes('RFC') && level === 'must');
    expect(musts.map(({ id }) => id)).toEqual(['headers.case', 'token.foreign']);
    for (const { text } of musts)
      expect(text).toMatch(/This rests on RFC [^:]+: the specification does not say so itself\./);
  });

  test.each(['1', '2.1', '2.2', '2.3', '2.4', '3', '4', '5.1', '5.2', '5.3', '5.4', '6', '7', '8', '9'])(
    'has requirements of section %s of the specification',
    (section) => {
      const cited = new RegExp(`(^spec | |and )${section.replace('.', '\\.')}(\\.| |$)`);
      expect(requirements.filter(({ source }) => cited.test(source)).map(({ id }) => id)).not.toEqual([]);
    },
  );
});

test('check ids are unique', () => {
  const ids = checks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('the contract is in specs/ only', () => {
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

  test.each(files)('%s does not repeat its paths, header names or messages', (file) => {
    const code = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
      .join('\n');
    expect(literals.filter((literal) => code.includes(literal))).toEqual([]);
  });
});
