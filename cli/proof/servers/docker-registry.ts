import { createHash, randomUUID, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { makeCertificates } from '../../../harness/testing/certificates.ts';
import { acceptsExpired, type ForeignServer, type ServerToJudge } from './foreign-server.ts';
import { unpackDebian } from './packages.ts';
import { freePort, startProgram } from './start-program.ts';

const debian = { name: 'docker-registry', version: '2.8.2+ds1-1' };

export const dockerRegistry: ServerToJudge = {
  ...debian,
  start,
  warnings: [],
  faults: [
    acceptsExpired('REGISTRY_TOKEN'),
    {
      what: 'a token for another registry is accepted',
      breaks: 'token.foreign',
      ...{ takes: 'REGISTRY_TOKEN_FOREIGN', for: 'REGISTRY_TOKEN' },
    },
    {
      what: 'X-Real-IP lets everybody pull',
      breaks: 'scope.tags',
      ...{
        takes: 'REGISTRY_TOKEN_UNSCOPED',
        for: 'REGISTRY_TOKEN',
        path: '/v2/notes/tags/list',
        header: ['x-real-ip', '127.0.0.1'],
      },
    },
  ],
};

interface Access {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}
const PULL: Access = { type: 'repository', name: 'notes', actions: ['pull'] };
const PUSH: Access = { type: 'repository', name: 'notes', actions: ['pull', 'push'] };
const CATALOG: Access = { type: 'registry', name: 'catalog', actions: ['*'] };

const [ISSUER, SERVICE] = ['issuer', 'registry'];

async function start(folder: string): Promise<ForeignServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { ca, certificate, key } = makeCertificates('127.0.0.1');
  writeFileSync(join(folder, 'ca.pem'), ca);
  const config = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: './data' } },
    http: { addr: new URL(url).host },
    auth: { token: { realm: `${url}/token`, service: SERVICE, issuer: ISSUER, rootcertbundle: './ca.pem' } },
  };
  writeFileSync(join(folder, 'config.yaml'), stringify(config));
  const program = join(unpackDebian(debian), 'usr/bin/docker-registry');
  const close = await startProgram([program, 'serve', 'config.yaml'], folder, url);
  const issue = issuerWith(certificate, key);
  await pushNotes(url, issue([PUSH]));
  const all = [PULL, CATALOG];
  const env = {
    TARGET_BASE_URL: url,
    REGISTRY_TOKEN: issue(all),
    REGISTRY_TOKEN_PULL: issue([PULL]),
    REGISTRY_TOKEN_CATALOG: issue([CATALOG]),
    REGISTRY_TOKEN_UNSCOPED: issue([]),
    REGISTRY_TOKEN_EXPIRED: issue(all, { minutes: -60 }),
    REGISTRY_TOKEN_FOREIGN: issue(all, { service: 'another registry' }),
    ...{ USER_LOGIN: 'uma', ACT_AS_LOGIN: 'alan' },
  };
  return { env, close };
}

/** Issues tokens as the registry documents them (spec/auth/jwt.md). Each brings the certificate of its key. */
function issuerWith(certificate: string, key: string) {
  const x5c = [certificate.replace(/-----[^-]+-----|\s/g, '')];
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return (access: readonly Access[], { minutes = 60, service = SERVICE } = {}): string => {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now - 7200, nbf: now - 7200, exp: now + minutes * 60 };
    const claims = { iss: ISSUER, sub: 'uma', aud: service, ...times, jti: randomUUID(), access };
    const input = `${encoded({ typ: 'JWT', alg: 'ES256', x5c })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  };
}

/** Pushes an image without layers. */
async function pushNotes(url: string, token: string): Promise<void> {
  const send = async (method: string, path: string, body?: string, type = 'application/octet-stream') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return answer.headers.get('location') ?? '';
  };
  const image = '{}';
  const digest = `sha256:${createHash('sha256').update(image).digest('hex')}`;
  const upload = new URL(await send('POST', '/v2/notes/blobs/uploads/'));
  upload.searchParams.set('digest', digest);
  await send('PUT', upload.href, image);
  const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
  const config = { mediaType: 'application/vnd.docker.container.image.v1+json', size: image.length, digest };
  const manifest = { schemaVersion: 2, mediaType, config, layers: [] };
  await send('PUT', '/v2/notes/manifests/latest', JSON.stringify(manifest), mediaType);
}
