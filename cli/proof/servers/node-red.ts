import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFor } from '../pinned-packages.ts';
import { acceptsExpired, type ForeignServer, type ServerToJudge } from './foreign-server.ts';
import { inPackages, packages } from './packages.ts';
import { freePort, startProgram } from './start-program.ts';

export const nodeRed: ServerToJudge = {
  name: 'node-red',
  start,
  warnings: ['rfc.body-token', 'rfc.query-token', 'rfc.challenge'],
  faults: [
    acceptsExpired('ADMIN_TOKEN'),
    {
      what: 'a token without permissions reads the flows',
      breaks: 'scope.flows',
      ...{ takes: 'ADMIN_TOKEN_UNSCOPED', for: 'ADMIN_TOKEN', path: '/flows' },
    },
    {
      what: 'X-Real-IP lets expired tokens in',
      breaks: 'token.expired',
      ...{ takes: 'ADMIN_TOKEN_EXPIRED', for: 'ADMIN_TOKEN', header: ['x-real-ip', '127.0.0.1'] },
    },
  ],
};

const SCOPES = { SETTINGS: 'settings.read', FLOWS: 'flows.read', PREFERENCES: 'settings.write' };

async function start(folder: string): Promise<ForeignServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const all = Object.values(SCOPES).join(' ');
  // A token that should be expired is made while sessions last for a second.
  const stop = await startEditor(folder, url, 1);
  const expired = await signIn(url, all);
  await sleep(1_000);
  await stop();
  const close = await startEditor(folder, url, 3600);
  const env: Record<string, string> = {
    TARGET_BASE_URL: url,
    ADMIN_TOKEN: await signIn(url, all),
    ADMIN_TOKEN_EXPIRED: expired,
    ADMIN_TOKEN_UNSCOPED: await signIn(url, 'library.read'),
    ...{ USER_LOGIN: USER, ACT_AS_LOGIN: 'alan' },
  };
  for (const [name, scope] of Object.entries(SCOPES)) env[`ADMIN_TOKEN_${name}`] = await signIn(url, scope);
  return { env, close };
}

const USER = 'uma';
const PASSWORD = 'the password of uma';

async function signIn(url: string, scope: string): Promise<string> {
  const grant = { client_id: 'node-red-admin', grant_type: 'password', scope, username: USER, password: PASSWORD };
  const answer = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(grant) });
  if (!answer.ok) throw new Error(`The request for a token was answered with ${answer.status}`);
  return Object(await answer.json()).access_token;
}

function startEditor(folder: string, url: string, sessionExpiryTime: number): Promise<() => Promise<void>> {
  const file = join(folder, 'settings.js');
  writeFileSync(
    file,
    `const { hashSync } = require(${JSON.stringify(inPackages('bcryptjs'))});
     module.exports = {
       uiHost: '127.0.0.1',
       userDir: ${JSON.stringify(folder)},
       adminAuth: {
         type: 'credentials',
         sessionExpiryTime: ${sessionExpiryTime},
         users: [{ username: '${USER}', password: hashSync('${PASSWORD}', 4), permissions: '*' }],
       },
     };`,
  );
  const program = [nodeFor(packages), inPackages('node-red/red.js')] as const;
  return startProgram([...program, '--settings', file, '--port', new URL(url).port], folder, url);
}
