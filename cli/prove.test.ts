import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

const SMALL = `name: small
credential: "X-Api-Key: {token}"
operations:
  me: { request: GET /me }
  notes: { request: GET /notes, needs: read }
kinds:
  APP: { made: in the console, never: { expired: such tokens have no date } }
`;

/** Proves a contract with this text. */
function prove(text: string) {
  writeFileSync(cli.file('small.yaml'), text);
  return cli.command(['prove', '--contract', 'small.yaml']);
}

test('prove shows that a contract can fail, without a target and without a token', async () => {
  const { code, output } = await prove(SMALL);
  expect(output).toMatch(/✔ small can fail: (\d+) of \1 faults caught and blamed rightly/);
  expect(output).toMatch(/✔ spared +keeps the contract/);
  expect(output).toMatch(/✔ caught +no scope is needed, notes +scope\.notes/);
  expect(output).toMatch(/APP expired +such tokens have no date/);
  expect(code).toBe(0);
});

test('prove ends with exit 1 for a contract that blames the server that keeps it', async () => {
  // No server tells every changed token from one that nobody issued.
  const { code, output } = await prove(
    `${SMALL}rules:\n  token.tampered: { expect: 400, reason: a mistake of the author }\n`,
  );
  expect(output).toMatch(/✘ small is not proven: \d+ of \d+ faults .*, and the server that keeps it is blamed/);
  expect(output).toMatch(/✘ blamed +keeps the contract +its run ends as deviates; token\.tampered \(fail\)/);
  expect(code).toBe(1);
});
