import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { bundleInto, installPacked, type Packed, packInto, runIn } from './testing/packed.ts';

describe('the package of the reference service', () => {
  const home = temporaryFolder(afterAll);
  const both = join(home, 'both');
  let reference: Packed;
  beforeAll(() => {
    const suite = packInto(home);
    reference = packInto(home, 'service');
    installPacked([reference], join(home, 'alone'));
    installPacked([suite, reference], both);
  });

  test('contains the compiled service and its API description, and nothing else', () => {
    const others = reference.files.filter(
      (file) =>
        !/^(dist\/.+\.(js|css|svg|sql)|dist\/store\/assets\/demo-company\.(yaml|json)|specs\/client-api\/openapi\.yaml|package\.json|LICENSE)$/.test(
          file,
        ),
    );
    expect(others).toEqual([]);
    expect(reference.files.filter((file) => /\.test\.|\.map$|\/(testing|attacks)\//.test(file))).toEqual([]);
  });

  test('starts the service by itself, as a target with every token', () => {
    const script = join(home, 'alone', 'search.mjs');
    const source = `import { startEmbeddedTarget } from 'client-api-reference/embedded';
      const { env, close } = await startEmbeddedTarget();
      const answer = await fetch(env.TARGET_BASE_URL + '/rest/api/v1/search', { method: 'POST',
        headers: { authorization: 'Bearer ' + env.USER_TOKEN, 'content-type': 'application/json' }, body: '{"query":"a"}' });
      await close();
      console.log(answer.status);`;
    writeFileSync(script, source);
    const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(stdout).toBe('200\n');
  });

  test('is what the one file beside it tests with --embedded', () => {
    const beside = bundleInto(join(home, 'alone'));
    const work = mkdtempSync(join(home, 'work-'));
    const { code, output } = runIn(work, beside, 'run', '--embedded', '--only', 'search/USER/**');
    expect(output).toContain('the embedded reference service');
    expect(code).toBe(0);
  });

  test('is what the suite beside it tests with --embedded, as plan says', () => {
    const work = mkdtempSync(join(home, 'work-'));
    const suiteOfBoth = join(both, 'node_modules', 'client-api-conformance', 'dist', 'cli', 'main.js');
    // Every claim would take three times as long. The tests above look for every module that is imported.
    const part = ['--embedded', '--depth', 'core', '--claims', 'user mcp'];
    const plan = runIn(work, suiteOfBoth, 'plan', ...part).output;
    expect(readdirSync(work)).toEqual([]);
    const { code, output } = runIn(work, suiteOfBoth, 'run', ...part);
    expect(output).toContain('✔ the embedded reference service conforms');
    expect(code).toBe(0);
    expect(readdirSync(work)).toEqual(['conformance-report']);
    const [counts] = /[\d,]+ cases in \d+ groups and \d+ checks at depth core/.exec(plan) ?? ['nothing'];
    expect(output).toContain(counts);
    const [, decidable, claimed] = /✔ (\d+) of (\d+) requirements can be decided/.exec(plan) ?? [];
    expect(output).toMatch(new RegExp(`requirements +${decidable} of ${claimed} claimed are decided`));
    expect(plan).not.toContain('What further tokens add');
  });
});
