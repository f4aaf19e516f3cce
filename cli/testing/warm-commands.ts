// A process that runs one command after another, as its parent asks. Tests fork it (warm-process.ts).

/** A command line, and where it runs. */
export interface Job {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const main = new URL('../main.js', import.meta.url);
const FAILURES = ['uncaughtException', 'unhandledRejection'] as const;
let commands = 0;

async function run({ args, cwd, env }: Job): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = undefined;
  commands += 1;
  // The module runs the command when it is imported. Another query makes it another module, which shares all others.
  await import(`${main}?${commands}`);
  // No output has these characters: the terminal shows them as escapes.
  process.stdout.write(`\0ended ${process.exitCode ?? 0}\0`);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  for (const failure of FAILURES) process.removeAllListeners(failure);
}

// One stream for both keeps the order of what a command prints.
process.stderr.write = process.stdout.write.bind(process.stdout);
process.on('message', (job: Job) => void run(job));
