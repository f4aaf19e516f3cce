import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { contract } from '../harness/testing/contract.ts';

/** The text of a file. Git may have checked it out with CRLF. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
const pages = [...readdirSync('.'), ...readdirSync('docs').map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: textOf(path) }));
const pageOf = (path: string) => pages.find((page) => page.path === path)?.text ?? '';

/** A page without its code blocks, which contain no links, headings or citations. */
const proseOf = (text: string) => text.replace(/^ *```[\s\S]*?^ *```/gm, '');
const headingsOf = (text: string) => [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
/** The section numbers at the start of headings: `4.2` of `### 4.2 The scope of each endpoint`. */
const sectionsOf = (text: string) => headingsOf(text).flatMap((heading) => /^\d+(?:\.\d+)*(?= )/.exec(heading) ?? []);

describe('the documentation', () => {
  test.each(pages)('$path links to files and headings that exist', ({ path, text }) => {
    const links = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !headingsOf(textOf(target)).map(anchorOf).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test.each(pages)('$path names files and folders that exist', ({ text }) => {
    const named = [
      ...proseOf(text).matchAll(/`((?:harness|suites|fixtures|service|cli|specs|docs|\.\w+)\/[\w./-]+)`/g),
    ];
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('has a README of fewer than 200 lines', () => {
    expect(pageOf('README.md').split('\n').length).toBeLessThan(200);
  });
});

describe('a citation', () => {
  const folders = ['harness', 'suites', 'fixtures', 'service', 'cli', 'specs'];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js|css|yaml|json)$/.test(file))
      .map((file) => `${folder}/${file}`)
      .map((path) => ({ path, text: textOf(path) })),
  );
  /** `spec 2.1, 8.2 and 8.3` cites three sections. */
  const citing = (word: string) =>
    new RegExp(`\\b${word} [1-9](?:\\.\\d+)*(?:(?:, | and | )[1-9](?:\\.\\d+)*\\b)*`, 'g');

  test.each([
    ['spec', 'docs/contract.md'],
    ['outcomes', 'docs/outcomes.md'],
  ])('of "%s" names a section of %s', (word, page) => {
    const sections = sectionsOf(pageOf(page));
    const broken = [...sources, ...pages].flatMap(({ path, text }) =>
      (text.match(citing(word)) ?? []).flatMap((citation) =>
        (citation.match(/\d+(?:\.\d+)*/g) ?? [])
          .filter((section) => !sections.includes(section))
          .map((section) => `${path} cites ${word} ${section}`),
      ),
    );
    expect(broken).toEqual([]);
  });
});

/** Markdown as the plain text of a report: a line for each paragraph, item and row, without links and lists of requirements. */
function plainText(markdown: string): string {
  const paragraphs = markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split('\n\n')
    .filter((paragraph) => paragraph.trim() !== '' && !paragraph.trim().startsWith('Requirements:'));
  return paragraphs
    .flatMap((paragraph) => {
      const lines = paragraph.trim();
      if (!lines.startsWith('|')) return lines.split(/\n(?=\d+\. )/).map((line) => line.replace(/\s+/g, ' '));
      const rows = lines.split('\n').filter((row) => !/^\|[-| ]+\|$/.test(row));
      return rows.map((row) =>
        row
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
          .join(' | '),
      );
    })
    .join('\n');
}

describe('docs/contract.md', () => {
  const page = pageOf('docs/contract.md');
  /** The paragraph of a section that lists its requirements; empty if there is none. */
  const listOf = (section: string) => {
    const [, below = ''] = page.split(new RegExp(`^#+ ${section.replaceAll('.', '\\.')} `, 'm'));
    const [own = ''] = below.split(/^#/m);
    return own.split('\n\n').find((paragraph) => paragraph.startsWith('Requirements:')) ?? '';
  };
  const idsIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, id]) => id);
  const ofSection = (section: string) =>
    contract.requirements.filter(
      ({ source }) =>
        source.startsWith('spec ') &&
        source
          .replace(/RFC \d+ [\d.]+/g, '')
          .match(/\d+(?:\.\d+)*/g)
          ?.includes(section),
    );

  test('has the nine sections of the specification', () => {
    expect(sectionsOf(page).filter((section) => !section.includes('.'))).toEqual([...'123456789']);
  });

  test('has the sections of sections.yaml, with the same titles and texts', () => {
    const parts = page.split(/^#+ (\d+(?:\.\d+)*) (.+)$/m).slice(1);
    const written = sectionsOf(page).map((id, index) => {
      const [below = ''] = (parts[index * 3 + 2] ?? '').split(/^#/m);
      return { id, title: parts[index * 3 + 1], text: plainText(below) };
    });
    expect(contract.sections).toEqual(written);
  });

  test.each(sectionsOf(page))('lists the same requirements for section %s as the ledger', (section) => {
    const [required, excluded] = listOf(section).split('Excluded:');
    const ledger = ofSection(section);
    expect({ required: idsIn(required), excluded: idsIn(excluded) }).toEqual({
      required: ledger.filter((requirement) => requirement.excluded === undefined).map(({ id }) => id),
      excluded: ledger.filter((requirement) => requirement.excluded !== undefined).map(({ id }) => id),
    });
  });

  test('lists every other requirement in a table, with its source', () => {
    const rows = [...page.matchAll(/^\| `([\w.-]+)` \| (RFC [^|]+|reference) \|/gm)];
    const others = contract.requirements.filter(({ source }) => !source.startsWith('spec '));
    expect(rows.map(([, id, source = '']) => `${id} ${source}`)).toEqual(
      others.map(({ id, source }) => `${id} ${source}`),
    );
  });
});

/** The names in the first column of the tables of a part of a page. */
function namesInTables(text: string, from: string, to: string): readonly string[] {
  const part = text.slice(text.indexOf(`\n${from}\n`), text.indexOf(`\n${to}\n`));
  return [...part.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

describe('docs/variables.md', () => {
  const { kinds, names: known } = catalogueOf(contract);
  const placeholders: Readonly<Record<string, readonly string[]>> = {
    '<KIND>': kinds,
    '<OAUTH_KIND>': kinds.filter((kind) => contract.matrix.kinds[kind]?.family !== 'service'),
    '<SCOPE>': contract.matrix.scopes,
  };
  const expanded = (name: string): readonly string[] => {
    const [placeholder, values] = Object.entries(placeholders).find(([form]) => name.includes(form)) ?? [];
    return placeholder && values ? values.flatMap((value) => expanded(name.replace(placeholder, value))) : [name];
  };
  const page = pageOf('docs/variables.md');

  test('lists every variable of the suite, and no other', () => {
    const names = namesInTables(page, '## Variables', '## Flags').filter((name) => !(name in placeholders));
    expect([...new Set(names.flatMap(expanded))].sort()).toEqual([...known].sort());
  });

  test('lists the kinds of token', () => {
    expect(page).toContain(`| \`<KIND>\` | ${kinds.map((kind) => `\`${kind}\``).join(', ')} |`);
  });
});

test('docs/reference-service.md lists every variable of the service, and no other', () => {
  const names = namesInTables(pageOf('docs/reference-service.md'), '## Variables', '## The client API');
  const known = textOf('service/configuration.ts').matchAll(/^ {2}([A-Z_]+): \[$/gm);
  expect([...names].sort()).toEqual([...known].map(([, name]) => name).sort());
});

test.each([
  ['suite', 'package.json', '\nThe suite has'],
  ['reference service', 'service/package.json', '\nThe reference service is'],
])('docs/security.md names every production dependency of the %s, and no other', (_what, file, heading) => {
  const [, table = ''] = pageOf('docs/security.md').split(heading)[1]?.split('\n\n') ?? [];
  const named = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = '']) => names.match(/[^`, ]+/g) ?? []);
  expect(named.sort()).toEqual(Object.keys(JSON.parse(textOf(file)).dependencies).sort());
});

test.each(['docs/outcomes.md', 'docs/ci.md', 'README.md'])('%s names the exit code of a defect', (page) => {
  expect(pageOf(page)).toMatch(/\b70\b[^.|]*\|?[^.]*(?:defect|mistake)/);
});
