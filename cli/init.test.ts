import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../harness/contract/load-contract.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const written = () => join(cli.folder, '.env');

/** Fills in every line that has a value for its name, as a person would: without the # before it. */
function fillIn(values: Readonly<Record<string, string>>): string {
  return readFileSync(written(), 'utf8').replace(/^(?:# )?([A-Z_]+)=.*$/gm, (line, name: string) =>
    values[name] === undefined ? line : `${name}=${JSON.stringify(values[name])}`,
  );
}

describe('init', () => {
  test('writes a file for its owner alone, which our own reader takes; filled in, a run conforms', async () => {
    const { code, output } = await cli.command('init');
    expect(code).toBe(0);
    expect(output).toContain('for: user global');
    expect(statSync(written()).mode & 0o777).toBe(0o600);
    expect(readDotenvFile(written())).toEqual({
      TARGET_BASE_URL: '',
      CONFORMANCE_CLAIMS: 'user global',
      USER_TOKEN: '',
    });
    writeFileSync(written(), fillIn(await cli.plain()));
    const ended = await cli.run({}, ['--only', 'search/{USER,GLOBAL}/**']);
    expect(ended.output).toContain('partial: nothing deviates');
    expect(ended.code).toBe(0);
  });

  test('never overwrites, with exit 2', async () => {
    writeFileSync(written(), 'mine');
    const { code, output } = await cli.command('init');
    expect(output).toContain('.env is there already; it is never overwritten');
    expect(code).toBe(2);
    expect(readFileSync(written(), 'utf8')).toBe('mine');
  });

  test('says for each token of what is claimed how to create it, the cheapest useful one first', async () => {
    await cli.command('init', '--claims', 'google');
    const text = readFileSync(written(), 'utf8');
    const names = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    expect(names.slice(0, 5)).toEqual([
      'TARGET_BASE_URL',
      'CONFORMANCE_CLAIMS',
      'USER_EMAIL',
      'ACT_AS_EMAIL',
      'GOOGLE_TOKEN',
    ]);
    expect(text).toContain(
      'access token of a GOOGLE identity provider, that permits all of SEARCH, CHAT\nGOOGLE_TOKEN=',
    );
    const mine = catalogueOf(await loadContract()).names.filter(
      (name) => !/^(?!GOOGLE_)[A-Z]+_(TOKEN|EMAIL)/.test(name),
    );
    expect([...names].sort()).toEqual([...mine, 'USER_EMAIL', 'UNKNOWN_EMAIL'].sort());
  });

  test('ends with exit 2 for a claim that there is not', async () => {
    const { code, output } = await cli.command('init', '--claims', 'usr');
    expect(output).toContain('--claims names usr, which is no kind or capability; did you mean user?');
    expect(code).toBe(2);
  });
});
