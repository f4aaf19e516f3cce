import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { applies, type Contexts, filledIn } from './github-expression.ts';
import {
  type JobRun,
  type Machine,
  type Runner,
  runLines,
  startMachine,
  type Texts,
  useStandIn,
} from './github-machine.ts';

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

/** Runs the jobs of a workflow in the order of the file: those of a matrix one after the other. */
export async function runWorkflow(workflow: string, runner: Runner): Promise<readonly JobRun[]> {
  const jobs: Readonly<Record<string, Job>> = parse(workflow).jobs;
  const done: JobRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    const failed = done.some(({ code }) => code !== 0);
    if (!applies(job.if, {}, failed)) continue;
    const [[variable, values] = ['none', ['']]] = Object.entries(job.strategy?.matrix ?? {});
    for (const value of values) {
      const machine = startMachine(runner, `${name}${value}`);
      await runSteps(job.steps, machine, { secrets: runner.secrets, matrix: { [variable]: value } }, {});
      done.push(machine.seen());
    }
  }
  return done;
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
      run !== undefined
        ? await runLines(filledIn(run, known), machine, env)
        : await use(uses ?? '', given, machine, env);
    if (id !== undefined) ran[id] = { outputs };
  }
  return ran;
}

function filled(texts: Texts = {}, contexts: Contexts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filledIn(String(text), contexts)]));
}

/** Uses the action of the suite if a step checked it out, or else what stands in for an action of GitHub. */
async function use(uses: string, given: Texts, machine: Machine, env: Texts): Promise<Texts> {
  if (!uses.startsWith('./')) return useStandIn(uses, given, machine);
  if (!existsSync(join(machine.workspace, uses))) throw new Error(`no step checked out ${uses}`);
  return useSuite(given, machine, env);
}

async function useSuite(given: Texts, machine: Machine, env: Texts): Promise<Texts> {
  const { repository } = machine.runner;
  const { inputs, outputs, runs }: Action = parse(readFileSync('action.yml', 'utf8'));
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown}`);
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default]));
  const contexts = {
    inputs: { ...defaults, ...given },
    github: {
      action_path: repository,
      run_id: machine.runner.id ?? '4711',
      run_attempt: '1',
      event: { pull_request: { head: { sha: 'last-commit' } } },
    },
  };
  const steps = await runSteps(runs.steps, machine, contexts, { ...env, GITHUB_ACTION_PATH: repository });
  const values = Object.entries(outputs).map(([name, { value }]) => [name, value] as const);
  return filled(Object.fromEntries(values), { ...contexts, steps });
}
