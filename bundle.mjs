// Makes client-api-conformance.mjs of dist/: the suite with its dependencies, contract and licences in one file that runs
// with Node alone, and its SHA-256 beside it. The same sources give the same bytes. An argument names another folder than this one.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const FILE = 'client-api-conformance.mjs';
const [, , folder = '.'] = process.argv;
const root = import.meta.dirname;
const validators = filesIn('dist/validators');
/** What the suite reads of its own at run time (harness/contract/package-files.ts). */
const read = [
  'package.json',
  'dist/specs.json',
  ...filesIn('specs'),
  ...['harness', 'cli']
    .flatMap((part) => filesIn(`dist/${part}`))
    .filter((file) => /\/assets\/[^/]+(?<!\.yaml)$/.test(file)),
];
const bundled = {
  name: 'bundled',
  load(id) {
    if (relative(root, id) !== join('dist', 'harness', 'contract', 'bundled-files.js')) return null;
    const texts = Object.fromEntries(read.map((file) => [file, readFileSync(file, 'utf8')]));
    const modules = validators.map(
      (file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(resolve(file))})`,
    );
    return `export const bundledFiles = ${JSON.stringify(texts)};\nexport const bundledModules = {${modules.join(', ')}};`;
  },
  transform(code, id) {
    const file = relative(root, id);
    if (!file.startsWith('dist')) return null;
    // The bundle has every module that is loaded late, so that nothing is left to resolve from where it lies.
    const late = code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');
    return late.replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href`);
  },
};

const build = await rolldown({ input: 'dist/cli/main.js', platform: 'node', plugins: [bundled], logLevel: 'warn' });
const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments: { legal: false } });
const [{ code, moduleIds }] = output;
const text = `${code.replace(/^#!.*\n/, '').replace(/^/, '#!/usr/bin/env node\n')}\n${licences(moduleIds)}`;
writeFileSync(join(folder, FILE), text, { mode: 0o755 });
writeFileSync(join(folder, `${FILE}.sha256`), `${createHash('sha256').update(text).digest('hex')}  ${FILE}\n`);

/** The licence of each package in the bundle, as comments at its end. */
function licences(modules) {
  const folders = new Set(modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? root));
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      const words = file ? readFileSync(join(folder, file), 'utf8') : `Licence: ${license}`;
      return `/*! ${name} ${version}\n\n${words.trim().replaceAll('*/', '* /')}\n*/\n`;
    })
    .join('\n');
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
