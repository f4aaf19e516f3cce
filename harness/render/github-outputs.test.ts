import { expect, test } from 'vitest';
import { expiredUser, hostileReport, reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { githubOutputs } from './github-outputs.ts';

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
