import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeFor } from '../pinned-packages.ts';
import { acceptsExpired, type ForeignServer, type ServerToJudge } from './foreign-server.ts';
import { inPackages, packages } from './packages.ts';
import { freePort, startProgram } from './start-program.ts';

export const strapi: ServerToJudge = {
  name: 'strapi',
  package: '@strapi/strapi',
  start,
  warnings: ['rfc.challenge'],
  faults: [
    acceptsExpired('API_TOKEN'),
    {
      what: 'a token without permissions reads the notes',
      breaks: 'scope.list',
      ...{ takes: 'API_TOKEN_UNSCOPED', for: 'API_TOKEN_READ' },
    },
    {
      what: 'X-Forwarded-For lets expired tokens in',
      breaks: 'token.expired',
      ...{ takes: 'API_TOKEN_EXPIRED', for: 'API_TOKEN', header: ['x-forwarded-for', '127.0.0.1'] },
    },
  ],
};

async function start(folder: string): Promise<ForeignServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  for (const [path, text] of Object.entries(filesFor(Number(new URL(url).port)))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
  }
  mkdirSync(join(folder, 'public/uploads'), { recursive: true });
  symlinkSync(inPackages('.'), join(folder, 'node_modules'));
  const env = { NODE_ENV: 'production', STRAPI_TELEMETRY_DISABLED: 'true' };
  const close = await startProgram([nodeFor(packages), 'start.js'], folder, url, env);
  const tokens = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'));
  return { env: { TARGET_BASE_URL: url, ...tokens, USER_LOGIN: 'uma', ACT_AS_LOGIN: 'alan' }, close };
}

/** An application with one content type, notes. */
function filesFor(port: number): Readonly<Record<string, string | object>> {
  const secret = randomBytes(32).toString('hex');
  const factory = (name: string) => `module.exports = require('@strapi/strapi').factories.${name}('api::note.note');`;
  return {
    'package.json': { name: 'notes', version: '1.0.0', strapi: { uuid: false } },
    'config/server.json': { host: '127.0.0.1', port, app: { keys: [secret] } },
    'config/admin.json': {
      serveAdminPanel: false,
      ...{ auth: { secret }, apiToken: { salt: secret }, transfer: { token: { salt: secret } } },
      secrets: { encryptionKey: secret },
    },
    'config/database.json': {
      connection: { client: 'sqlite', connection: { filename: 'data.db' }, useNullAsDefault: true },
    },
    'config/middlewares.json': ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public'].map(
      (name) => `strapi::${name}`,
    ),
    'src/api/note/content-types/note/schema.json': {
      ...{ kind: 'collectionType', collectionName: 'notes', options: { draftAndPublish: false } },
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { title: { type: 'string', required: true } },
    },
    'src/api/note/controllers/note.js': factory('createCoreController'),
    'src/api/note/routes/note.js': factory('createCoreRouter'),
    'src/api/note/services/note.js': factory('createCoreService'),
    'src/index.js': SEED,
    'start.js': "require('@strapi/strapi').createStrapi({ appDir: __dirname, distDir: __dirname }).start();",
  };
}

/** Makes the tokens. Their form offers no expiry in the past. */
const SEED = `module.exports = {
  async bootstrap({ strapi }) {
    const [read, write] = ['api::note.note.find', 'api::note.note.create'];
    const all = {
      API_TOKEN: [read, write],
      API_TOKEN_READ: [read],
      API_TOKEN_WRITE: [write],
      API_TOKEN_UNSCOPED: [],
      API_TOKEN_EXPIRED: [read, write],
    };
    const tokens = {};
    for (const [name, permissions] of Object.entries(all)) {
      const terms = { name, description: '', type: 'custom', lifespan: null, permissions };
      tokens[name] = (await strapi.service('admin::api-token').create(terms)).accessKey;
    }
    const past = { where: { name: 'API_TOKEN_EXPIRED' }, data: { expiresAt: Date.now() - 3_600_000 } };
    await strapi.db.query('admin::api-token').updateMany(past);
    require('node:fs').writeFileSync('tokens.json', JSON.stringify(tokens));
  },
};`;
