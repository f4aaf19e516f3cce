import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../harness/contract/load-contract.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { commandLine } from './testing/command-line.ts';

const readme = readFileSync('README.md', 'utf8');
const contract = await loadContract();
const { names: known, kinds } = catalogueOf(contract);
const cli = commandLine();

/** A name as the table of variables writes it, in any of its general forms. */
function forms(name: string): readonly string[] {
  const kind = kinds.find((one) => name.startsWith(`${one}_`)) ?? '';
  const rest = name.slice(kind.length);
  const scope = contract.matrix.scopes.find((one) => rest === `_TOKEN_${one}`);
  return [
    name,
    `<KIND>${rest}`,
    ...(scope ? ['<KIND>_TOKEN_<SCOPE>'] : []),
    ...(rest === '_TOKEN_FOREIGN' ? ['OAUTH_TOKEN_FOREIGN'] : []),
  ];
}

describe('README.md', () => {
  test('has every variable in its table', () => {
    const table = readme.slice(readme.indexOf('## Variables'), readme.indexOf('## Flags'));
    expect(known.filter((name) => !forms(name).some((form) => table.includes(`\`${form}\``)))).toEqual([]);
  });

  test('has every flag in its table, and no other', async () => {
    const table = readme.slice(readme.indexOf('## Flags'), readme.indexOf('## The reference service'));
    const written = new Set(table.match(/--[a-z-]+(?=[` ])/g));
    const commands = ['run', 'plan', 'init', 'serve'];
    const helps = await Promise.all(commands.map(async (name) => (await cli.command(name, '--help')).output));
    const real = new Set(helps.flatMap((help) => help.match(/^ {2}(?:-h, )?--[a-z-]+/gm) ?? []).values());
    const flags = [...real].map((flag) => flag.trim()).filter((flag) => !flag.startsWith('-h'));
    expect([...written].sort()).toEqual([...new Set(flags)].sort());
  });

  test('shows a job whose variables the suite knows, and that runs what there is', () => {
    const [, text = ''] = /```yaml\n(name: conformance\n[\s\S]*?)```/.exec(readme) ?? [];
    const steps: { run?: string; env?: Record<string, string> }[] = parse(text).jobs.staging.steps;
    const run = steps.find(({ env }) => env);
    expect(run?.run).toMatch(/client-api-conformance run --baseline/);
    expect(Object.keys(run?.env ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  });
});
