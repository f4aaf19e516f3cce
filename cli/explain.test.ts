import { expect, test } from 'vitest';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();

test('explain says what a requirement is about, without any variable set', async () => {
  const { code, output } = await cli.command('explain', 'token.expired');
  expect(output).toContain('A token is refused with 401 after its expiry.');
  expect(output).toContain('curl -sS -i "$TARGET_BASE_URL');
  expect(code).toBe(0);
});

test('explain refuses what it does not know, with exit 2', async () => {
  const { code, output } = await cli.command('explain', 'token.expird');
  expect(output).toContain('did you mean token.expired?');
  expect(code).toBe(2);
});
