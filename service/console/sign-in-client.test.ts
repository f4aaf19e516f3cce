import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../listen.ts';
import { SignInRefused, signInClient } from './sign-in-client.ts';

const issuer = 'https://issuer.example';

/** A client, and a token endpoint that answers with an ID token of the given claims or with the given error. */
async function client() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const requests: { authorization: string | undefined; form: URLSearchParams }[] = [];
  let answer: { claims: Record<string, unknown>; key?: typeof privateKey } | { error: string } = { claims: {} };
  const server = await listen();
  onTestFinished(server.close);
  server.answerWith(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      authorization: request.headers.authorization,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
    });
    response.setHeader('content-type', 'application/json');
    if ('error' in answer) return void response.writeHead(400).end(JSON.stringify(answer));
    const id_token = await new SignJWT(answer.claims)
      .setProtectedHeader({ alg: 'ES256' })
      .sign(answer.key ?? privateKey);
    response.end(JSON.stringify({ id_token }));
  });
  const signIn = signInClient({
    issuer,
    authorizationEndpoint: `${issuer}/auth`,
    tokenEndpoint: `${server.url}/token`,
    keys: createLocalJWKSet({ keys: [await exportJWK(publicKey)] }),
    clientId: 'console:1',
    clientSecret: 'a secret/1',
    redirectUri: 'https://console.example/back',
  });
  const { location, pending } = signIn.begin('/admin');
  const seconds = Math.floor(Date.now() / 1000);
  const times = { iat: seconds, auth_time: seconds, exp: seconds + 60 };
  const claims = { iss: issuer, aud: 'console:1', sub: 'ann', sid: 's', nonce: pending.nonce, ...times };
  const query = (more: Record<string, string> = {}) =>
    new URLSearchParams({ state: pending.state, iss: issuer, code: 'c', ...more });
  const answers = (next: typeof answer) => {
    answer = next;
  };
  return { signIn, location, pending, claims, query, requests, answers };
}

test('a code is redeemed with its verifier and the client credentials (RFC 6749 4.1.3, RFC 7636 4.5)', async () => {
  const { signIn, location, pending, claims, query, requests, answers } = await client();
  answers({ claims });
  expect(await signIn.finish(query(), pending)).toEqual({ personId: 'ann', authorizationSession: 's' });
  expect(Object.fromEntries(requests[0]?.form ?? [])).toEqual({
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: 'https://console.example/back',
    code_verifier: pending.verifier,
  });
  expect(Buffer.from(requests[0]?.authorization?.slice('Basic '.length) ?? '', 'base64').toString()).toBe(
    'console%3A1:a%20secret%2F1',
  );
  expect(location).not.toContain(pending.verifier);
});

test.each([
  ['of another sign-in', { state: 'other' }],
  ['of another server', { iss: 'https://evil.example' }],
])('the code of an answer %s is not redeemed', async (_name, more) => {
  const { signIn, pending, claims, query, requests, answers } = await client();
  answers({ claims });
  await expect(signIn.finish(query(more), pending)).rejects.toThrow(SignInRefused);
  await expect(signIn.finish(query(), undefined)).rejects.toThrow(SignInRefused);
  expect(requests).toEqual([]);
});

test('a denied sign-in and a used code are refused, and any other error is thrown', async () => {
  const { signIn, pending, query, answers } = await client();
  const declined = new URLSearchParams({ state: pending.state, iss: issuer, error: 'access_denied' });
  await expect(signIn.finish(declined, pending)).rejects.toThrow('You were not signed in.');
  answers({ error: 'invalid_grant' });
  await expect(signIn.finish(query(), pending)).rejects.toThrow(SignInRefused);
  answers({ error: 'invalid_client' });
  await expect(signIn.finish(query(), pending)).rejects.toThrow(/answered 400 invalid_client/);
});

test.each([
  ['another issuer', { iss: 'https://evil.example' }],
  ['another client', { aud: 'other' }],
  ['another nonce', { nonce: 'other' }],
  ['no nonce', { nonce: undefined }],
  ['no subject', { sub: undefined }],
  ['an expiry in the past', { exp: 1 }],
  ['a password that was given before', { auth_time: Math.floor(Date.now() / 1000) - 30 }],
  ['no time of the password', { auth_time: undefined }],
  ['no session', { sid: undefined }],
])('an ID token with %s signs nobody in (OIDC Core 3.1.3.7)', async (_name, wrong) => {
  const { signIn, pending, claims, query, answers } = await client();
  answers({ claims: { ...claims, ...wrong } });
  await expect(signIn.finish(query(), pending)).rejects.toThrow();
});

test('an ID token signed with another key signs nobody in', async () => {
  const { signIn, pending, claims, query, answers } = await client();
  const { privateKey } = await generateKeyPair('ES256');
  answers({ claims, key: privateKey });
  await expect(signIn.finish(query(), pending)).rejects.toThrow(/signature/);
});

test('a state that this console did not make signs nobody in', async () => {
  const { signIn, pending, claims, query, answers } = await client();
  answers({ claims: { ...claims, auth_time: 5 } });
  const state = pending.state.replace(/^\d+/, '5');
  await expect(signIn.finish(query({ state }), { ...pending, state })).rejects.toThrow(SignInRefused);
});
