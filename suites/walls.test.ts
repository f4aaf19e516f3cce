import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
const imports = [
  ['harness/a.ts', '../service/app.ts', 'refused'],
  ['harness/b.ts', '../fixtures/plain-target.ts', 'refused'],
  ['harness/c.ts', './oracle.ts', 'allowed'],
  ['service/a.ts', '../harness/oracle.ts', 'refused'],
  ['service/b.ts', './app.ts', 'allowed'],
  ['suites/a.ts', '../service/app.ts', 'refused'],
  ['suites/b.ts', '../harness/run.ts', 'allowed'],
  ['fixtures/a.ts', '../cli/main.ts', 'refused'],
  ['fixtures/b.ts', '../service/app.ts', 'allowed'],
] as const;

describe('the walls between the rooms are linted', () => {
  let house: string;
  let report: string;

  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'walls-'));
    cpSync('biome.json', join(house, 'biome.json'));
    for (const [file, imported] of imports) {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      writeFileSync(join(house, file), `import { x } from '${imported}';\n\nexport const y = x;\n`);
    }
    const run = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', '--reporter=github'], {
      cwd: house,
    });
    report = `${run.stdout}${run.stderr}`;
  });

  afterAll(() => rmSync(house, { recursive: true, force: true }));

  test.each(imports)('%s importing %s is %s', (file, _imported, outcome) => {
    const findings = report.split(/^::/m).filter((line) => line.includes('noRestrictedImports') && line.includes(file));
    expect(findings).toHaveLength(outcome === 'refused' ? 1 : 0);
  });
});
