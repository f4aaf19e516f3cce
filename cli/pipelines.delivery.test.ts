import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type PlainOptions, startPlainTarget } from '../fixtures/plain/target.ts';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';
import { acceptsExpired } from './testing/command-line.ts';
import { installPacked, type Packed, packInto } from './testing/packed.ts';

// The shell lines of docs/ci.md for other CI servers, in an empty folder with the packed file. `npm install` is a stand-in
// that unpacks that file, because a test uses no registry.
const page = readFileSync('docs/ci.md', 'utf8');
const blocks = [...page.matchAll(/```(?:yaml|groovy)\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const blockWith = (text: string) => blocks.find((block) => block.includes(text)) ?? '';
const PIPELINES = {
  GitLab: () => parse(blockWith('image: node')).conformance.script.join('\n'),
  Jenkins: () => /sh '''([\s\S]*?)'''/.exec(blockWith('pipeline {'))?.[1] ?? '',
  Azure: () => parse(blockWith('NodeTool')).steps.find((step: { script?: string }) => step.script).script,
} as const satisfies Readonly<Record<string, () => string>>;

const home = temporaryFolder(afterAll);
let packed: Packed;
beforeAll(() => {
  packed = packInto(home);
  installPacked([packed], join(home, 'installed'));
  mkdirSync(join(home, 'bin'));
  const copy = `require('fs').cpSync(${JSON.stringify(join(home, 'installed', 'node_modules'))}, 'node_modules', { recursive: true, verbatimSymlinks: true })`;
  const standIn = `#!/bin/sh\n[ "$1" = install ] && [ -f "$4" ] && node -e "${copy.replaceAll('"', "'")}"\n`;
  writeFileSync(join(home, 'bin', 'npm'), standIn, { mode: 0o755 });
});

async function run(lines: string, options: PlainOptions) {
  const cwd = mkdtempSync(join(home, 'job-'));
  cpSync(packed.file, join(cwd, basename(packed.file)));
  const { env, close } = await startPlainTarget(options);
  const path = `${join(home, 'bin')}${delimiter}${process.env['PATH']}`;
  // CI servers end a script at the first line that fails.
  const child = spawn('sh', ['-e', '-c', lines], { cwd, env: { ...env, PATH: path, HOME: home }, stdio: 'ignore' });
  const code = await new Promise((done) => child.once('close', done));
  await close();
  return { code, junit: readFileSync(join(cwd, 'conformance-report', 'junit.xml'), 'utf8') };
}

describe.each(Object.entries(PIPELINES))('the lines for %s', (_name, linesOf) => {
  test('end with 0 against a conforming target, with test results in which nothing fails', async () => {
    const { code, junit } = await run(linesOf(), {});
    expect(junit).toMatch(/<testsuites [^>]*failures="0" errors="0"/);
    expect(code).toBe(0);
  });

  test('end with 1 against a broken target, with test results that show it', async () => {
    const { code, junit } = await run(linesOf(), acceptsExpired);
    expect(junit).toContain('<failure message="');
    expect(code).toBe(1);
  });
});
