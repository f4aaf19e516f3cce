import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import pc from 'picocolors';
import { configurationError, errorCause } from '../harness/contract/configuration-error.ts';
import { calledAs, packageFolder, programFile } from '../harness/contract/package-files.ts';
import { shellWord } from '../harness/contract/visible-text.ts';
import { writeNew } from '../harness/record/report-folder.ts';
import { readNumber } from '../harness/settings/parse-values.ts';
import type * as Service from '../service/main.ts';
import { loadEmbedded, loadService } from '../suites/reference.ts';
import { asDatabaseError, defaultDatabase } from './rotate-keys-command.ts';
import { ENDING_SIGNALS, logStream, print } from './terminal.ts';

export interface ServeFlags {
  readonly port: string;
  readonly writeEnv?: string;
}

interface Served {
  /** What to print for the person who started the service. */
  readonly text: string;
  end(): Promise<void>;
}

/** Runs the reference service until it is interrupted: with a demo company, or with --write-env as the target of a run. */
export async function serveCommand({ port, writeEnv }: ServeFlags): Promise<void> {
  const problems: string[] = [];
  const wanted = readNumber(port, '--port', { minimum: 0, maximum: 65_535, whole: true }, problems);
  if (wanted === undefined) throw configurationError(problems);
  const service = await loadService();
  const read = service.readConfiguration(process.env);
  if (!read.ok) throw configurationError(read.problems);
  const { text, end } =
    writeEnv === undefined
      ? await serveCompany(service, wanted, read.configuration)
      : await serveTarget(wanted, writeEnv);
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  print(text);
}

/** The people of the demo company who get a password, one for each role. */
const guests = ['grace', 'tomas', 'mei', 'priya'].map((name) => `${name}@alder-finch.example`);

async function serveCompany(
  { createGuardedFetch, createLog, demoCompany, readIdentityProviders, startService }: typeof Service,
  port: number,
  { logLevel, identityProviderFile, clientIdMetadataDocuments = false, ...configured }: Service.Configuration,
): Promise<Served> {
  const { database = defaultDatabase } = configured;
  // The next port, so that the addresses are the same at every start.
  const authorizationServerPort = port === 0 || port === 65_535 ? 0 : port + 1;
  // The log goes to standard error, so that standard output has only the text for the person who started the service.
  const log = createLog(logLevel ?? 'info', logStream);
  const identityProviders = asProblems(() =>
    identityProviderFile === undefined ? [] : readIdentityProviders(identityProviderFile),
  );
  const fetchClientMetadata = clientIdMetadataDocuments ? createGuardedFetch() : undefined;
  const addresses = { database, port, authorizationServerPort };
  const config = { ...configured, ...addresses, identityProviders, fetchClientMetadata, log };
  const service = await startService(config).catch(asConfigurationError);
  const { store } = service.context;
  const isNew = await store.seed(demoCompany);
  const known = (await Promise.all(guests.map((email) => store.people.find(email)))).filter(
    (person) => person !== undefined,
  );
  // A new password at every start: no file contains one, and an old one is useless.
  const password = randomBytes(9).toString('base64url');
  await store.people.setPassword(
    known.map(({ email }) => email),
    password,
  );

  const kept = database.startsWith('file:')
    ? resolve(database.slice('file:'.length))
    : 'in memory; lost when the service stops';
  const text = [
    pc.bold(
      `The reference service${isNew ? `, with a new database: people and documents of ${demoCompany.name}` : ''}`,
    ),
    row('admin console', `${service.apiUrl}/admin`),
    ...known.map(({ email, role }, index) => row(index === 0 ? 'sign in as' : '', `${email.padEnd(28)} ${role}`)),
    ...(known.length > 0 ? [row('password', `${password}  (for all of them, until the next start)`)] : []),
    row('client API', service.apiUrl),
    row('authorization server', service.authorizationServerUrl),
    row('data', `${kept}${configured.databaseKey === undefined ? '' : ', its secrets encrypted'}`),
    '',
    'Sign in, create a token, and paste the curl line that is shown with it into a terminal.',
    `To run the suite against it: ${ownCommand('serve --write-env .env', process.cwd())}, which says how.`,
    'Press Ctrl-C to stop it.',
  ].join('\n');
  return { text, end: service.close };
}

/** What reads the file of IDENTITY_PROVIDERS, with its errors as those of the operator. */
function asProblems<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const lines: string[] = String(Object(error).message).split('\n');
    throw configurationError(lines.map((line) => `IDENTITY_PROVIDERS: ${line}`));
  }
}

/** The service as the target of a run: with every kind of token, in memory. */
async function serveTarget(port: number, writeEnv: string): Promise<Served> {
  if (existsSync(writeEnv))
    throw configurationError(`${writeEnv} already exists and is never overwritten; move it away or name another file`);
  if (!existsSync(dirname(resolve(writeEnv))))
    throw configurationError(`${writeEnv} cannot be written: its folder does not exist; make the folder first`);
  const { startWorld } = await loadEmbedded();
  const world = await startWorld();
  const target = await world.serve({ port }).catch(async (error: unknown) => {
    await world.close();
    return asConfigurationError(error);
  });
  const { env } = target;
  const file = resolve(writeEnv);
  const lines = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}\n`);
  try {
    writeNew(writeEnv, lines.join(''), 0o600);
  } catch (error) {
    await target.close();
    await world.close();
    throw configurationError(`cannot write ${writeEnv} (${errorCause(error)}); name a file that you may write`);
  }
  const text = [
    pc.bold('The reference service as a target: in memory, its people and tokens are lost when it stops'),
    row('client API', env['TARGET_BASE_URL'] ?? ''),
    row('admin console', `${world.apiUrl}/admin`),
    row('authorization server', world.authorizationServerUrl),
    ...world.signIn.people.map(({ email, role }, index) =>
      row(index === 0 ? 'sign in as' : '', `${email.padEnd(20)} ${role}`),
    ),
    row('password', `${world.signIn.password}  (for all of them)`),
    row('every token', `${file} (only you can read it)`),
    '',
    'To test this service, in a second terminal:',
    `  ${runWith(file)}`,
    'To search as a person:',
    `  (. ${shellWord(file)}; curl -sS "$TARGET_BASE_URL/rest/api/v1/search" -H "Authorization: Bearer $USER_TOKEN" -H 'Content-Type: application/json' -d '{"query":"service"}')`,
    'Press Ctrl-C to stop it.',
  ].join('\n');
  const end = async () => {
    await target.close();
    await world.close();
  };
  return { text, end };
}

/** A run with the variables of a file. It reads a `.env` where it starts, and gets any other file from the shell. */
function runWith(file: string): string {
  const folder = dirname(file);
  const load = basename(file) === '.env' ? '' : `set -a && . ${shellWord(file)} && `;
  return `(cd ${shellWord(folder)} && ${load}${ownCommand('run', folder)})`;
}

function row(name: string, value: string): string {
  return `  ${pc.dim(name.padEnd(20))}  ${value}`;
}

/** Throws a configuration error if another port or file would help; otherwise throws the error itself. */
function asConfigurationError(error: unknown): never {
  const { code, port } = Object(error);
  if (code === 'EADDRINUSE' || code === 'EACCES')
    throw configurationError(
      `cannot listen on port ${port} (${code}); choose another with --port (0 for any free port)`,
    );
  if (/; keep one\.$/.test(String(error))) throw configurationError(String(Object(error).message).split('\n'));
  return asDatabaseError(error);
}

const NAME = 'client-api-conformance';

/** A command line that runs this program in a folder: by its name where npx finds it, and elsewhere by its file. */
export function ownCommand(args: string, folder: string): string {
  const isFound = folder === packageFolder || existsSync(join(folder, 'node_modules', '.bin', NAME));
  return `${isFound ? calledAs : `node ${shellWord(programFile)}`} ${args}`;
}
