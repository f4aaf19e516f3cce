import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFECT_EXIT, describeDefect } from './program.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const TOKEN = 'svc_4fGh-x2LmQ8sVb0YtReWq7ZpKc9Nd3UjA5oXi1Ms6w_';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b';

test('no arguments print the help and send nothing', async () => {
  const { code, output } = await cli.command([], await cli.plain());
  expect(output).toMatch(/^Usage: client-api-conformance/);
  expect(code).toBe(0);
});

test.each<[string, string | RegExp]>([
  ['--embedded', '--embedded needs a command before it, such as run --embedded'],
  ['runn --depth core', 'there is no command runn; did you mean run?'],
  ['help runn', 'there is no command runn; did you mean run?'],
  ['conformance', 'there is no command conformance; there are run, init, plan'],
  ['run --embedded --depth ful', '--depth must be one of core, pairwise, triples, full, not "ful"; did you mean full?'],
  ['run --shard 5/4', '--shard must be i/n with i from 1 to n, such as 2/4, not "5/4"'],
  ['run --since nowhere.json', 'cannot read nowhere.json (no such file or folder, ENOENT)'],
  ['run --max-latency p95=fast', /--max-latency must be p50, p95, p99, max .* not "p95=fast"/],
  ['run --max-latency serch:p95=500', 'there is no operation serch; did you mean search?'],
  ['run --watch --embedded', '--watch waits for your target to restart'],
  ['plan --only serch/**', 'did you mean search?'],
  ['explain token.expird', 'did you mean token.expired?'],
  ['replay isolatoin', 'did you mean isolation?'],
  ['replay F1', 'cannot read'],
  ['init --claims usr', '--claims names "usr", which is not a kind or capability; did you mean user?'],
  ['init --openapi a.yaml --contract b.yaml', /--openapi <file>' cannot be used with .*--contract/],
  ['report nowhere', /cannot read nowhere.journal\.ndjson \(no such file or folder, ENOENT\); a run writes it/],
  ['report --baseline none.yaml', 'cannot read none.yaml (no such file or folder, ENOENT)'],
  ['compare --history --report-dir nowhere', /nowhere remembers no run: there is no history\.json in it/],
  ['compare conformance-report', /compare needs two reports: .*compare --history lists the runs/],
  ['compare a b --report-dir c', /--report-dir names a history: add --history/],
  ['prove', /prove needs --contract FILE.*npm run prove/],
  ['completion tcsh', 'completion is for bash, zsh, fish, and not for "tcsh"'],
])('%s ends with exit 2, and says what was meant or is missing', async (line, said) => {
  const { code, output } = await cli.command(line.split(' '), await cli.plain());
  expect(output).toMatch(said);
  expect(code).toBe(2);
});

test.each([
  [['explain'], "missing required argument 'id'"],
  [['plan', '--depth'], "option '--depth <depth>' argument missing"],
  [['run', '--dept', 'core'], "unknown option '--dept'\n  (Did you mean --depth?)"],
])('a command line without a word that it needs, or with a wrong one, names the help: %j', async (args, said) => {
  const { code, output } = await cli.command(args);
  expect(output).toBe(`configuration error\n  ${said}\n  --help after the command shows what it takes\n`);
  expect(code).toBe(2);
});

test('the help shows no value of a program', async () => {
  expect((await cli.command(['run', '--help'])).output).not.toContain('[]');
});

test.each([
  [['run', '--baseline', '', '--only', 'search/**'], '--baseline is empty; give it a value or leave it out'],
  [['run', '--only', 'search/**', '--only', ' '], '--only is empty'],
  [['plan', '--depth', ''], '--depth is empty'],
  [['explain', ''], 'an argument of explain is empty'],
  [['report', ''], 'an argument of report is empty'],
  [['serve', '--port', ''], '--port is empty'],
  [['merge', 'shard-1', ''], 'an argument of merge is empty'],
])('an empty word, as a shell makes it of a variable that is not set, ends with exit 2: %j', async (args, said) => {
  const { code, output } = await cli.command(args);
  expect(output).toContain(`configuration error\n  ${said}`);
  expect(code).toBe(2);
});

test.each([
  [['run', '--only', TOKEN], 'matches no case and no check'],
  [['run', '--run', TOKEN], '--run must have'],
  [['run', `--since=${TOKEN}`], 'ENOENT'],
  [['run', `--${TOKEN}`], 'unknown option'],
  [[TOKEN], 'there is no command'],
  [['explain', TOKEN], ''],
  [['replay', HEX], ''],
])('a token in the wrong place is not shown: %j', async (args, said) => {
  const { code, output } = await cli.command([...args, ...(args[0] === 'run' ? ['--embedded'] : [])]);
  expect(output).toContain(said);
  expect(output).toContain('<hidden, because it may be a secret>');
  expect(output).not.toContain(TOKEN.slice(4));
  expect(output).not.toContain(HEX);
  expect(code).toBe(2);
});

test.each(['0x10', '1e3', ' 5', '5.', 'Infinity', '+5'])('%j is no number for a flag', async (text) => {
  for (const [command, flag] of [
    ['plan', '--rate'],
    ['run', '--budget'],
    ['serve', '--port'],
  ]) {
    const { code, output } = await cli.command([String(command), `${flag}=${text}`], await cli.plain());
    expect(output).toMatch(new RegExp(`${flag} must be a (whole )?number`));
    expect(code).toBe(2);
  }
});

test.runIf(process.platform !== 'win32')('a .env that is a pipe is read once by each command', async () => {
  const few = '--claims user --only search/USER/**';
  const lines = Object.entries(await cli.plain()).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(cli.file('variables'), lines.join(''));
  symlinkSync('/dev/stdin', cli.file('.env'));
  // A shell connects them by a pipe, and Node by a socket, which is no file.
  const writer = `"$1" -p 'fs.readFileSync("variables", "utf8")'`;
  for (const line of [
    `run ${few}`,
    `plan ${few}`,
    'report',
    'replay search/USER/expired/all/act-as:absent/auth-type:absent',
  ]) {
    const { code } = await cli.limited(`${writer} | "$@"; exit $?; :`, line.split(' '), {});
    expect([line, code]).toEqual([line, 0]);
  }
});

test.each(['report', 'statement', 'explain F1', 'compare --history'])(
  '%s names a variable that is empty',
  async (line) => {
    const { code, output } = await cli.command(line.split(' '), { CONFORMANCE_REPORT_DIR: '' });
    expect(output).toBe(
      'configuration error\n  CONFORMANCE_REPORT_DIR is set but empty; give it a value or unset it\n',
    );
    expect(code).toBe(2);
  },
);

test('a current folder that somebody removed ends with exit 2', async () => {
  mkdirSync(cli.file('gone'));
  // `$1` is Node: a machine need not have rmdir.
  const gone = `cd gone && "$1" -e "fs.rmdirSync('../gone')"`;
  const { code, output } = await cli.limited(gone, ['run', '--embedded'], {});
  expect(output).toBe('configuration error\n  the current folder does not exist any more; change to one that does\n');
  expect(code).toBe(2);
});

test.each([[['help']], [['help', 'help']]])('%j prints what there is to do', async (words) => {
  const { code, output } = await cli.command(words);
  expect(code).toBe(0);
  expect(output).toContain('Usage: client-api-conformance [options] [command]');
});

describe('a defect of the suite', () => {
  const error = Object.assign(new TypeError('cannot read f3q8Zk1LmN0pR5sTuV7w\nof uma@people.example'), { code: 'EX' });

  test('is described with version, kind and place, and without its message', () => {
    const text = describeDefect(error);
    expect(text).toMatch(/^defect of the suite\n {2}This is a mistake in client-api-conformance\./);
    expect(text).toContain('TypeError (EX)');
    expect(text).toContain('cli/program.test.ts:');
    expect(text).not.toMatch(/f3q8|uma@|cannot read|\n {4}at |file:|\/dist\//);
    expect(text).not.toContain(process.cwd());
  });

  test.each(['text', null, undefined, 7, { stack: 5 }])('can be %j', (thrown) => {
    expect(describeDefect(thrown)).toContain('not in a file of the suite');
  });

  test.each(['throw', 'reject', 'later'])(
    'ends with exit 70, not with that of a target that deviates: %s',
    async (how) => {
      const mistake = {
        throw: 'JSON.parse = () => { throw new TypeError("secret") }',
        reject: 'process.nextTick(() => Promise.reject(new TypeError("secret")))',
        later: 'setTimeout(() => { throw new TypeError("secret") }, 20)',
      }[how];
      const hook = `--import=data:text/javascript,${encodeURIComponent(`process.on('newListener', (name) => { if (name === 'unhandledRejection') setImmediate(() => { ${mistake} }) })`)}`;
      const { code, output } = await cli.command(['run', '--embedded'], { NODE_OPTIONS: hook });
      expect(output).toMatch(/defect of the suite\n {2}This is a mistake/);
      expect(output).not.toMatch(/secret|\n\s+at /);
      expect(code).toBe(DEFECT_EXIT);
    },
  );
});

describe('a report folder', () => {
  test.each(['report.json', 'report.html', 'junit.xml', 'journal.ndjson'])(
    'in which %s is a symbolic link ends the run with exit 2, and what it leads to is untouched',
    async (file) => {
      const env = await cli.plain();
      const report = cli.file('conformance-report');
      mkdirSync(report);
      writeFileSync(cli.file('precious'), 'precious');
      symlinkSync(cli.file('precious'), join(report, file));
      const { code, output } = await cli.run({ ...env, CONFORMANCE_CLAIMS: 'user' }, [
        '--only',
        'search/USER/valid/all/**',
      ]);
      expect(output).toMatch(new RegExp(`${file} is a symbolic link`));
      expect(code).toBe(2);
    },
  );
});

describe('a file of somebody else', () => {
  test('with an alias bomb as the baseline ends with exit 2 and one line', async () => {
    const names = [...'abcdefghijkl'];
    const lines = names.map((name, at) => `${name}: &${name} [${at === 0 ? 'x' : Array(9).fill(`*${names[at - 1]}`)}]`);
    writeFileSync(cli.file('baseline.yaml'), lines.join('\n'));
    const { code, output } = await cli.command(['run', '--baseline', 'baseline.yaml']);
    expect(output).toMatch(/^configuration error\n {2}baseline\.yaml: line 1: [^\n]+\n$/);
    expect(code).toBe(2);
  });

  test('as the journal ends with exit 2, its line, and no control character', async () => {
    mkdirSync(cli.file('foreign'));
    const entry = { type: 'exchange', seq: 1, case: 'x', role: 'cell', credential: 'x' };
    const observation = { kind: 'answer', status: 401, form: 'text', whole: null, embedded: [] };
    writeFileSync(cli.file('foreign', 'journal.ndjson'), `${JSON.stringify({ ...entry, observation })}\n`);
    for (const command of [
      ['report', 'foreign'],
      ['merge', 'foreign', '--report-dir', 'merged'],
    ]) {
      const { code, output } = await cli.command([...command]);
      expect(output).toMatch(
        /^configuration error\n {2}foreign\/journal\.ndjson: line 1 is not a journal entry: [^\n]+\n$/,
      );
      expect(code).toBe(2);
    }
  });
});
