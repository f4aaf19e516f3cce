import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../judge/judge-cases.ts';
import type { ReportedCase } from '../../report/cases.ts';
import { reportMatrix } from '../../report/sight.ts';
import { contract } from '../../testing/small-world.ts';
import { picturesOf } from './matrix-picture.ts';

const matrix = reportMatrix(contract);
const found = (id: string, verdict: Verdict): ReportedCase => ({
  id,
  verdict,
  group: '',
  expectation: 0,
  sent: 1,
  status: 200,
});
const user = 'search/USER/valid/all/act-as:absent/auth-type:absent';

describe('the picture of the matrix', () => {
  test('places a case by operation, kind and headers, whatever else its id says', () => {
    const id = 'chat/USER/valid/all-but:CHAT/act-as:blank/auth-type:other-case/body:missing-field';
    const [picture] = picturesOf(matrix, [found(id, 'pass')]);
    expect([picture?.operation.id, picture?.kinds]).toEqual(['chat', ['USER']]);
    expect(picture?.bands.map(({ band, rows }) => [band, rows.map(({ row }) => row)])).toEqual([
      ['blank', ['other-case']],
    ]);
  });

  test.each<[Verdict, Verdict[], number]>([
    ['fail', ['pass', 'fail', 'inconclusive', 'fail'], 2],
    ['inconclusive', ['warn', 'inconclusive', 'not-testable'], 1],
    ['not-testable', ['pass', 'not-testable', 'warn'], 1],
    ['warn', ['observed', 'warn', 'pass'], 1],
    ['pass', ['observed', 'pass', 'pass'], 2],
  ])('shows %s for a cell with %j, and how many cases have it', (worst, verdicts, count) => {
    const cases = verdicts.map((verdict, index) => found(`${user}/header-case:${index}`, verdict));
    const [picture] = picturesOf(matrix, cases);
    expect(picture?.bands[0]?.rows[0]?.cells).toEqual([{ worst, count, total: verdicts.length }]);
  });

  test('leaves out operations, header values and kinds without cases', () => {
    const pictures = picturesOf(matrix, [found(user, 'pass'), found(user.replace('USER', 'GLOBAL'), 'pass')]);
    expect(pictures.map(({ operation, kinds }) => [operation.id, kinds])).toEqual([['search', ['USER', 'GLOBAL']]]);
    expect(pictures[0]?.bands.map(({ band, rows }) => [band, rows.length])).toEqual([['absent', 1]]);
  });
});
