import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expand } from '../plan/expand.ts';
import { catalogueOf } from '../settings/catalogue.ts';
import { read, SMALL } from '../testing/small-contract.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { inapplicable } from './check-row.ts';
import { loadContractFile } from './load-contract.ts';

describe('a contract that stands alone', () => {
  test('refuses an operation whose name makes a requirement that means something else', async () => {
    const operations = 'operations: { sole: { request: GET /list, needs: read } }';
    await expect(read({ operations })).rejects.toThrow(/line 3: operations: sole: scope\.sole means something else/);
  });

  test('has no check that only the client API can have, and says of each what it tries here', async () => {
    const { checks } = await read();
    expect(checks.map(({ id }) => id)).not.toContain('conversations');
    expect(checks.find(({ id }) => id === 'either-person')?.title).not.toContain('GLOBAL');
  });

  test('never loses a requirement: what it cannot decide is excluded with the reason', async () => {
    const { requirements } = await read();
    const excludedOf = (id: string) => requirements.find((one) => one.id === id)?.excluded;
    expect(excludedOf('token.expired')).toBe('a key has no date');
    expect(excludedOf('act-as.unknown')).toBe('this contract has no acting as somebody');
    expect(excludedOf('token.unknown')).toBeUndefined();
  });

  test('replaces a rule with a reason, or leaves it open', async () => {
    const { rules } = await read(
      {},
      'rules:',
      '  token.unknown: { expect: 403, reason: the gateway answers so }',
      '  token.tampered: { silenced: the gateway answers as it likes }',
    );
    const ruleOf = (wanted: string) => rules.refusals.find(({ id }) => id === wanted);
    expect(ruleOf('token.unknown')).toMatchObject({ outcome: [{ status: 403 }], reason: 'the gateway answers so' });
    expect(ruleOf('token.tampered')).toMatchObject({ silent: 'the gateway answers as it likes' });
  });

  test('names no status in a requirement, so that none contradicts its rule', async () => {
    const { requirements } = await read(
      {},
      'rules: { token.unknown: { expect: 403, reason: the gateway answers so } }',
    );
    const own = requirements.filter(({ id, excluded }) => excluded === undefined && !id.startsWith('rfc.'));
    expect(own.filter(({ text = '' }) => /\b[1-5]\d\d\b/.test(text.replace(/RFC \d+ [\d.]+/g, '')))).toEqual([]);
  });

  test('tries what a request may carry besides its token, wherever that stands', async () => {
    for (const credential of ['credential: "X-Api-Key: {token}"', 'credential: { query: key }']) {
      const contract = await read({ credential });
      const has = (id: string) => contract.checks.some((check) => check.id === id && !inapplicable(contract, check));
      const ids = [
        'influences',
        'side-doors',
        'other-paths',
        'every-time',
        'sequences',
        'tampering',
        'repetition',
        'alteration',
        'grammar',
      ];
      expect(ids.filter((id) => !has(id))).toEqual([]);
    }
  });

  test('carries the token after any text of a line, and all cookies on one', async () => {
    const linesOf = async (line: string) => (await read({ credential: `credential: "${line}"` })).matrix.headers;
    expect((await linesOf('Authorization: Token token={token}')).authorization).toMatchObject({
      name: 'Authorization',
      lines: { bearer: ['Token token={token}'], empty: ['Token token='], 'no-scheme': ['{token}'] },
    });
    expect((await linesOf('Cookie: sid={token}')).authorization).toMatchObject({
      lines: { bearer: ['sid={token}'], doubled: ['sid={token}; sid={unknown-token}'] },
    });
  });

  test('refuses an operation to the kinds that it does not name, by a rule of its own', async () => {
    const { rules, requirements } = await read(
      {
        operations: 'operations: { list: { request: GET /list }, all: { request: GET /all, by: ADMIN } }',
        kinds: 'kinds: { KEY: { made: "Settings" }, ADMIN: { made: "Settings" } }',
      },
      'rules: { reach.all: { expect: 404, reason: "nobody else is told of it" } }',
    );
    expect(rules.refusals.filter(({ id }) => id.startsWith('reach.'))).toMatchObject([
      { id: 'reach.all', when: { operation: ['all'], kind: ['KEY'] }, outcome: [{ status: 404 }] },
    ]);
    const excludedOf = (id: string) => requirements.find((one) => one.id === id)?.excluded;
    expect(excludedOf('reach.all')).toBeUndefined();
    expect(excludedOf('reach.list')).toBe('this contract has no kind of token that may not use the operation');
  });

  test('asks for no token that never is, also where one holding is meant', async () => {
    const contract = await read({
      operations: 'operations: { list: { request: GET /list, needs: [read, write] } }',
      kinds: 'kinds: { KEY: { made: "Settings", never: { "only:write": "who writes can read" } } }',
    });
    const names = catalogueOf(contract).tokens.map(({ name }) => name);
    expect(names).toContain('KEY_TOKEN_READ');
    expect(names).not.toContain('KEY_TOKEN_WRITE');
    expect(expand(contract, 'full').filter(({ values }) => values.holding === 'only:write')).toEqual([]);
  });

  test('says in a sentence what it decides of what others leave open', async () => {
    const { requirements } = await read(
      {},
      'rules: { authorization.doubled: { expect: 400, reason: "two tokens are refused" } }',
    );
    expect(requirements.find(({ id }) => id === 'authorization.doubled')?.text).toBe(
      'A request with two tokens gets 400.',
    );
  });

  test('with a token in the query is tried in every way that needs no line for it', async () => {
    const contract = await read({ credential: 'credential: { query: key }' });
    const lacking = contract.checks.filter((check) => check.needs?.includes('header-token'));
    expect(lacking.map((check) => [check.id, inapplicable(contract, check)])).toEqual([
      ['token-places', 'this contract has no token in a header'],
    ]);
  });

  test('leaves a blank name open to every token, whatever it says of names', async () => {
    const { rules } = await read(
      { kinds: 'kinds: { KEY: { made: "Settings, Keys" }, ADMIN: { made: "Administration" } }' },
      'acting: { header: X-As, by: ADMIN, is: optional }',
      'identity: { none: no operation shows it }',
      'rules: { act-as.not-needed: { expect: 403, reason: only administrators may do that } }',
    );
    const whenOf = (wanted: string) => rules.refusals.find(({ id }) => id === wanted)?.when['act-as'];
    expect([whenOf('act-as.left-blank'), whenOf('act-as.not-needed')]).toEqual([
      ['blank'],
      expect.not.arrayContaining(['blank']),
    ]);
  });

  test('is text in UTF-8', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'latin-1.yaml');
    writeFileSync(file, Buffer.from(`${Object.values(SMALL).join('\n')} # é`, 'latin1'));
    await expect(loadContractFile(file)).rejects.toThrow(/line 1: the file is no text in UTF-8/);
  });
});
