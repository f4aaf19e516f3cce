import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Texts = Readonly<Record<string, string>>;

/** The machines of GitHub that a workflow runs on. */
export interface Runner {
  /** An empty folder. Each machine has its own folder in it. */
  readonly folder: string;
  /** The repository of the suite, which a checkout with a path stands for. */
  readonly repository: string;
  /** The files of the repository that has the workflow. */
  readonly files: Texts;
  readonly secrets: Texts;
  /** `PATH`. Its `npm` stands in for an installation. */
  readonly path: string;
  /** The id of the workflow run. By default 4711. */
  readonly id?: string;
  /** The address of the API of GitHub, for runs that use it. */
  readonly api?: string;
}
/** What people see of a job. */
export interface JobRun {
  readonly name: string;
  /** The exit code of the first step that failed; 0 if none did. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
}

export interface Machine {
  readonly runner: Runner;
  readonly workspace: string;
  code: number;
  log: string;
  seen(): JobRun;
}

export function startMachine(runner: Runner, name: string): Machine {
  const workspace = join(runner.folder, name);
  mkdirSync(workspace);
  const summary = `${workspace}.summary`;
  writeFileSync(summary, '');
  return {
    runner,
    workspace,
    code: 0,
    log: '',
    seen() {
      return { name, code: this.code, log: this.log, summary: readFileSync(summary, 'utf8') };
    },
  };
}

/** Does what an action of GitHub does, as far as our workflows can tell. @returns its outputs. */
export function useStandIn(uses: string, given: Texts, { workspace, runner }: Machine): Texts {
  const artifacts = join(runner.folder, 'artifacts');
  const { name = '', path = '', pattern = '' } = given;
  // By its commit; suites/supply-chain.test.ts.
  switch (uses.split('@')[0]) {
    case 'actions/checkout':
      for (const [file, text] of Object.entries(path === '' ? runner.files : {}))
        writeFileSync(join(workspace, file), text);
      if (path !== '') mkdirSync(join(workspace, path));
      return {};
    case 'actions/setup-node':
      return {};
    case 'actions/cache/restore': {
      const saved = join(runner.folder, 'cache', given['restore-keys'] ?? '');
      const last = existsSync(saved) ? readdirSync(saved).sort().at(-1) : undefined;
      if (last !== undefined) cpSync(join(saved, last), join(workspace, path));
      return {};
    }
    case 'actions/cache/save':
      if (existsSync(join(workspace, path)))
        cpSync(join(workspace, path), join(runner.folder, 'cache', given['key'] ?? ''));
      return {};
    case 'actions/upload-artifact':
      if (!existsSync(join(workspace, path))) return {};
      cpSync(join(workspace, path), join(artifacts, name), { recursive: true });
      return { 'artifact-url': `https://github.example/artifacts/${name}` };
    case 'actions/download-artifact':
      for (const artifact of readdirSync(artifacts))
        if (artifact.startsWith(pattern.replace(/\*$/, '')))
          cpSync(join(artifacts, artifact), join(workspace, path, artifact), { recursive: true });
      return {};
    default:
      throw new Error(`an action that the test does not know: ${uses}`);
  }
}

/** Runs the lines of a step with sh, as GitHub does, and returns what the step wrote to its outputs. */
export async function runLines(lines: string, machine: Machine, env: Texts): Promise<Texts> {
  const { workspace, runner } = machine;
  const [script, outputs] = [`${workspace}.sh`, `${workspace}.outputs`];
  writeFileSync(script, lines);
  writeFileSync(outputs, '');
  const child = spawn('sh', ['-e', script], {
    cwd: workspace,
    env: {
      PATH: runner.path,
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: runner.id ?? '4711',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_REPOSITORY: 'some/service',
      GITHUB_SHA: 'merge-commit',
      GITHUB_API_URL: runner.api ?? 'http://127.0.0.1:9',
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: `${workspace}.summary`,
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (machine.log += chunk));
  const code = await new Promise<number>((done) => child.once('close', (ended) => done(ended ?? 1)));
  if (machine.code === 0) machine.code = code;
  const written = readFileSync(outputs, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    written.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
