import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { applies, type Contexts, filledIn } from './github-expression.ts';

type Texts = Readonly<Record<string, string>>;
interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Texts;
  readonly with?: Texts;
}
interface Job {
  readonly if?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** The machines of GitHub that a workflow runs on. */
export interface Runner {
  /** An empty folder. Each machine has its own folder in it. */
  readonly folder: string;
  /** The repository of the suite, which a checkout with a path stands for. */
  readonly repository: string;
  /** The files of the repository that has the workflow. */
  readonly files: Texts;
  readonly secrets: Texts;
  readonly cached: boolean;
  readonly path?: string;
}
/** What people see of a job. */
export interface JobRun {
  readonly name: string;
  /** The exit code of the first step that failed; 0 if none did. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly steps: Contexts;
}

/** Runs the jobs of a workflow in the order of the file: those of a matrix one after the other. */
export async function runWorkflow(workflow: string, runner: Runner): Promise<readonly JobRun[]> {
  const jobs: Readonly<Record<string, Job>> = parse(workflow).jobs;
  const done: JobRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    if (!applies(job.if, {}, done.some(({ code }) => code !== 0))) continue;
    const [[variable, values] = ['none', ['']]] = Object.entries(job.strategy?.matrix ?? {});
    for (const value of values) {
      const machine = startMachine(runner, `${name}${value}`);
      await runSteps(job.steps, machine, { secrets: runner.secrets, matrix: { [variable]: value } }, {});
      done.push(machine.seen());
    }
  }
  return done;
}

interface Machine {
  readonly runner: Runner;
  readonly workspace: string;
  readonly steps: Record<string, { readonly outputs: Texts }>;
  code: number;
  log: string;
  seen(): JobRun;
}

function startMachine(runner: Runner, name: string): Machine {
  const workspace = join(runner.folder, name);
  mkdirSync(workspace);
  const summary = `${workspace}.summary`;
  writeFileSync(summary, '');
  return {
    runner,
    workspace,
    steps: {},
    code: 0,
    log: '',
    seen() {
      return { name, code: this.code, log: this.log, summary: readFileSync(summary, 'utf8'), steps: this.steps };
    },
  };
}

/** @param inherited the variables of the step that uses the action, which each step of the action has too. */
async function runSteps(steps: readonly Step[], machine: Machine, contexts: Contexts, inherited: Texts) {
  const ran: Record<string, { readonly outputs: Texts }> = {};
  for (const { id, if: condition, uses, run, ...step } of steps) {
    const known = { ...contexts, steps: ran };
    if (id !== undefined) ran[id] = { outputs: {} };
    if (!applies(condition, known, machine.code !== 0)) continue;
    const env = { ...inherited, ...filled(step.env, known) };
    const given = filled(step.with, known);
    const outputs =
      run !== undefined ? await runLines(filledIn(run, known), machine, env) : await use(uses ?? '', given, machine, env);
    if (id !== undefined) ran[id] = { outputs };
  }
  Object.assign(machine.steps, ran);
  return ran;
}

function filled(texts: Texts = {}, contexts: Contexts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filledIn(String(text), contexts)]));
}

/** Does what an action does. Only the action of the suite really runs. */
async function use(uses: string, given: Texts, machine: Machine, env: Texts): Promise<Texts> {
  const { workspace, runner } = machine;
  const artifacts = join(runner.folder, 'artifacts');
  const { name = '', path = '', pattern = '' } = given;
  switch (uses) {
    case 'actions/checkout@v4':
      for (const [file, text] of Object.entries(path === '' ? runner.files : {})) writeFileSync(join(workspace, file), text);
      if (path !== '') mkdirSync(join(workspace, path));
      return {};
    case 'actions/setup-node@v4':
    case 'actions/cache/save@v4':
      return {};
    case 'actions/cache/restore@v4':
      return { 'cache-hit': runner.cached ? 'true' : '' };
    case 'actions/upload-artifact@v4':
      if (existsSync(join(workspace, path))) cpSync(join(workspace, path), join(artifacts, name), { recursive: true });
      return {};
    case 'actions/download-artifact@v4':
      for (const artifact of readdirSync(artifacts))
        if (artifact.startsWith(pattern.replace(/\*$/, '')))
          cpSync(join(artifacts, artifact), join(workspace, path, artifact), { recursive: true });
      return {};
    default:
      if (!uses.startsWith('./') || !existsSync(join(workspace, uses)))
        throw new Error(`an action that the test does not know, or that no step checked out: ${uses}`);
      return useSuite(given, machine, env);
  }
}

async function useSuite(given: Texts, machine: Machine, env: Texts): Promise<Texts> {
  const { repository } = machine.runner;
  const { inputs, outputs, runs }: Action = parse(readFileSync('action.yml', 'utf8'));
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown}`);
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default]));
  const contexts = { inputs: { ...defaults, ...given }, github: { action_path: repository } };
  const steps = await runSteps(runs.steps, machine, contexts, { ...env, GITHUB_ACTION_PATH: repository });
  const values = Object.entries(outputs).map(([name, { value }]) => [name, value] as const);
  return filled(Object.fromEntries(values), { ...contexts, steps });
}

/** Runs the lines of a step with sh, as GitHub does, and returns what the step wrote to its outputs. */
async function runLines(lines: string, machine: Machine, env: Texts): Promise<Texts> {
  const { workspace, runner } = machine;
  const [script, outputs] = [`${workspace}.sh`, `${workspace}.outputs`];
  writeFileSync(script, lines);
  writeFileSync(outputs, '');
  const child = spawn('sh', ['-e', script], {
    cwd: workspace,
    env: {
      PATH: runner.path ?? process.env['PATH'],
      GITHUB_ACTIONS: 'true',
      GITHUB_RUN_ID: '4711',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: `${workspace}.summary`,
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (machine.log += chunk));
  const code = await new Promise<number>((done) => child.once('close', (ended) => done(ended ?? 1)));
  if (machine.code === 0) machine.code = code;
  const written = readFileSync(outputs, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(written.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
