import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { acceptsExpired, commandLine, without } from './testing/command-line.ts';

const cli = commandLine();
const KINDS = ['--claims', 'user'];
const WITH_BASELINE = ['--baseline', 'baseline.yaml'];

function writeBaseline(...entries: readonly (readonly [list: string, entry: object])[]): void {
  const of = (name: string) => entries.filter(([list]) => list === name).map(([, entry]) => entry);
  // JSON is YAML.
  writeFileSync(cli.file('baseline.yaml'), JSON.stringify({ deviations: of('deviations'), gaps: of('gaps') }));
}
const expired = { requirement: 'token.expired', reason: 'the cache forgets after an hour', review: '2999-01-31' };
const junit = () => cli.text('conformance-report', 'junit.xml');

describe('a run with a baseline', () => {
  test('conforms with exit 0 if every failure is listed, and report judges with or without the baseline', async () => {
    writeBaseline(['deviations', expired]);
    const { code, output } = await cli.run(await cli.plain(acceptsExpired), [...KINDS, ...WITH_BASELINE]);
    expect(output).toContain('conforms except 1 listed: user (claims as CONFORMANCE_CLAIMS states)');
    expect(output).toMatch(/F1 fail token\.expired \(.*\) listed in the baseline/);
    expect(output).toMatch(/deviation token\.expired +\d+ cases and checks; review by 2999-01-31: the cache forgets/);
    expect([code, cli.report().ending]).toEqual([0, 'conforms-except']);
    expect(junit()).not.toContain('<failure');
    const [withBaseline, withoutBaseline] = [
      await cli.command(['report', ...WITH_BASELINE]),
      await cli.command(['report']),
    ];
    expect([withBaseline.code, withoutBaseline.code]).toEqual([0, 1]);
    expect(junit()).toContain('<failure');
  });

  test('deviates with exit 1 if something else fails, and shows which entries need attention', async () => {
    writeBaseline(
      ['deviations', { cases: 'chat/USER/expired/**', reason: 'chat caches tokens', review: '2020-01-31' }],
      ['deviations', { requirement: 'token.unknown', reason: 'was the old gateway', review: '2999-01-31' }],
      ['gaps', { cases: '*/OKTA/**', reason: 'nobody can make one', review: '2999-01-31' }],
    );
    const { code, output } = await cli.run(await cli.plain(acceptsExpired), [...KINDS, ...WITH_BASELINE]);
    expect(code).toBe(1);
    expect(output).toContain('deviates, beyond 1 listed');
    expect(output).toMatch(/chat\/USER\/expired\/\*\* .*\n +! was due for review on 2020-01-31: review it\n/);
    expect(output).toMatch(/token\.unknown .*\n +! no longer occurs: take it out\n/);
    expect(output).toMatch(/OKTA\/\*\* .*\n +! matches nothing that this run plans\n/);
  });

  test('can write one that accepts what fails today, with a warning for each reason that nobody has filled in', async () => {
    const env = await cli.plain(acceptsExpired);
    const written = await cli.run(env, [...KINDS, '--write-baseline', 'baseline.yaml']);
    expect(written.code).toBe(1);
    expect(written.output).toContain('baseline: baseline.yaml; fill in its reasons');
    const file = () => cli.text('baseline.yaml');
    expect(file()).toMatch(
      /# F1: A token is refused with 401 after its expiry\. .*Where: .*\n {2}- requirement: token\.expired\n/,
    );
    const accepted = await cli.command(['report', ...WITH_BASELINE]);
    expect(accepted.output).toContain('! has no reason yet: fill it in by');
    expect(accepted.code).toBe(0);
    expect((await cli.command(['report', '--write-baseline', 'baseline.yaml'])).code).toBe(2);
    writeFileSync(cli.file('baseline.yaml'), file().replace(/review: .*/g, 'review: 2020-01-31'));
    const overdue = await cli.command(['report', ...WITH_BASELINE]);
    expect(overdue.output).toContain('the reason was to be filled in by 2020-01-31');
    expect(overdue.code).toBe(2);
  });

  test('that cannot be written is refused before the first request, or said after the verdict', async () => {
    const env = await cli.plain();
    const noFolder = await cli.run(env, ['--write-baseline', 'none/baseline.yaml']);
    expect(noFolder.output).toBe(
      'configuration error\n  --write-baseline none/baseline.yaml cannot be written: its folder does not exist; make the folder first\n',
    );
    expect(noFolder.code).toBe(2);
    const few = [...KINDS, '--only', 'search/USER/valid/**'];
    const tooLong = await cli.run(env, [...few, '--write-baseline', 'x'.repeat(300)]);
    expect(tooLong.output).toMatch(
      /nothing deviates.*cannot write\n {2}cannot write x+ \(ENAMETOOLONG\); npx --no -- client-api-conformance report conformance-report --write-baseline FILE writes it/s,
    );
    expect(tooLong.code).toBe(2);
    const again = await cli.command(['report', '--write-baseline', 'x'.repeat(300)]);
    expect(again.code).toBe(2);
    // The verdict shows no exit code that is not that of the process.
    for (const { output } of [tooLong, again]) expect(output).not.toContain('exit code');
  });

  test('is complete with exit 0 if a missing token is an accepted gap', async () => {
    writeBaseline(['gaps', { ...expired, reason: 'nobody may create an expired one' }]);
    const env = without(await cli.plain(), 'USER_TOKEN_EXPIRED', 'USER_TOKEN_EXPIRED_UNSCOPED');
    const { code, output } = await cli.run(env, [...KINDS, ...WITH_BASELINE]);
    expect(output).toMatch(/accepted gap +USER_TOKEN_EXPIRED: token\.expired/);
    expect([code, cli.report().ending]).toEqual([0, 'conforms-except']);
  });

  test('ends with exit 2 before the first request for an entry that names nothing', async () => {
    writeBaseline(['deviations', { ...expired, requirement: 'token.expird' }]);
    const { code, output } = await cli.run(await cli.plain(), WITH_BASELINE);
    expect(output).toContain(
      'baseline.yaml: /deviations/0: token.expird is not a requirement of the ledger; did you mean',
    );
    expect(code).toBe(2);
  });
});
