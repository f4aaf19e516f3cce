import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');

/** The rooms of harness/, lowest first. A room may import from lower floors, but not from its own floor. */
const FLOORS = [
  ['contract'],
  ['settings'],
  ['plan'],
  ['record'],
  ['commands', 'judge'],
  ['send', 'report'],
  ['checks', 'render'],
  ['run'],
  ['preview', 'statement'],
  ['prove'],
] as const;
/** Lower rooms that a room still must not import: sending does not need judging, reporting does not need sending. */
const FORBIDDEN = {
  send: ['judge'],
  report: ['send', 'commands'],
  checks: ['report'],
  render: ['send', 'commands', 'checks'],
  run: ['render'],
  prove: ['statement'],
} as const;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly allowed: boolean;
}

const harness = FLOORS.flatMap((floor, height) =>
  floor.flatMap((room) =>
    FLOORS.flatMap((others, at) =>
      others.flatMap((other): Import[] => {
        if (other === room) return [];
        const forbidden: readonly string[] = Object.entries(FORBIDDEN).find(([name]) => name === room)?.[1] ?? [];
        const allowed = at < height && !forbidden.includes(other);
        return [{ from: `harness/${room}`, to: `harness/${other}`, allowed }];
      }),
    ),
  ),
);

const refused = (from: string, ...to: readonly string[]) =>
  to.map((other): Import => ({ from, to: other, allowed: false }));
const allowed = (from: string, ...to: readonly string[]) =>
  to.map((other): Import => ({ from, to: other, allowed: true }));

const imports: readonly Import[] = [
  ...harness,
  ...FLOORS.flat().flatMap((room) =>
    refused(`harness/${room}`, 'service/api', 'suites/checks', 'fixtures/plain', 'cli'),
  ),
  ...refused('harness/testing', 'service/api', 'suites/checks', 'fixtures/plain', 'cli'),
  ...allowed('harness/plan/strength', 'harness/plan', 'harness/settings', 'harness/contract'),
  ...refused('harness/plan/strength', 'harness/record', 'harness/judge', 'harness/send'),
  ...allowed('harness/render/page', 'harness/render', 'harness/report', 'harness/judge'),
  ...refused('harness/render/page', 'harness/run', 'harness/send'),
  ...allowed('harness/prove', 'harness/prove/server'),
  ...refused('harness/prove/server', ...FLOORS.flat().map((room) => `harness/${room}`)),
  ...allowed('service/store', 'service/store/database', 'service/terms'),
  ...allowed('service/store/database', 'service/terms'),
  ...refused('service/store/database', 'service/store', 'service/api'),
  ...refused('service/store', 'service/issuers', 'service/api', 'service/sign-in', 'service/console', 'harness/judge'),
  ...allowed('service/issuers', 'service/terms'),
  ...refused('service/issuers', 'service/store', 'service/api'),
  ...allowed('service/api', 'service/issuers', 'service/store', 'service/terms'),
  ...refused('service/api', 'service/pages', 'service/mcp', 'service/sign-in', 'service/console', 'harness/judge'),
  ...allowed('service/sign-in', 'service/pages', 'service/store', 'service/terms'),
  ...refused('service/sign-in', 'service/api', 'service/console', 'harness/judge'),
  ...allowed('service/console', 'service/pages', 'service/store', 'service/terms'),
  ...refused('service/console', 'service/api', 'service/sign-in', 'service/issuers', 'harness/judge'),
  ...allowed('service/mcp', 'service/api', 'service/issuers', 'service/store', 'service/terms'),
  ...refused('service/mcp', 'service/sign-in', 'service/console', 'service/pages', 'harness/judge'),
  ...refused('service/pages', 'service/store', 'service/console'),
  ...refused('service/terms', 'service/store', 'harness/contract'),
  ...refused('service', 'harness/judge', 'suites', 'fixtures/plain', 'cli'),
  ...allowed('service/identity-providers', 'service/issuers'),
  ...refused('service/identity-providers', 'harness/contract', 'fixtures/plain'),
  ...allowed('service/embedded', 'service/api', 'harness/commands', 'service/identity-providers'),
  ...refused('service/embedded', 'fixtures/plain', 'harness/judge', 'suites/checks', 'cli'),
  ...allowed('suites/checks', 'harness/checks', 'harness/judge', 'suites/checks/shared'),
  ...refused(
    'suites/checks',
    'harness/run',
    'harness/render',
    'harness/statement',
    'service/api',
    'fixtures/plain',
    'suites/proof',
    'cli',
  ),
  ...refused('suites/checks/shared', 'harness/run', 'fixtures/plain'),
  ...allowed('suites/proof', 'harness/run', 'fixtures/deviants', 'suites/checks'),
  ...refused('suites/proof', 'service/api', 'cli'),
  ...refused('fixtures/plain', 'service/api', 'harness/contract', 'fixtures/deviants'),
  ...refused('fixtures/deviants', 'suites/checks', 'cli'),
  ...refused('fixtures/variants', 'suites/checks', 'cli'),
  ...allowed('cli', 'harness/run', 'service', 'suites/checks'),
  ...refused('cli', 'cli/proof', 'suites/proof', 'fixtures/deviants', 'fixtures/plain'),
];

describe('the lint rules for imports between rooms', () => {
  const copy = mkdtempSync(join(tmpdir(), 'walls-'));
  let report: readonly string[];

  beforeAll(() => {
    cpSync('biome.json', join(copy, 'biome.json'));
    for (const [index, { from, to }] of imports.entries()) {
      const file = join(copy, from, `importing-${index}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      const path = relative(join(copy, from), join(copy, to, 'imported.ts')).replaceAll('\\', '/');
      writeFileSync(file, `import { x } from '${path.startsWith('.') ? path : `./${path}`}';\n\nexport const y = x;\n`);
    }
    const options = ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none'];
    const { stdout, stderr } = spawnSync(process.execPath, [biome, ...options], { cwd: copy });
    report = `${stdout}${stderr}`.split(/^::/m).filter((line) => line.includes('noRestrictedImports'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test.each(imports.map((row, index) => ({ ...row, index, may: row.allowed ? 'may' : 'must not' })))(
    '$from $may import $to',
    ({ index, allowed: isAllowed }) => {
      expect(report.filter((line) => line.includes(`importing-${index}.ts`))).toHaveLength(isAllowed ? 0 : 1);
    },
  );

  test('this test knows every room of harness/', () => {
    const rooms = readdirSync('harness').filter((room) => room !== 'testing');
    expect(rooms.sort()).toEqual(FLOORS.flat().sort());
  });
});

const TOP = ['cli', 'fixtures', 'harness', 'service', 'suites'] as const;

const files = TOP.flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((path) => `${top}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|js|css)$/.test(path) && !path.includes('/node_modules/') && !path.includes('/dist/')),
).map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));

describe('the house', () => {
  test('has no file of more than 250 lines', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter(({ lines }) => lines > 250)).toEqual([]);
  });
});
