import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckApi, RawCall } from '../../../harness/checks/check.ts';
import { loadContractFile } from '../../../harness/contract/load-contract.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { temporaryFolder } from '../../../harness/testing/temporary-folder.ts';
import { lineOf } from '../../testing/written.ts';
import type { Variation } from '../../variations/variation.ts';
import { sendVaried } from './send-varied.ts';

const CONTRACT = `
name: small
credential: { query: key }
operations: { list: { request: GET /list } }
kinds: { KEY: { made: "Settings, Keys" } }
`;
const VARIATION: Omit<Variation, 'kind' | 'name' | 'value'> = {
  ...{ id: 'one', how: 'one', lines: [], isTelling: true, isAlone: true, leadsElsewhere: false },
  ...{ isEqual: false, isRaw: false, isFree: false },
};

/** What is sent over a socket for the documented request with a variation. */
async function sentWith(variation: Pick<Variation, 'kind' | 'name' | 'value'>, token?: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'small.yaml'), CONTRACT);
  const contract = await loadContractFile(join(folder, 'small.yaml'));
  const sent: RawCall[] = [];
  const raw = (call: RawCall) => {
    sent.push(call);
    return Promise.reject(new Error('no server'));
  };
  const api = { contract, unknownToken: 'unknown', raw } as Partial<CheckApi> as CheckApi;
  const [operation] = contract.operations;
  if (!operation) throw new Error('the contract has an operation');
  const credential = token === undefined ? undefined : ({ token, shell: '$KEY_TOKEN' } as Credential);
  const base = { credential, ...(token === undefined && { authorization: null }), headers: [] };
  const varied = { base, variations: [{ ...VARIATION, ...variation }], shows: 'it is sent', wanted: 'either' } as const;
  await sendVaried(api, operation, varied).catch(() => undefined);
  return { line: sent[0]?.text.split('\r\n')[0], text: sent[0]?.text ?? '', curl: sent[0] && lineOf(sent[0]) };
}

test('a token of the query stands in the query of every path and method', async () => {
  const doubled = await sentWith({ kind: 'path', name: 'two slashes', value: '//list' }, 'a+b');
  expect(doubled.line).toBe('GET {base}//list?key=a%2Bb HTTP/1.1');
  expect(doubled.text).not.toContain('key:');
  const other = await sentWith({ kind: 'path', name: 'a parameter', value: '/list?a=1' }, 'secret');
  expect(other.line).toBe('GET {base}/list?a=1&key=secret HTTP/1.1');
  expect(other.curl).toContain('/list?a=1&key=$KEY_TOKEN');
});

test('a request without a token has none in the query', async () => {
  expect((await sentWith({ kind: 'method', name: 'OPTIONS', value: '' })).line).toBe('OPTIONS {base}/list HTTP/1.1');
});
