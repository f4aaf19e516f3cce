// Prints `key=`, followed by a hash of everything that decides what node_modules/ and dist/ contain. action.yml names its
// cache by it. The stamp of build.mjs does not serve: it has times of files, and each checkout has new ones.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const { include: folders } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);
const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.version}`);
for (const file of [...sources.sort(), 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'build.mjs'])
  hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
console.log(`key=client-api-conformance-${hash.digest('hex')}`);
