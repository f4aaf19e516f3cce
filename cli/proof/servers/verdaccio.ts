import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { nodeFor } from '../pinned-packages.ts';
import { acceptsExpired, type ForeignServer, type ServerToJudge } from './foreign-server.ts';
import { inPackages, packages } from './packages.ts';
import { freePort, startProgram } from './start-program.ts';

export const verdaccio: ServerToJudge = {
  name: 'verdaccio',
  start,
  warnings: [],
  faults: [
    acceptsExpired('LOGIN_TOKEN'),
    {
      what: 'everybody reads a package that is for few',
      breaks: 'scope.package',
      ...{ takes: 'LOGIN_TOKEN_UNSCOPED', for: 'LOGIN_TOKEN', path: '/notes' },
    },
    {
      what: 'X-Forwarded-For lets expired tokens in',
      breaks: 'token.expired',
      ...{ takes: 'LOGIN_TOKEN_EXPIRED', for: 'LOGIN_TOKEN', header: ['x-forwarded-for', '127.0.0.1'] },
    },
  ],
};

async function start(folder: string): Promise<ForeignServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const put = async (path: string, body: object, authorization: string) => {
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(`${url}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`PUT ${path} was answered with ${answer.status}`);
    return Object(await answer.json());
  };
  const login = async (name: string): Promise<string> => {
    const password = `the password of ${name}`;
    const line = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const { token } = await put(`/-/user/org.couchdb.user:${name}`, { name, password }, line);
    return token;
  };
  // A token that should be expired is made while the registry gives tokens for a second.
  const stop = await startRegistry(folder, url, '1s');
  const expired = await login('uma');
  await stop();
  const close = await startRegistry(folder, url, '1h');
  const right = await login('uma');
  await put('/notes', publicationOf('notes', url), `Bearer ${right}`);
  const env = {
    TARGET_BASE_URL: url,
    ...{ LOGIN_TOKEN: right, LOGIN_TOKEN_EXPIRED: expired, LOGIN_TOKEN_UNSCOPED: await login('alan') },
    ...{ USER_LOGIN: 'uma', ACT_AS_LOGIN: 'alan' },
  };
  return { env, close };
}

function startRegistry(folder: string, url: string, expiresIn: string): Promise<() => Promise<void>> {
  const file = join(folder, 'config.yaml');
  const config = {
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd' } },
    security: { api: { legacy: false, jwt: { sign: { expiresIn } } } },
    // What a token may do is what its person may do, so that a token of Alan lacks what one of Uma holds.
    packages: { notes: { access: 'uma', publish: 'uma' } },
    // The suite asks more often than the default lets it.
    userRateLimit: { windowMs: 1000, max: 1_000_000 },
    log: { type: 'stdout', format: 'json', level: 'error' },
  };
  writeFileSync(file, stringify(config));
  const program = [nodeFor(packages), inPackages('verdaccio/bin/verdaccio')] as const;
  return startProgram([...program, '--config', file, '--listen', url], folder, url);
}

/** What `npm publish` sends. */
function publicationOf(name: string, registry: string): object {
  const version = '1.0.0';
  const file = `${name}-${version}.tgz`;
  const data = Buffer.from('nobody opens this archive');
  const dist = {
    tarball: `${registry}/${name}/-/${file}`,
    shasum: createHash('sha1').update(data).digest('hex'),
  };
  return {
    ...{ _id: name, name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } },
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: data.toString('base64'), length: data.length },
    },
  };
}
