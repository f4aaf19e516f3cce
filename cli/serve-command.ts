import { existsSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import { startWorld } from '../fixtures/world.ts';
import { configurationError } from '../harness/configuration-error.ts';

export interface ServeFlags {
  readonly port: string;
  readonly writeEnv?: string;
}

/** Runs the reference service with demo people and tokens until it is interrupted. */
export async function serveCommand({ port, writeEnv }: ServeFlags, print: (text: string) => void): Promise<void> {
  const wanted = Number(port);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw configurationError(`--port is ${JSON.stringify(port)}, wanted a number from 0 to 65535`);
  if (writeEnv !== undefined && existsSync(writeEnv))
    throw configurationError(`${writeEnv} is there already; it is never overwritten`);
  const world = await startWorld();
  const target = await world.serve(undefined, wanted).catch(async (error: unknown) => {
    await world.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw configurationError(
      `cannot listen on port ${wanted} (${code}); choose another with --port, 0 for any free one`,
    );
  });
  const { env } = target;
  if (writeEnv !== undefined)
    writeFileSync(
      writeEnv,
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
      { mode: 0o600, flag: 'wx' },
    );
  const rows = [
    ['client API', env['TARGET_BASE_URL']],
    ['authorization server', world.authorizationServerUrl],
    ['sign in as', `${world.signIn.email}  ${world.signIn.password}`],
    ['USER_TOKEN', env['USER_TOKEN']],
    ['GLOBAL_TOKEN', env['GLOBAL_TOKEN']],
    ['ACT_AS_EMAIL', env['ACT_AS_EMAIL']],
  ];
  print(
    [
      pc.bold('The reference service, with demo people and tokens that end with it'),
      ...rows.map(([name = '', value = '']) => `  ${pc.dim(name.padEnd(20))}  ${value}`),
      '',
      'Search as a person, or as anybody with the global token:',
      `  curl -sS ${env['TARGET_BASE_URL']}/rest/api/v1/search -H 'Authorization: Bearer ${env['USER_TOKEN']}' -H 'Content-Type: application/json' -d '{"query":"service"}'`,
      '',
      writeEnv === undefined
        ? `Test it like any other implementation: start it with --write-env .env (every token, mode 0600), then npm run conformance elsewhere`
        : `${writeEnv} holds every token: npm run conformance in its folder tests this service`,
      'Ctrl-C ends it.',
    ].join('\n'),
  );
  const end = async () => {
    await target.close();
    await world.close();
  };
  process.once('SIGINT', end).once('SIGTERM', end);
}
