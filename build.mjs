// Compiles the sources into dist/, from which every command runs, and copies the files in folders called assets,
// YAML as JSON too.
//
// Nothing is compiled if nothing changed. Otherwise each file is replaced in one step and no file is deleted, so that a
// build in one terminal never breaks a command that runs in another. `--prune` (for packing) deletes files without a
// source.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Undefined on an older Node. */
const { stripTypeScriptTypes } = module;
const { include: folders } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8'));
const stamp = join('dist', '.built-from');
const contract = join('specs', 'client-api');
const validators = join('dist', 'validators');
/** Files of dist/ without a source. */
const kept = [
  stamp,
  join('dist', 'specs.json'),
  ...readdirSync(join('specs', 'schemas')).map((file) => join(validators, file.replace('.schema.json', '.cjs'))),
];

const sources = folders
  .flatMap(filesIn)
  .filter((file) => !file.endsWith('.test.ts') && !/^service[\\/](dist|specs)[\\/]/.test(file));
const assets = sources.filter((file) => /[\\/]assets[\\/]/.test(file));
/** Changes whenever a source changes. */
const state = digest(
  [...sources, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'build.mjs'].map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  }),
);
const isStale = textOf(stamp) !== state;
if (isStale) compile();
if (process.exitCode === undefined) await keepSpecs();
if (process.exitCode === undefined) mirrorService();
if (process.argv.includes('--prune') && process.exitCode === undefined) prune();

function compile() {
  mkdirSync('dist', { recursive: true });
  // Beside dist/, so that the maps to the sources still lead there when they are moved.
  const building = mkdtempSync('.building-');
  try {
    const compiler = findCompiler();
    const status = compiler === undefined ? stripTypes(building) : checkAndCompile(compiler, building);
    if (status !== 0) {
      process.exitCode = status ?? 1;
      return;
    }
    for (const file of assets) copy(file, join(building, file));
    for (const file of assets.filter((one) => one.endsWith('.yaml'))) keepAsJson(file, building);
    for (const file of filesIn(building)) replace(join('dist', relative(building, file)), file);
    writeFileSync(join(building, 'stamp'), state);
    replace(stamp, join(building, 'stamp'));
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/**
 * Makes service/ a package that is complete by itself: its build, and the API description whose body schemas it takes. The
 * suite loads the package by its name; the proof, which replaces parts of the service, imports dist/service.
 */
function mirrorService() {
  const own = join('dist', 'service');
  const description = join(contract, 'openapi.yaml');
  mirror(description, join('service', description));
  for (const file of filesIn(own)) mirror(file, join('service', 'dist', relative(own, file)));
}

/** Copies a file if it changed. */
function mirror(from, to) {
  if (textOf(from) === textOf(to)) return;
  const copied = `${to}.${process.pid}`;
  copy(from, copied);
  replace(to, copied);
}

/** The compiler. Undefined where only what a run needs is installed: Node can strip the types there. */
function findCompiler() {
  try {
    return join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  } catch {
    return undefined;
  }
}

function checkAndCompile(compiler, building) {
  const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', building], {
    stdio: 'inherit',
  });
  return compiled.status;
}

function stripTypes(building) {
  if (stripTypeScriptTypes === undefined) {
    console.error(
      'Without TypeScript, the build needs Node 22.13 or newer. Run npm ci --ignore-scripts, or use a newer Node.',
    );
    return 1;
  }
  // Node warns that the function may still change.
  process.removeAllListeners('warning');
  for (const file of sources.filter((source) => source.endsWith('.ts'))) {
    const script = stripTypeScriptTypes(readFileSync(file, 'utf8'));
    const built = join(building, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, script.replace(/(\b(?:from|import)\s*\(?\s*)'(\.[^']*)\.ts'/g, "$1'$2.js'"));
  }
  return 0;
}

/**
 * Keeps what the files of the contract say, what follows from them and the validators of the schemas, so that no command reads,
 * works out and compiles them again. Specs with a fault are not kept: each command then reads them and says what is wrong.
 */
async function keepSpecs() {
  const { builtFile, builtSpecs, textOfBuilt } = await compiled('contract/built-specs.js');
  if (!isStale && builtSpecs(contract)) return;
  const [{ readSpecs }, { contractOf }, { prepare }, { validatorModules }] = await Promise.all(
    ['contract/read-specs.js', 'contract/load-contract.js', 'plan/strength/prepare.js', 'contract/validator.js'].map(
      compiled,
    ),
  );
  try {
    for (const { name, text } of validatorModules()) keep(join(validators, `${name}.cjs`), text);
    const specs = await readSpecs(contract);
    keep(fileURLToPath(builtFile), textOfBuilt(contract, { specs, prepared: prepare(contractOf(contract, specs)) }));
  } catch (error) {
    console.error(String(error.message));
  }
}

function keep(file, text) {
  const building = join('dist', `.kept-${process.pid}`);
  writeFileSync(building, text);
  replace(file, building);
}

function compiled(file) {
  return import(new URL(`dist/harness/${file}`, import.meta.url));
}

/** Data is read as JSON where it is built (harness/contract/yaml-file.ts). */
function keepAsJson(file, building) {
  const { parse } = createRequire(import.meta.url)('yaml');
  const data = parse(readFileSync(file, 'utf8'), { merge: true });
  writeFileSync(join(building, file.replace(/yaml$/, 'json')), JSON.stringify(data));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Replaces a file by another in one step: a reader sees the old content or the new, never a part of it. */
function replace(file, by) {
  if (textOf(file) === textOf(by)) {
    rmSync(by);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  renameSync(by, file);
}

function prune() {
  const built = sources.map((file) => join('dist', file.replace(/\.ts$/, '.js')));
  const wanted = new Set(built.flatMap((file) => [file, `${file}.map`, file.replace(/yaml$/, 'json')]));
  for (const file of filesIn('dist')) if (!wanted.has(file) && !kept.includes(file)) rmSync(file, { force: true });
  for (const file of filesIn(join('service', 'dist')))
    if (!existsSync(join('dist', file.replace(/dist[\\/]/, '')))) rmSync(file);
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function digest(lines) {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
