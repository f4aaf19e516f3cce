import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readIdentityProviders } from './identity-provider-file.ts';

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'providers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'providers.yaml');
  writeFileSync(path, content);
  return path;
}

const signed = `
- name: Okta
  issuer: https://example.okta.com/oauth2/default
  tokens: { form: jwt }
  audience: api://default
  clients: { claim: cid, allowed: [0oa1] }
  person: { by: email, claim: sub, in: claims }
  scopes: { claim: scp, names: { SEARCH: client_api.search, CHAT: client_api.chat } }
`;

test('reads how to check the tokens of each provider, and where their email and scopes are', () => {
  const opaque = signed
    .replace('{ form: jwt }', '{ form: opaque, tokeninfo: https://example.com/tokeninfo }')
    .replace('in: claims', 'in: userinfo');
  expect(readIdentityProviders(file(signed + opaque))).toMatchObject([
    {
      name: 'Okta',
      family: 'external',
      tokens: { form: 'jwt' },
      clients: { claim: 'cid', allowed: ['0oa1'] },
      person: { claim: 'sub', in: 'claims' },
      scopes: { claim: 'scp', names: { SEARCH: 'client_api.search' } },
    },
    { tokens: { form: 'opaque', tokeninfo: 'https://example.com/tokeninfo' }, person: { in: 'userinfo' } },
  ]);
});

test.each([
  ['another audience', '{ audience: api://mcp }'],
  ['other clients', '{ clients: { claim: cid, allowed: [0oa2] } }'],
])('reads %s for the remote MCP server', (_what, mcp) => {
  expect(readIdentityProviders(file(`${signed}  mcp: ${mcp}`))).toMatchObject([{ mcp: {} }]);
});

test.each([
  ['the same audience', '{ audience: api://default }'],
  ['the same clients', '{ clients: { claim: cid, allowed: [0oa2, 0oa1] } }'],
])('refuses %s for the remote MCP server (RFC 8707 2)', (_what, mcp) => {
  expect(() => readIdentityProviders(file(`${signed}  mcp: ${mcp}`))).toThrow(/\/0\/mcp must name another audience/);
});

test('accepts an http issuer on this machine', () => {
  const local = signed.replace('https://example.okta.com', 'http://127.0.0.1:9000');
  expect(readIdentityProviders(file(local))).toMatchObject([{ issuer: 'http://127.0.0.1:9000/oauth2/default' }]);
});

test.each([
  ['a missing file', undefined, /ENOENT/],
  ['a file that is not YAML', '- [', /providers\.yaml: /],
  ['a file that is not a list', 'name: Okta', /the file must be array/],
  ['an unknown key', signed.replace('audience', 'audiense'), /\/0 "audiense" is not known; did you mean audience\?/],
  ['an unknown scope', signed.replace('SEARCH', 'SEARCHES'), /"SEARCHES" is not known; did you mean SEARCH\?/],
  ['a missing person', signed.replace(/ {2}person.*\n/, ''), /\/0 must have required property 'person'/],
  [
    'opaque tokens without a tokeninfo endpoint',
    signed.replace('jwt', 'opaque'),
    /must have required property 'tokeninfo'/,
  ],
  [
    'neither audience nor clients',
    signed.replace(/ {2}(audience|clients).*\n/g, ''),
    /^\S+: \/0 must have audience, clients or both$/,
  ],
  ['an issuer that is not a URL', signed.replace('https://', ''), /^\S+: \/0\/issuer must be an https address/],
  ['an http issuer on another host', signed.replace('https', 'http'), /^\S+: \/0\/issuer must be an https address.*$/],
  [
    'an http tokeninfo endpoint on another host',
    signed.replace('{ form: jwt }', '{ form: opaque, tokeninfo: http://example.com/tokeninfo }'),
    /^\S+: \/0\/tokens\/tokeninfo must be an https address; http is only allowed on this machine$/,
  ],
])('refuses %s', (_what, content, message) => {
  expect(() => readIdentityProviders(content === undefined ? 'missing.yaml' : file(content))).toThrow(message);
});
