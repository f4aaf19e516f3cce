import { describe, expect, test } from 'vitest';
import { earlierRun, sinceEarlier } from '../report/since.ts';
import { expiredUser, HOSTILE, hostileReport, LEFT_CLIENTS, reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { githubAnnotations, githubOutputs, githubSummary } from './github.ts';
import { withoutCommands } from './workflow-commands.ts';

describe('annotations', () => {
  test('show each cause once, with its requirement, what was wanted, what came and a curl line', async () => {
    const report = await reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) });
    const [first = '', ...others] = githubAnnotations(report);
    expect(others.filter((line) => line.startsWith('::error'))).toEqual([]);
    expect(first).toMatch(
      /^::error title=F1 token\.expired \(spec 3 and 7; stated\)::A token is refused with 401 after its expiry/,
    );
    expect(first).toContain('%0Awanted: 401');
    expect(first).toContain('%0Agot: 404');
    expect(first).toContain('%0Areproduce: curl');
  });

  test('keep text of the target in one line, where it cannot become a command or a property', async () => {
    const lines = githubAnnotations(await hostileReport());
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::[^\r\n]*$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through.
      expect(line).not.toMatch(/[\x00-\x1f\x7f]|\u202e/);
    }
  });

  test('show what is undecided when that decides how the run ends', async () => {
    const report = await reportOf({
      changes: { USER_TOKEN_EXPIRED: undefined, USER_TOKEN_EXPIRED_UNSCOPED: undefined },
    });
    expect(githubAnnotations(report).join('\n')).toContain('USER_TOKEN_EXPIRED: token.expired');
  });

  test('say what was claimed and decided, which tokens nobody verified, and how long it took', async () => {
    const report = { ...(await reportOf({ changes: { CONFORMANCE_CLAIMS: 'user' } })), durationMs: 69_000 };
    const [notice = ''] = githubAnnotations(report).filter((line) => line.startsWith('::notice'));
    expect(notice).toMatch(/^::notice title=https%3A\/\/target\.example\/prefix conforms%3A user/);
    expect(notice).toMatch(/%0Arequirements: (\d+) of \1 claimed are decided everywhere: \d+ pass, \d+ observed%0A/);
    expect(notice).toContain('%0Atokens: not verified: ');
    expect(notice).toContain('%0Aduration: 1 min 9 s%0A');
    const summary = githubSummary(report);
    expect(summary).toMatch(/\n- requirements: (\d+) of \1 claimed are decided everywhere&#58; \d+ pass/);
    expect(summary).toContain('\n- tokens: not verified');
    expect(summary).toContain('\n- duration: 1 min 9 s\n');
  });

  test('are the only workflow commands that the runner reads', () => {
    const { stop, resume } = withoutCommands();
    expect(stop.replace('::stop-commands::', '')).toBe(resume.slice(2, -2));
    expect(withoutCommands().stop).not.toBe(stop);
  });
});

describe('the summary of a step', () => {
  test('shows how the run ended, the counts and each cause', async () => {
    const text = githubSummary(await hostileReport());
    expect(text).toMatch(/^## ❌ https&#58;.* deviates/);
    expect(text).toContain('| fail |');
    expect(text).toContain('\n#### F1 fail&#58;');
    expect(text).toMatch(/\n<pre><code>curl (?:[\p{L}\p{N} ]|&#\d+;)+<\/code><\/pre>\n\n<details><summary>Response/u);
  });

  test('shows what changed since the earlier run', async () => {
    const earlier = earlierRun(await reportOf());
    const report = await reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) });
    const text = githubSummary({ ...report, since: sinceEarlier(earlier, report) });
    expect(text).toMatch(
      /### Since the run of .*\n\n\| change \| requirement \|\n.*\n\| new \| token&#46;expired on chat&#47;USER/,
    );
  });

  test('lists what the run left on the target, with the first names', async () => {
    const text = githubSummary({ ...(await reportOf()), left: LEFT_CLIENTS });
    expect(text).toContain('\n### Left on the target\n\n- 5 clients registered&#44; still there&#58; ');
    expect(text).toContain('&#40;c1&#44; &#60;b&#62;&#44; c3 and 2 more&#41;');
    expect(githubSummary({ ...(await reportOf()), left: [] })).not.toContain('Left on the target');
  });

  test('shows text of the target as plain text, never as Markdown, HTML or a link', async () => {
    const hostile = `${HOSTILE} \`code\` [x](javascript:alert(1)) |a|b| **b** https://evil.example @you #1\n# head`;
    const report = await hostileReport();
    const [first, ...rest] = report.findings;
    const text = githubSummary({ ...report, findings: first ? [{ ...first, got: hostile }, ...rest] : [] });
    const [, got = ''] = /<div>got&#58; (.*?)<\/div>/.exec(text) ?? [];
    expect(got).toMatch(/^([\p{L}\p{N} ]|&#\d+;)+$/u);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('evil.example');
  });
});

test('the outputs of a step are its ending and its causes', async () => {
  const report = await reportOf({ instead: (values) => (expiredUser(values) ? answer(404) : undefined) });
  expect(githubOutputs(report)).toBe(
    'ending=deviates\ncauses=[{"id":"F1","verdict":"fail","requirements":["token.expired"],"listed":false}]\n',
  );
});

test('the outputs of a step hold no text of the target, and at most 50 causes', async () => {
  const report = await hostileReport();
  const [finding] = report.findings;
  const text = githubOutputs({
    ...report,
    findings: Array.from({ length: 60 }, () => ({ ...finding, id: 'F1\nending=conforms' })) as never,
  });
  const [ending, causes = '', ...others] = text.split('\n');
  expect([ending, others]).toEqual(['ending=deviates', ['']]);
  const listed: readonly object[] = JSON.parse(causes.slice('causes='.length));
  expect(listed).toHaveLength(50);
  expect(Object.keys(listed[0] ?? {})).toEqual(['id', 'verdict', 'requirements', 'listed']);
});
