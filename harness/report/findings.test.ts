import { expect, test } from 'vitest';
import type { Values } from '../contract/contract.ts';
import { loadContractFile } from '../contract/load-contract.ts';
import { OTHER_REQUESTS } from '../judge/alike-causes.ts';
import { decision, reportOf } from '../testing/report.ts';
import { accepted, answer, contract } from '../testing/small-world.ts';
import { conditionInWords } from './findings.ts';

const expired = ({ validity }: Values) => validity === 'expired';
const basic = ({ authorization }: Values) => authorization === 'basic';

test('a finding with several statuses says how often each of them came', async () => {
  const { findings } = await reportOf({
    instead: (values) => {
      if (!expired(values)) return undefined;
      return answer(values.kind === 'USER' ? 404 : values.kind === 'AZURE' ? 403 : 500);
    },
  });
  const [found, ...more] = findings;
  expect(more).toEqual([]);
  const ofKind = (kind: string) => found?.cases.filter((id) => id.includes(`/${kind}/`)).length ?? 0;
  const others = (found?.cases.length ?? 0) - ofKind('USER') - ofKind('AZURE');
  expect(found?.got).toBe(`404; also 500 in ${others} cases, 403 in ${ofKind('AZURE')} cases`);
  expect(found?.example).toMatch(/^\w+\/USER\//);
});

test('what is accepted and what is refused with a wrong status are two findings, the acceptance first', async () => {
  const { findings } = await reportOf({
    instead: (values) => (expired(values) ? (values.kind === 'USER' ? accepted : answer(404)) : undefined),
  });
  expect(findings.map(({ requirements, got }) => [...requirements, got])).toEqual([
    ['token.expired', '200'],
    ['token.expired', '404'],
  ]);
});

test('a finding that comes and goes names its first conditions, and says how many there are', async () => {
  const comes = (values: Values) => expired(values) && JSON.stringify(values).length % 3 > 0;
  const { findings } = await reportOf({ instead: (values) => (comes(values) ? accepted : undefined) });
  const places = findings[0]?.where.split('; or ') ?? [];
  expect(places[6]).toMatch(/^\d+ further conditions?$/);
  expect(places.slice(7)).toEqual([expect.stringMatching(/^\d+ scattered cases that no condition separates/)]);
});

test('a finding that fails only because of a check shows what the check found', async () => {
  const failed = { ...decision('fail', 'Basic was accepted'), requirement: 'authorization.malformed' };
  const shown = { wanted: 'a refusal', curl: 'curl http://target.example' };
  const warning = (values: Values) => (basic(values) ? answer(403) : undefined);
  const warned = { ...failed, verdict: 'warn', check: 'advice', detail: 'advice was missed' } as const;
  const { findings } = await reportOf({ instead: warning, decisions: [warned, { ...failed, ...shown }] });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    verdict: 'fail',
    got: 'Basic was accepted',
    ...shown,
    example: 'isolation/search/USER',
    where: 'isolation/search/USER, advice/search/USER; only a warning: authorization basic',
  });
});

test('a finding about an answer of the matrix has the command line of its case', async () => {
  const read = { ...decision('fail', 'a refusal showed $USER_PRIVATE_MARKER'), steps: [1], broke: 1 };
  const { findings, cases } = await reportOf({ decisions: [read] });
  expect(findings[0]?.steps).toMatchObject([{ shows: cases[0]?.id, failed: true }]);
  expect(findings[0]?.curl).toMatch(/^curl .*\$TARGET_BASE_URL/);
});

test('a finding that hangs on other requests shows what the check sent, and no conditions', async () => {
  const seen = {
    ...decision('fail', 'an expired token was accepted after another request'),
    requirement: 'token.expired',
  };
  const remembered = { ...seen, check: 'every-time', influence: OTHER_REQUESTS };
  const { findings } = await reportOf({
    instead: (values) => (expired(values) ? accepted : undefined),
    decisions: [seen, remembered],
  });
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ got: seen.detail, example: 'every-time/search/USER' });
});

test('a condition has no word that a contract of somebody else has no use for', async () => {
  const tickets = await loadContractFile('fixtures/contracts/tickets.yaml');
  const cookie = { ...tickets, has: [] };
  const [family, bearer] = [
    { aspect: 'family', value: 'service' },
    { aspect: 'authorization', value: 'bearer' },
  ] as const;
  expect([conditionInWords(contract, family), conditionInWords(contract, bearer)]).toEqual([
    'family service',
    'authorization bearer',
  ]);
  expect([conditionInWords(cookie, family), conditionInWords(cookie, bearer)]).toEqual([
    'an issued token',
    'the documented Authorization',
  ]);
});
