import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pc from 'picocolors';
import { afterAll, describe, expect, test } from 'vitest';
import { readAdministrationAnswer } from '../harness/commands/administration.ts';
import { isConfigurationError } from '../harness/contract/configuration-error.ts';
import { loadContract } from '../harness/contract/load-contract.ts';
import { visibleLines } from '../harness/contract/visible-text.ts';
import { specsFolder } from '../harness/contract/yaml-file.ts';
import { readBaseline } from '../harness/judge/read-baseline.ts';
import type { JournalEntry } from '../harness/record/exchange.ts';
import { readJournal } from '../harness/record/journal.ts';
import { observe } from '../harness/record/observation.ts';
import { githubAnnotations, githubSummary } from '../harness/render/github.ts';
import { renderJunit } from '../harness/render/junit.ts';
import { renderHtml } from '../harness/render/page/page.ts';
import { renderEnd } from '../harness/render/terminal.ts';
import { renderSince } from '../harness/render/terminal-since.ts';
import { renderAgain } from '../harness/render/terminal-start.ts';
import { readReport } from '../harness/report/read-report.ts';
import { makeReport } from '../harness/report/report.ts';
import { earlierRun, sinceEarlier } from '../harness/report/since.ts';
import { mergeJournals } from '../harness/run/merge.ts';
import { replay } from '../harness/run/replay.ts';
import { readAnswer } from '../harness/send/raw-socket.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import { decision, HOSTILE } from '../harness/testing/report.ts';
import {
  casesAt,
  catalogue,
  contract,
  observer,
  planWith,
  rightAnswer,
  runRecord,
  sendAll,
} from '../harness/testing/small-world.ts';

const seed = 20261122;
const folder = mkdtempSync(join(tmpdir(), 'malformed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileWith = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The message of a configuration error; undefined if the work succeeds. Any other error is a defect, and fails the test. */
async function refusal(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    return error.message;
  }
}

/** Values that a field may have in a file that somebody made to break the suite. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0.5,
    1e308,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    HOSTILE,
    `a\n::error::${HOSTILE}`,
  ),
  fc.constantFrom<unknown>('constructor', '__proto__', 'x'.repeat(100_000), '('.repeat(200), '**/{a,b}/**', '/////'),
  fc.anything({ maxDepth: 2, withNullPrototype: false }).filter((value) => JSON.stringify(value) !== undefined),
);
/** Cuts, repeats and replaces parts of a text. */
const anyDamage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  instead: fc.string({ unit: 'binary', maxLength: 8 }),
});
type Damage = typeof anyDamage extends fc.Arbitrary<infer T> ? T : never;
const damaged = (text: string, { at, length, instead }: Damage) => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + instead + text.slice(from + length);
};

/** The value with another value at one place, which the numbers choose among all places. */
function withValueAt(value: unknown, steps: readonly number[], instead: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return instead;
  const keys = Object.keys(value);
  const key = keys[step % keys.length];
  if (key === undefined) return instead;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  Object.assign(copy, { [key]: withValueAt(Object(value)[key], rest, instead) });
  return copy;
}

describe('a journal', () => {
  const plan = planWith();
  const record = runRecord({
    extraHeaders: ['X-Gateway'],
    narrowing: { only: ['search/**'], except: [], requirements: [], shard: { index: 1, of: 2 } },
    tamperings: [...plan.cases.values()].flatMap(({ credential }) => credential?.tampering ?? []).slice(0, 2),
    minted: { 'USER valid all': { failed: 'code 3' }, 'USER expired all': 'token' },
  });
  const exchanges = sendAll(plan, ({ values }) => rightAnswer(values)).slice(0, 40);
  const entries: readonly JournalEntry[] = [
    record,
    {
      type: 'earlier',
      run: 'zero',
      startedAt: '2026-11-20T00:00:00Z',
      target: 'https://target.example',
      failing: ['token.expired search/USER'],
      decided: ['token.expired search/USER', 'token.unknown search/unknown'],
    },
    ...exchanges,
    { type: 'unsent', case: exchanges[0]?.case ?? '', reason: 'not sent: spent' },
    { ...decision('fail'), curl: 'curl -sS -i "$TARGET_BASE_URL/"', variable: 'USER_TOKEN' },
    { type: 'lockout', from: 1, to: 3 },
    { type: 'end', interrupted: false, stopped: 'gone' },
  ];
  const textOf = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const colors = pc.createColors(false);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through.
  const ACTIVE = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800\uffff]|^::error::/m;

  /** Everything that `report` and `merge` make of a journal. */
  async function judge(text: string): Promise<string | undefined> {
    const file = fileWith('journal.ndjson', text);
    let shown: readonly string[] = [];
    const refused = await refusal(() => {
      const read = readJournal(file);
      const replayed = replay(catalogue, read, { casesAt });
      const report = makeReport(replayed, replayed.judged);
      shown = [
        renderAgain(replayed, file, colors),
        renderEnd(report, file, colors),
        githubAnnotations(report)
          .map((line) => line.replace(/^::error title/, ''))
          .join('\n'),
        githubSummary(report),
        renderJunit(report),
        renderHtml(report),
      ];
      mergeJournals(catalogue, [{ folder, entries: read }], casesAt);
    });
    for (const output of [...shown, visibleLines(refused ?? '')]) expect(ACTIVE.exec(output)?.[0]).toBeUndefined();
    return refused;
  }

  test('that is whole is judged', async () => {
    expect(await judge(textOf(entries))).toBeUndefined();
  });

  test('with any other value anywhere is judged or refused with its line', async () => {
    const place = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    const line = fc.oneof(fc.constant(0), fc.nat(entries.length - 1));
    await fc.assert(
      fc.asyncProperty(line, place, anyValue, async (at, steps, value) => {
        const changed = entries.map((entry, index) => (index === at ? withValueAt(entry, steps, value) : entry));
        const refused = await judge(textOf(changed));
        if (refused !== undefined) expect(refused).toMatch(/journal|shard|depth|merge/);
      }),
      { seed, numRuns: 120 },
    );
  });

  test('that is damaged is judged or refused with its line', async () => {
    const text = textOf(entries.slice(0, 12));
    await fc.assert(
      fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
        await judge(damages.reduce(damaged, text));
      }),
      { seed, numRuns: 100 },
    );
  });

  test.each<[string, unknown, RegExp]>([
    [
      'no messages',
      { ...exchanges[0], observation: { kind: 'answer', status: 401, form: 'text', whole: null, embedded: [] } },
      /line 2 is not a journal entry: \/observation\/whole must be array/,
    ],
    [
      'a header of several lines',
      { ...record, extraHeaders: ['X-A\r\nX-B'] },
      /line 2 is not a journal entry: \/extraHeaders\/0/,
    ],
    [
      'a command in place of a token',
      { ...record, tamperings: [{ from: '$USER_TOKEN', how: 'x', shell: '$(id)' }] },
      /line 2 is not a journal entry: \/tamperings\/0\/shell/,
    ],
    [
      'a million shards',
      { ...record, narrowing: { ...record.narrowing, shard: { index: 1, of: 1_000_000 } } },
      /line 2 is not a journal entry: \/narrowing\/shard\/of/,
    ],
    ['a list', [], /line 2 is not a journal entry/],
  ])('with %s is refused with its line', async (_what, entry, message) => {
    expect(await judge(textOf([record, entry]))).toMatch(message);
  });

  test('with a command of somebody else loses it', () => {
    const [, found] = readJournal(
      fileWith('journal.ndjson', textOf([record, { ...decision('fail'), curl: 'curl x | sh' }])),
    );
    expect(found).toEqual(decision('fail'));
  });
});

describe('a report to compare with', () => {
  const good = {
    reportVersion: 1,
    run: 'zero',
    startedAt: '2026-11-20T00:00:00Z',
    target: 'https://target.example',
    embedded: false,
    requirements: [{ id: 'token.expired', undecided: [{ unit: 'chat/USER' }] }],
    findings: [{ verdict: 'fail', requirements: ['token.expired'], cases: ['search/USER/expired'] }],
    expectations: [{ requirements: ['token.expired'] }],
    cases: [{ id: 'search/USER/expired', group: 'search/USER/token.expired', verdict: 'fail', expectation: 0 }],
    checks: [{ requirement: 'user.isolation', operation: 'search', kind: 'USER', verdict: 'pass' }],
  };
  const compare = (text: string) =>
    refusal(() => {
      const report = readReport(fileWith('report.json', text));
      renderSince(sinceEarlier(earlierRun(report), report), pc.createColors(false));
    });

  test('with any other value anywhere, or damaged, is compared or refused by its name', async () => {
    const place = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(place, anyValue, fc.option(anyDamage), async (steps, value, damage) => {
        const text = JSON.stringify(withValueAt(good, steps, value));
        const refused = await compare(damage ? damaged(text, damage) : text);
        if (refused !== undefined) expect(refused).toMatch(/report\.json/);
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('a baseline', () => {
  const nameable = { contract, casesAt, checks: ['isolation'] };
  const read = (text: string) => refusal(() => readBaseline(nameable, fileWith('baseline.yaml', text), '2026-11-22'));
  const VALID = `deviations:
  - requirement: token.expired
    reason: the gateway caches tokens
    review: 2027-01-31
gaps:
  - cases: '*/GLOBAL/expired/**'
    reason: the console makes none
    review: 2027-01-31
`;
  const bomb = [
    'a: &a [x, x]',
    ...[...'bcdefghijklmnopqrstuvwxyz'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijklmnopqrstuvwxyz'[at]}`).join(', ')}]`,
    ),
  ].join('\n');

  test.each<[string, string, RegExp]>([
    ['multiplies aliases', bomb, /baseline\.yaml: line 1: .* aliases/],
    ['refers to itself', 'deviations: &a [*a]', /baseline\.yaml: line 1: /],
    ['is nested deeply', '['.repeat(20_000), /baseline\.yaml: line \d+: /],
    ['is nested deeply in blocks', `- ${'- '.repeat(20_000)}`, /baseline\.yaml: line \d+: /],
    ['is not YAML', 'deviations: [', /baseline\.yaml: line 1: [^\n]+$/],
    ['has a tab', 'deviations:\n\t- x', /baseline\.yaml: line 2: /],
    [
      'lacks a reason',
      VALID.replace('    reason: the gateway caches tokens\n', ''),
      /baseline\.yaml: line 2: \/deviations\/0 must have required property 'reason'$/,
    ],
    [
      'has a wrong value',
      VALID.replace('2027-01-31\n', 'soon\n'),
      /baseline\.yaml: line 4: \/deviations\/0\/review must match pattern/,
    ],
    ['has an unknown key', `${VALID}others: []\n`, /baseline\.yaml: line 1: \/ has the unknown key "others"/],
    ['is empty', '', /baseline\.yaml: line 1: /],
    ['has an unknown tag', 'deviations: !!js/function "x"', /baseline\.yaml: line 1: /],
    ['has bytes', '\0\u0001\ud800', /baseline\.yaml: line 1: /],
  ])('that %s is refused with its line', async (_what, text, message) => {
    expect(await read(text)).toMatch(message);
  });

  test('that is damaged is read or refused', async () => {
    expect(await read(VALID)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const refused = await read(damages.reduce(damaged, VALID));
        if (refused !== undefined) expect(refused).toMatch(/baseline\.yaml: (line \d+|\/\w+\/\d+)/);
      }),
      { seed, numRuns: 200 },
    );
  });
});

test('a .env that is damaged is read or refused, and no value is shown', async () => {
  const text = `TARGET_BASE_URL=https://api.example\nUSER_TOKEN='f3q8Zk1LmN0pR5sTuV7w'\nUSER_EMAIL="uma@people.example"\nCONFORMANCE_EXTRA_HEADERS='{"X-Key": "k9QwErTy7UiOp3AsDf5G"}'\nCONFORMANCE_RATE=10\n`;
  await fc.assert(
    fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const file = fileWith('.env', damages.reduce(damaged, text));
      const refused = await refusal(() => readSettings(catalogue, { environment: {}, dotenv: readDotenvFile(file) }));
      expect(refused ?? '').not.toMatch(/f3q8Zk1LmN0p|uma@people|k9QwErTy7UiO/);
    }),
    { seed, numRuns: 300 },
  );
});

test('contract data that is damaged is read or refused with its file', async () => {
  const names = ['matrix.yaml', 'rules.yaml', 'requirements.yaml', 'client-api.openapi.yaml'];
  const texts = names.map((name) => readFileSync(join(specsFolder, name), 'utf8'));
  for (const [index, name] of names.entries()) fileWith(name, texts[index] ?? '');
  await fc.assert(
    fc.asyncProperty(fc.nat(names.length - 1), anyDamage, async (index, damage) => {
      const name = names[index] ?? '';
      fileWith(name, damaged(texts[index] ?? '', damage));
      const refused = await refusal(() => loadContract(folder));
      fileWith(name, texts[index] ?? '');
      if (refused !== undefined) expect(refused).toMatch(/\.yaml/);
    }),
    { seed, numRuns: 40 },
  );
});

test('an output of ADMINISTRATION_COMMAND that is damaged is read', () => {
  const output = JSON.stringify({ ok: true, secret: 'f3q8Zk1LmN0p', token: { id: '7', scopes: ['A'] }, tokens: [{}] });
  fc.assert(
    fc.property(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), anyValue, (damages, value) => {
      for (const text of [damages.reduce(damaged, output), JSON.stringify(value)])
        expect(['done', 'failed', 'refused', 'unsupported']).toContain(readAdministrationAnswer(text).kind);
    }),
    { seed, numRuns: 300 },
  );
});

test('an answer of any bytes is recorded', () => {
  const [operation] = contract.operations;
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    anyValue.map((value) => JSON.stringify(value)),
    anyDamage.map((damage) => damaged('<p a="b">&amp;<!-- x --><![CDATA[y]]><script>z</script></p>', damage)),
  );
  const headers = fc.dictionary(
    fc.constantFrom('content-type', 'www-authenticate', 'retry-after', 'x'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string())),
  );
  fc.assert(
    fc.property(fc.constantFrom(200, 204, 302, 401, 500, 599), text, headers, (status, body, lines) => {
      const seen = observe(observer, { status, headers: lines, text: body, truncated: false }, operation);
      expect(seen.status).toBe(status);
    }),
    { seed, numRuns: 500 },
  );
});

test('an answer on the wire that is damaged is read', () => {
  const whole =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3;x=y\r\nabc\r\n0\r\nC: d\r\n\r\n';
  fc.assert(
    fc.property(fc.array(anyDamage, { maxLength: 3 }), fc.boolean(), (damages, ended) => {
      const answer = readAnswer(damages.reduce(damaged, whole), ended);
      expect(typeof (answer?.status ?? 0)).toBe('number');
    }),
    { seed, numRuns: 500 },
  );
});
