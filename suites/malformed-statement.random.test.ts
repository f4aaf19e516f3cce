import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { visibleLines } from '../harness/contract/visible-text.ts';
import { readRunFolder, readStatement, textsOf } from '../harness/statement/read-folder.ts';
import { renderVerification } from '../harness/statement/terminal-verification.ts';
import { PAGES, verify } from '../harness/statement/verify.ts';
import { checksOf, deviating } from '../harness/testing/handed-over.ts';
import { casesAt, catalogue } from '../harness/testing/small-world.ts';
import { anyDamage, anyValue, damaged, folderForFiles, refusal, withValueAt } from './testing/damage.ts';
import { draws } from './testing/draws.ts';

const { folder } = folderForFiles();
const received = join(folder, 'received');
const NAMES = ['journal.ndjson', 'report.json', 'statement.json', 'statement.html'] as const;
type Texts = Readonly<Record<(typeof NAMES)[number], string>>;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through.
const ACTIVE = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800\uffff]/;

const right: Texts = {
  'journal.ndjson': deviating.lines.map(({ entry }) => `${JSON.stringify(entry)}\n`).join(''),
  'report.json': deviating.reportText,
  'statement.json': deviating.found.text,
  'statement.html': deviating.pages.get('statement.html') ?? '',
};

/** What verify prints about a folder, or why it refuses it. */
async function verified(texts: Texts): Promise<string> {
  rmSync(received, { recursive: true, force: true });
  mkdirSync(received);
  for (const name of NAMES) writeFileSync(join(received, name), texts[name]);
  let printed = '';
  const refused = await refusal(() => {
    const found = readStatement(received);
    const files = { ...readRunFolder(received), found, pages: textsOf(received, PAGES) };
    const verification = verify(files, { catalogue, casesAt, checksOf });
    printed = renderVerification(found.statement, verification, [], pc.createColors(false));
  });
  const shown = visibleLines(refused ?? printed);
  expect(ACTIVE.exec(shown)?.[0]).toBeUndefined();
  return shown;
}

describe('a folder that somebody hands over', () => {
  test('holds if nobody changed it', async () => {
    expect(await verified(right)).toMatch(/the statement holds: .* deviates/);
  });

  test('with any other value anywhere in its statement is refused or does not hold', async () => {
    const place = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(place, anyValue, fc.option(anyDamage), async (steps, value, damage) => {
        const changed = `${JSON.stringify(withValueAt(JSON.parse(right['statement.json']), steps, value), null, 1)}\n`;
        const text = damage ? damaged(changed, damage) : changed;
        fc.pre(text !== right['statement.json']);
        expect(await verified({ ...right, 'statement.json': text })).toMatch(/statement\.json|does not hold/);
      }),
      draws(40),
    );
  });

  test.each(['journal.ndjson', 'report.json'] as const)(
    'with a damaged %s is refused or does not hold',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(anyDamage, async (damage) => {
          const text = damaged(right[name], damage);
          fc.pre(text !== right[name]);
          expect(await verified({ ...right, [name]: text })).toMatch(new RegExp(`${name}|does not hold`));
        }),
        draws(25),
      );
    },
  );
});
