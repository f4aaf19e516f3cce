import { afterEach, describe, expect, test, vi } from 'vitest';
import { colorsFor } from './colors.ts';
import { lineOf, runDetails, showProgress, showRunProgress } from './progress.ts';

const watched = (requests: number, holding?: string) => ({
  plan: { groups: [{ id: 'search/USER/accepted', cases: Array(270) }] },
  checks: [{ id: 'isolation', title: '', requirements: [], intrusive: false, run: async () => [] }],
  sender: { exchanges: { length: requests } },
  gate: { holding },
});

describe('progress', () => {
  afterEach(() => void vi.useRealTimers());

  test('tells the share, the rate, the time left and what holds it back', () => {
    const line = (requests: number, share: number, passedMs: number, holding?: string) =>
      lineOf(share, passedMs, runDetails(watched(requests, holding), passedMs));
    expect(line(150, 0.25, 15_000)).toBe('25 %, 150 requests, 10 a second, about 45 s left');
    expect(line(0, 0, 0)).toBe('0 %, 0 requests, 0.0 a second');
    expect(line(9, 0.5, 6_000, 'waiting 30 s as the target asks')).toBe(
      '50 %, 9 requests, 1.5 a second, about 6 s left, waiting 30 s as the target asks',
    );
  });

  test('of anything else tells what has been done of it', () => {
    vi.useFakeTimers();
    const written: string[] = [];
    let judged = 0;
    const progress = showProgress(8, () => ({ done: [`${judged} judged`] }), { write: (text) => written.push(text) });
    judged += 2;
    progress.step(2);
    vi.advanceTimersByTime(15_000);
    progress.end();
    expect(written).toEqual(['25 %, 2 judged, about 45 s left\n']);
  });

  test.each([
    [true, ['\r\x1b[2K90 %, 150 requests, ', '\r\x1b[2K']],
    [false, ['90 %, 150 requests, ', '\n']],
  ])('on a terminal (%s) is one line that changes, in a log a line of its own', (isTTY, [begins, ends]) => {
    vi.useFakeTimers();
    const written: string[] = [];
    const progress = showRunProgress(watched(150), { isTTY, write: (text) => written.push(text) });
    progress.step(270);
    vi.advanceTimersByTime(16_000);
    progress.end();
    expect(written[0]?.startsWith(begins ?? '')).toBe(true);
    expect(written.at(-1)?.endsWith(ends ?? '')).toBe(true);
    expect(written.length).toBe(isTTY ? 81 : 1);
  });
});

test('NO_COLOR, a log and a dumb terminal get no colour', () => {
  const painted = (isTTY: boolean, env: NodeJS.ProcessEnv) => colorsFor({ isTTY }, env).red('x') !== 'x';
  expect(painted(true, {})).toBe(true);
  expect([painted(true, { NO_COLOR: '1' }), painted(false, {}), painted(true, { TERM: 'dumb' })]).toEqual(
    Array(3).fill(false),
  );
});
