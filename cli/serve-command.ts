import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pc from 'picocolors';
import { startWorld } from '../fixtures/embedded/world.ts';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { type Configuration, readConfiguration } from '../service/configuration.ts';
import { readIdentityProviders } from '../service/issuers/identity-provider-file.ts';
import type { Issuer } from '../service/issuers/issuers.ts';
import { createLog } from '../service/log.ts';
import { startService } from '../service/start.ts';
import { demoCompany } from '../service/store/demo-company.ts';
import { asDatabaseError, defaultDatabase } from './database-error.ts';

export interface ServeFlags {
  readonly port: string;
  readonly writeEnv?: string;
}

interface Served {
  /** What the person who started it has to know. */
  readonly said: string;
  end(): Promise<void>;
}

/** Runs the reference service until it is interrupted: for people, or with --write-env as the target of a run. */
export async function serveCommand({ port, writeEnv }: ServeFlags, print: (text: string) => void): Promise<void> {
  const wanted = Number(port);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw configurationError(`--port is ${JSON.stringify(port)}, wanted a number from 0 to 65535`);
  const read = readConfiguration(process.env);
  if (!read.ok) throw configurationError(read.problems);
  const { said, end } =
    writeEnv === undefined ? await serveCompany(wanted, read.configuration) : await serveTarget(wanted, writeEnv);
  process.once('SIGINT', end).once('SIGTERM', end);
  print(said);
}

/** Who may sign in, one for each role. */
const guests = ['grace', 'tomas', 'mei', 'priya'].map((name) => `${name}@alder-finch.example`);

/** The service with its demo company, kept in a file. */
async function serveCompany(
  port: number,
  { logLevel, identityProviderFile, ...configured }: Configuration,
): Promise<Served> {
  const { database = defaultDatabase } = configured;
  // Next to the other, so that the addresses stay the same from start to start.
  const authorizationServerPort = port === 0 || port === 65_535 ? 0 : port + 1;
  // On standard error: what the person who started it has to know stays readable on the other.
  const log = createLog(logLevel ?? 'info', process.stderr);
  const identityProviders = readProviders(identityProviderFile);
  const config = { ...configured, database, port, authorizationServerPort, identityProviders, log };
  const service = await startService(config).catch(asConfigurationError);
  const { store } = service.context;
  const isNew = await store.seed(demoCompany);
  const known = (await Promise.all(guests.map((email) => store.people.find(email)))).filter(
    (person) => person !== undefined,
  );
  // New at every start: no password stands in a file, and a forgotten one is of no use to anybody.
  const password = randomBytes(9).toString('base64url');
  await Promise.all(known.map(({ email }) => store.people.setPassword(email, password)));

  const kept = database.startsWith('file:') ? resolve(database.slice('file:'.length)) : 'in memory, gone at the end';
  const said = [
    pc.bold(`The reference service${isNew ? `, new, with the people and documents of ${demoCompany.name}` : ''}`),
    row('admin console', `${service.apiUrl}/admin`),
    ...known.map(({ email, role }, index) => row(index === 0 ? 'sign in as' : '', `${email.padEnd(28)} ${role}`)),
    ...(known.length > 0 ? [row('password', `${password}  (theirs until the next start)`)] : []),
    row('client API', service.apiUrl),
    row('authorization server', service.authorizationServerUrl),
    row('data', `${kept}${configured.databaseKey === undefined ? '' : ', its secrets encrypted'}`),
    '',
    'Sign in, create a token and paste the curl line that is shown with it.',
    'To test it like any other implementation: npm start -- --write-env .env, then npm run conformance elsewhere.',
    'Ctrl-C ends it.',
  ].join('\n');
  return { said, end: service.close };
}

function readProviders(file: string | undefined): Issuer[] {
  try {
    return file === undefined ? [] : readIdentityProviders(file);
  } catch (error) {
    const lines: string[] = String(Object(error).message).split('\n');
    throw configurationError(lines.map((line) => `IDENTITY_PROVIDERS: ${line}`));
  }
}

/** The service as a run meets it, with every kind of token, all in memory. */
async function serveTarget(port: number, writeEnv: string): Promise<Served> {
  if (existsSync(writeEnv)) throw configurationError(`${writeEnv} is there already; it is never overwritten`);
  const world = await startWorld();
  const target = await world.serve({ port }).catch(async (error: unknown) => {
    await world.close();
    return asConfigurationError(error);
  });
  const { env } = target;
  const lines = Object.entries(env).map(
    ([name, value]) => `${name}=${/^[\w.:/@+-]*$/.test(value) ? value : quoted(value)}\n`,
  );
  writeFileSync(writeEnv, lines.join(''), { mode: 0o600, flag: 'wx' });
  const said = [
    pc.bold('The reference service as a target, in memory, with people and tokens that end with it'),
    row('client API', env['TARGET_BASE_URL'] ?? ''),
    row('authorization server', world.authorizationServerUrl),
    row('sign in as', `${world.signIn.email}  ${world.signIn.password}`),
    row('every token', `${resolve(writeEnv)}, readable by you alone`),
    '',
    'npm run conformance in the folder of that file tests this service.',
    'Search as a person:',
    `  (. ${quoted(resolve(writeEnv))}; curl -sS "$TARGET_BASE_URL/rest/api/v1/search" -H "Authorization: Bearer $USER_TOKEN" -H 'Content-Type: application/json' -d '{"query":"service"}')`,
    'Ctrl-C ends it.',
  ].join('\n');
  const end = async () => {
    await target.close();
    await world.close();
  };
  return { said, end };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function row(name: string, value: string): string {
  return `  ${pc.dim(name.padEnd(20))}  ${value}`;
}

/** Why the service did not start, where another port or file would help. */
function asConfigurationError(error: unknown): never {
  const { code, port } = Object(error);
  if (code === 'EADDRINUSE' || code === 'EACCES')
    throw configurationError(`cannot listen on port ${port} (${code}); choose another with --port, 0 for any free one`);
  if (/; keep one\.$/.test(String(error))) throw configurationError(Object(error).message);
  return asDatabaseError(error);
}
