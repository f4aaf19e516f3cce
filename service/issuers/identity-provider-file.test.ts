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

test('says how the tokens of each provider are checked, and where email and scopes are found', () => {
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

test('takes an issuer on this machine by http', () => {
  const local = signed.replace('https://example.okta.com', 'http://127.0.0.1:9000');
  expect(readIdentityProviders(file(local))).toMatchObject([{ issuer: 'http://127.0.0.1:9000/oauth2/default' }]);
});

test.each([
  ['a file that is not there', undefined, /ENOENT/],
  ['no YAML', '- [', /providers\.yaml: /],
  ['no list', 'name: Okta', /the file must be array/],
  ['an unknown key', signed.replace('audience', 'audiense'), /\/0 "audiense" is not known; did you mean audience\?/],
  ['an unknown scope', signed.replace('SEARCH', 'SEARCHES'), /"SEARCHES" is not known; did you mean SEARCH\?/],
  ['a missing person', signed.replace(/ {2}person.*\n/, ''), /\/0 must have required property 'person'/],
  ['opaque tokens that nobody vouches for', signed.replace('jwt', 'opaque'), /must have required property 'tokeninfo'/],
  [
    'tokens of any audience and client',
    signed.replace(/ {2}(audience|clients).*\n/g, ''),
    /^\S+: \/0 must have audience, clients or both$/,
  ],
  ['an issuer that is no address', signed.replace('https://', ''), /^\S+: \/0\/issuer must be an https address/],
  ['an issuer by http elsewhere', signed.replace('https', 'http'), /^\S+: \/0\/issuer must be an https address.*$/],
  [
    'a tokeninfo endpoint by http elsewhere',
    signed.replace('{ form: jwt }', '{ form: opaque, tokeninfo: http://example.com/tokeninfo }'),
    /^\S+: \/0\/tokens\/tokeninfo must be an https address; http is for this machine alone$/,
  ],
])('is refused for %s', (_what, content, said) => {
  expect(() => readIdentityProviders(content === undefined ? 'nowhere.yaml' : file(content))).toThrow(said);
});
