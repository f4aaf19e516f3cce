import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../harness/testing/temporary-folder.ts';

interface Step {
  readonly name?: string;
  readonly run?: string;
}
const steps: readonly Step[] = parse(readFileSync('.github/workflows/release.yml', 'utf8')).jobs.release.steps;
const commands = steps.flatMap(({ run = '' }) => (run === '' ? [] : [run]));
const [green = '', tagged = '', packed = '', published = ''] = commands;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Runs the lines of a step as GitHub does, with the programs of its runner, even where the tests see nothing but Node. */
function run(lines: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout } = spawnSync('/bin/bash', ['-eo', 'pipefail', '-c', lines], {
    encoding: 'utf8',
    env: { PATH: `${process.env['PATH']}:/usr/bin:/bin`, HOME: process.env['HOME'], ...env },
  });
  return { code: status, output: stdout };
}

test('a release begins with everything green and ends with what needs a registry', () => {
  expect(commands).toHaveLength(4);
  expect(green).toBe('.ci/run');
  expect(published).toContain('npm publish --provenance');
});

test('a release goes on if the tag is the version of both packages, and says what differs otherwise', () => {
  expect(run(tagged, { GITHUB_REF_NAME: `v${version}` })).toEqual({ code: 0, output: '' });
  expect(run(tagged, { GITHUB_REF_NAME: 'v99.0.0' })).toEqual({
    code: 1,
    output: `::error::package.json has version ${version}, and the tag is v99.0.0\n`,
  });
});

test('a release has both packages and the one file, and the SHA-256 of each', () => {
  const temp = temporaryFolder();
  expect(run(packed, { RUNNER_TEMP: temp }).code).toBe(0);
  const folder = join(temp, 'release');
  const files = ['conformance', 'reference'].map((name) => `client-api-${name}-${version}.tgz`);
  files.push('client-api-conformance.mjs');
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', ...files].sort());
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n').sort();
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
  expect(sums).toEqual(files.map((file) => `${hashOf(file)}  ${file}`).sort());
});
