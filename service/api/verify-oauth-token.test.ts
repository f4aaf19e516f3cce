import type { RequestListener } from 'node:http';
import { CompactSign, createLocalJWKSet, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createIssuerClient, type IssuerClient } from '../issuers/issuer-client.ts';
import { type Issuer, ownIssuer } from '../issuers/issuers.ts';
import { listen } from '../listen.ts';
import { hashOf } from '../store/encryption.ts';
import { Refusal } from '../terms/refusal.ts';
import { bearer, searchPath, start, type TestApp, testApp } from '../testing/app.ts';
import type { Call } from './steps.ts';
import { verifySignature } from './verify-oauth-token.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Keys;
let otherKeys: Keys;
beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  otherKeys = await generateKeyPair('ES256', { extractable: true });
});

const issuer = 'https://login.example';
const audience = 'https://api.example';
const claims = { iss: issuer, aud: audience, sub: 'ann', azp: 'app', email: 'ann@example.com', scp: 'find talk' };
const external: Issuer = {
  name: 'test',
  family: 'external',
  issuer,
  tokens: { form: 'jwt' },
  audience,
  clients: { claim: 'azp', allowed: ['app'] },
  person: { by: 'email', claim: 'email', in: 'claims' },
  scopes: { claim: 'scp', names: { SEARCH: 'find', CHAT: 'talk' } },
};

async function clientOf(row: Issuer): Promise<IssuerClient> {
  const key = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'ES256' };
  return createIssuerClient(row, { now: () => start, localKeys: createLocalJWKSet({ keys: [key] }) });
}

function sign(payload: object = {}, header: Partial<JWTHeaderParameters> = {}, key = keys.privateKey): Promise<string> {
  const times = { exp: start / 1000 + 60 };
  return new SignJWT({ ...claims, ...times, ...payload })
    .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
    .sign(key);
}

const search = ({ send }: TestApp, token: string) =>
  send(searchPath, [...bearer(token), 'X-Service-Auth-Type', 'OAUTH']);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a JWT of an identity provider', () => {
  test('is accepted in every valid form', async () => {
    const app = await testApp({ issuers: [await clientOf(external)] });
    for (const form of [
      {},
      { aud: ['x', audience] },
      { scp: ['find'] },
      { exp: start / 1000 + 99 * 365 * 24 * 3600 },
      { exp: start / 1000 + 60.5 },
      { nbf: start / 1000 },
    ]) {
      expect(await search(app, await sign(form))).toMatchObject({ status: 200 });
    }
  });

  test.each([
    ['another audience', { aud: 'https://elsewhere.example' }],
    ['no audience', { aud: undefined }],
    ['an audience of which ours is only a prefix', { aud: `${audience}/mcp` }],
    ['another client', { azp: 'another' }],
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is reached', { exp: start / 1000 }],
    ['a start in the future', { nbf: start / 1000 + 1 }],
    ['the email of an unknown person', { email: 'eve@example.com' }],
    ['an email that differs in letter case', { email: 'Ann@example.com' }],
    ['an email that becomes another one by case folding', { email: 'an\u212A@example.com' }],
    ['an email with a no-break space before it', { email: '\u00A0ann@example.com' }],
    ['an email with a space after it', { email: 'ann@example.com ' }],
    ['a list of emails', { email: ['ann@example.com'] }],
    ['an expiry as hexadecimal text', { exp: '0xFFFFFFFFFF' }],
    ['an expiry as text with an exponent', { exp: '1e12' }],
    ['an expiry as text with a space', { exp: ` ${start / 1000 + 60}` }],
    ['an expiry that never comes', { exp: 1e300 }],
    ['an expiry after more than a century', { exp: start / 1000 + 101 * 365.25 * 24 * 3600 }],
    ['a negative expiry', { exp: -1 }],
    ['a start that is not a number', { nbf: 'later' }],
    ['a start that is null', { nbf: null }],
    ['no email', { email: undefined }],
    ['an unverified email', { email_verified: false }],
  ])('with %s is refused', async (_what, payload) => {
    const app = await testApp({ issuers: [await clientOf(external)] });
    expect(await search(app, await sign(payload))).toMatchObject({ status: 401 });
  });

  test('with other permissions lacks the scope', async () => {
    const app = await testApp({ issuers: [await clientOf(external)] });
    for (const scp of ['talk', 'SEARCH', 'finder', 'Find', '', undefined, ['talk'], 5]) {
      expect(await search(app, await sign({ scp }))).toMatchObject({ status: 403 });
    }
  });

  test('is refused when it is forged or changed', async () => {
    const app = await testApp({ issuers: [await clientOf(external)] });
    const [header = '', payload = '', signature = ''] = (await sign()).split('.');
    const edited = encode({ ...claims, exp: start / 1000 + 60, email: 'bob@example.com' });
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none', kid: 'k' })}.${payload}.${signature}`,
      `${header}.${edited}.${signature}`,
      `${header}.${payload}.`,
      await sign({}, {}, otherKeys.privateKey),
      await sign({}, { jwk: await exportJWK(otherKeys.publicKey) }, otherKeys.privateKey),
      await sign({}, { kid: 'unknown' }),
      await new SignJWT({ ...claims, exp: start / 1000 + 60 })
        .setProtectedHeader({ alg: 'HS256', kid: 'k' })
        .sign(Buffer.from(JSON.stringify(await exportJWK(keys.publicKey)))),
      `${header}.${Buffer.from('not JSON').toString('base64url')}.${signature}`,
      `.${payload}.${signature}`,
      'a.b.c',
    ];
    for (const token of forged) expect(await search(app, token)).toMatchObject({ status: 401 });
  });

  test.each(['app', 'second'])('is accepted from the allowed client %s of two', async (azp) => {
    const row = { ...external, clients: { claim: 'azp', allowed: ['app', 'second'] } };
    const app = await testApp({ issuers: [await clientOf(row)] });
    expect(await search(app, await sign({ azp }))).toMatchObject({ status: 200 });
    expect(await search(app, await sign({ azp: 'third' }))).toMatchObject({ status: 401 });
  });

  test.each(['null', '[]', '5', '"text"', 'true', 'not JSON', ''])(
    'with the signed payload %j is refused',
    async (payload) => {
      const signed = await new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(keys.privateKey);
      await expect(verifySignature({} as Call, await clientOf(external), signed)).rejects.toThrow(Refusal);
      expect(await search(await testApp({ issuers: [await clientOf(external)] }), signed)).toMatchObject({
        status: 401,
      });
    },
  );

  test('without X-Service-Auth-Type gets another message than an unknown token', async () => {
    const { send } = await testApp({ issuers: [await clientOf(external)] });
    const detail = async (token: string) => (await send(searchPath, bearer(token))).json.detail;
    expect(await detail(await sign())).toBe('Missing X-Service-Auth-Type header');
    expect(await detail(await sign({ exp: 1 }))).toBe('Missing X-Service-Auth-Type header');
    expect(await detail('a.b.c')).toBe('Invalid Secret');
    expect(await detail(await sign({ iss: 'https://elsewhere.example' }))).toBe('Invalid Secret');
  });
});

describe('a JWT of our own authorization server', () => {
  const own = (sub: string) => ({ sub, scope: 'SEARCH', grant: hashOf('grant') });
  const started = async () => {
    const app = await testApp({ issuers: [await clientOf(ownIssuer(issuer, audience))] });
    const grants = app.store.authorization.adapter('Grant');
    await grants?.upsert('grant', { jti: 'grant', accountId: app.ann.id, clientId: 'app' }, 60);
    const use = async (payload: object, typ?: string) =>
      (await app.send(searchPath, bearer(await sign(payload, typ === undefined ? {} : { typ })))).status;
    return { ...app, grants, use };
  };

  test('needs no X-Service-Auth-Type, but the typ at+jwt (RFC 9068 4)', async () => {
    const { ann, use } = await started();
    expect(await use(own(ann.id), 'at+jwt')).toBe(200);
    expect(await use(own(ann.id), 'application/at+JWT')).toBe(200);
    expect(await use(own(ann.id), 'JWT')).toBe(401);
    expect(await use(own(ann.id))).toBe(401);
  });

  test('is refused when its person no longer exists', async () => {
    const { use } = await started();
    expect(await use(own('gone'), 'at+jwt')).toBe(401);
  });

  test('is refused when its grant no longer exists', async () => {
    const { ann, use, grants } = await started();
    expect(await use({ ...own(ann.id), grant: undefined }, 'at+jwt')).toBe(401);
    expect(await use({ ...own(ann.id), grant: hashOf('another') }, 'at+jwt')).toBe(401);
    await grants?.destroy('grant');
    expect(await use(own(ann.id), 'at+jwt')).toBe(401);
  });
});

describe('an identity provider', () => {
  async function provider(listener: RequestListener): Promise<string> {
    const server = await listen();
    server.answerWith(listener);
    onTestFinished(server.close);
    return server.url;
  }
  const now = () => start;
  const opaque = (url: string): IssuerClient =>
    createIssuerClient(
      { ...external, issuer: url, tokens: { form: 'opaque', tokeninfo: `${url}/tokeninfo` } },
      { now },
    );

  test.each([
    ['fails', 500, '{}'],
    ['is busy', 429, '{}'],
    ['does not answer JSON', 200, '<html>'],
    ['does not answer an object', 200, '[]'],
  ])('that %s leads to 503', async (_what, code, body) => {
    const url = await provider((_request, response) => void response.writeHead(code).end(body));
    const app = await testApp({ issuers: [opaque(url)] });
    expect(await search(app, 'opaque')).toMatchObject({ status: 503 });
  });

  test('that is unreachable leads to 503', async () => {
    const app = await testApp({ issuers: [opaque('http://127.0.0.1:9'), createIssuerClient(external, { now })] });
    expect(await search(app, 'opaque')).toMatchObject({ status: 503 });
    const remote = await testApp({
      issuers: [createIssuerClient({ ...external, issuer: 'http://127.0.0.1:9' }, { now })],
    });
    expect(await search(remote, await sign({ iss: 'http://127.0.0.1:9' }))).toMatchObject({ status: 503 });
  });

  test('never gets a secret of a service-issued token', async () => {
    let asked = 0;
    const url = await provider((_request, response) => {
      asked++;
      response.writeHead(400).end('{}');
    });
    const app = await testApp({ issuers: [opaque(url)] });
    expect(await search(app, (await app.secret()).slice(0, -1))).toMatchObject({ status: 401 });
    expect(asked).toBe(0);
    expect(await search(app, 'ya29.another')).toMatchObject({ status: 401 });
    expect(asked).toBe(1);
  });

  test('must answer at userinfo about the subject of the token (OIDC Core 5.3.2)', async () => {
    let sub = 'ann';
    const url: string = await provider((request, response) => {
      const discovery = { issuer: url, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/userinfo` };
      const answer = request.url === '/userinfo' ? { sub, email: 'ann@example.com' } : discovery;
      response.end(JSON.stringify(answer));
    });
    const app = await testApp({
      issuers: [await clientOf({ ...external, issuer: url, person: { by: 'email', claim: 'email', in: 'userinfo' } })],
    });
    const token = () => sign({ iss: url, email: undefined, jti: sub });
    expect(await search(app, await token())).toMatchObject({ status: 200 });
    sub = 'bob';
    expect(await search(app, await token())).toMatchObject({ status: 401 });
  });
});
