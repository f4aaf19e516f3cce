import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadContractFile } from '../harness/contract/load-contract.ts';
import type { WrittenContract } from '../harness/contract/written-contract.ts';
import { everyVariable } from '../harness/preview/made-up-values.ts';
import { makePreview } from '../harness/preview/preview.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { checksOf } from './checks/index.ts';

// Contracts that nobody thought of: each is loaded and its run is rehearsed against a target that keeps it. A check that decides
// what the contract does not have is a defect, and with every variable set everything that is claimed can be decided.
const SEED = 20_261_125;
const folder = mkdtempSync(join(tmpdir(), 'drawn-contracts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written: fc.Arbitrary<WrittenContract> = fc
  .record({
    people: fc.constantFrom('EMAIL', 'LOGIN'),
    credential: fc.constantFrom('Authorization: Bearer {token}', 'Authorization: token {token}', 'X-Api-Key: {token}', {
      query: 'access_token',
    }),
    needs: fc.array(fc.subarray(['read:orders', 'write']), { minLength: 1, maxLength: 3 }),
    methods: fc.array(fc.constantFrom('GET', 'POST', 'DELETE'), { minLength: 3, maxLength: 3 }),
    body: fc.constantFrom(undefined, { text: 'a' }),
    kinds: fc.integer({ min: 1, max: 2 }),
    never: fc.subarray(['future-expiry', 'expired', 'none', 'single'] as const),
    acting: fc.constantFrom(undefined, 'required', 'optional'),
    by: fc.constantFrom('A', ['A', 'B']),
    isShown: fc.boolean(),
  })
  .map(({ people, credential, needs, methods, body, kinds, never, acting, by, isShown }): WrittenContract => {
    const names = ['A', 'B'].slice(0, kinds);
    const hasScopes = needs.flat().length > 0;
    const gone = never.filter((name) => hasScopes || name === 'expired' || name === 'future-expiry');
    const operations = Object.fromEntries(
      needs.map((scopes, at) => [
        `operation-${at}`,
        {
          request: `${methods[at]} /part/${at}`,
          ...(scopes.length > 0 && { needs: scopes }),
          ...(methods[at] !== 'GET' && { harmless: true, ...(body && { body }) }),
        },
      ]),
    );
    return {
      name: 'drawn',
      ...(people !== 'EMAIL' && { people }),
      credential,
      operations: { ...operations, me: { request: 'GET /me' } },
      kinds: Object.fromEntries(
        names.map((name) => [
          name,
          {
            made: 'drawn by the test',
            ...(gone.length > 0 && { never: Object.fromEntries(gone.map((one) => [one, 'the test left it out'])) }),
          },
        ]),
      ),
      ...(acting && {
        acting: { header: 'X-As', by: [by].flat().filter((name) => names.includes(name)), is: acting },
        identity: isShown ? { operation: 'me', pointer: '/login' } : { none: 'the test left it out' },
      }),
    } as WrittenContract;
  });

test.each(fc.sample(written, { seed: SEED, numRuns: 30 }).map((contract, at) => ({ contract, at })))(
  `contract $at of seed ${SEED} can be decided, and no check decides what it does not have`,
  async ({ contract, at }) => {
    const file = join(folder, `${at}.yaml`);
    writeFileSync(file, stringify(contract));
    const loaded = await loadContractFile(file);
    const catalogue = catalogueOf(loaded);
    const flags = { CONFORMANCE_DEPTH: 'core' };
    const settings = embeddedSettings(catalogue, everyVariable(catalogue), { environment: {}, dotenv: {}, flags });
    const options = {
      checks: checksOf(loaded),
      intrusive: true,
      narrowing: { only: [], except: [], requirements: [] },
    };
    const { requirements } = await makePreview(settings, options);
    expect(requirements.undecidable).toEqual([]);
    expect(requirements.decidable).toBe(requirements.claimed);
  },
);
