import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownCommand } from './serve-command.ts';

test('this program is called by its name where npx finds it, and elsewhere by its file', () => {
  const folder = mkdtempSync(join(tmpdir(), "it's-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(ownCommand('run', folder)).toMatch(/^node ('?)\/.*\/cli\/main\.js\1 run$/);
  const installed = join(folder, 'node_modules', '.bin');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'client-api-conformance'), '');
  for (const place of [folder, resolve('.')])
    expect(ownCommand('run', place)).toBe('npx --no -- client-api-conformance run');
});
