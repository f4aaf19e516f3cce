import { afterEach, describe, expect, test, vi } from 'vitest';
import { lineOf, runDetails, showMintingOn, showProgress, showRunProgress, timeLeft } from './progress.ts';
import { colorsFor } from './terminal.ts';

const group = { id: 'search/USER/accepted', cases: Array(270) };
const watched = (requests: number, holding?: string) => ({
  plan: { groups: [group] },
  checks: [{ id: 'isolation', title: '', requirements: [], intrusive: false, run: async () => [] }],
  sender: { exchanges: { length: requests } },
  gate: { holding, heldMs: holding === undefined ? 0 : 30_000 },
});

describe('progress', () => {
  afterEach(() => void vi.useRealTimers());

  test('of a run shows the percentage, the rate, the time left and why it waits', () => {
    const line = (requests: number, share: number, passedMs: number, holding?: string) =>
      lineOf(share, timeLeft({ share, passedMs }), runDetails(watched(requests, holding), passedMs));
    expect(line(150, 0.25, 15_000)).toBe('25 %, 150 requests, 10 a second, about 45 s left');
    expect(line(0, 0, 0)).toBe('0 %, 0 requests, 0.0 a second');
    expect(line(9, 0.5, 6_000, 'pausing 30 s because the target asked to slow down')).toBe(
      '50 %, 9 requests, 1.5 a second, about 6 s left, pausing 30 s because the target asked to slow down',
    );
  });

  test('shows a time left that is never shorter than the pause, and grows while a step lasts too long', () => {
    expect(timeLeft({ share: 0.97, passedMs: 97_000 })).toBeCloseTo(3_000);
    expect(timeLeft({ share: 0.97, passedMs: 97_000, heldMs: 31_000 })).toBe(31_000);
    expect(timeLeft({ share: 0.5, passedMs: 10_000, forecastMs: 60_000 })).toBe(30_000);
    expect(timeLeft({ share: 0.5, passedMs: 90_000, forecastMs: 60_000 })).toBe(90_000);
    expect(timeLeft({ share: 0, passedMs: 5_000 })).toBeUndefined();
    expect(timeLeft({ share: 0.001, passedMs: 30_000, forecastMs: 60_000 })).toBeCloseTo(89_910);
  });

  test('names the check that it waits for, and goes by the rehearsed times, also within a step', () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const session = watched(150);
    const [check] = session.checks;
    const progress = showRunProgress(session, { write: (text) => written.push(text) }, [5_000, 0, 95_000]);
    vi.advanceTimersByTime(5_000);
    progress.step({ kind: 'group done', group });
    if (check) progress.step({ kind: 'check begins', check });
    vi.advanceTimersByTime(10_000);
    progress.end();
    expect(written).toEqual(['15 %, 150 requests, 10 a second, about 1 min 25 s left, check isolation\n']);
  });

  test('of other work shows what has been done', () => {
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

  test('of TOKEN_COMMAND shows how many of the tokens are made', () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const progress = showMintingOn({ write: (text) => written.push(text) })(64);
    progress.step(1);
    progress.step(15);
    vi.advanceTimersByTime(15_000);
    progress.end();
    expect(written).toEqual(['25 %, making 64 tokens with TOKEN_COMMAND, about 45 s left\n']);
  });

  test('is never longer than a row of the terminal', () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const held = watched(150, 'pausing 45 s to stay under 60 refused tokens a minute');
    const progress = showRunProgress(held, { isTTY: true, columns: 40, write: (text) => written.push(text) });
    progress.step({ kind: 'group done', group });
    vi.advanceTimersByTime(200);
    progress.end();
    expect(written[0]).toHaveLength('\r\x1b[2K'.length + 39);
  });

  test.each([
    [true, ['\r\x1b[2K90 %, 150 requests, ', '\r\x1b[2K']],
    [false, ['90 %, 150 requests, ', '\n']],
  ])('with a terminal: %s, updates one line on a terminal and adds lines in a log', (isTTY, [begins, ends]) => {
    vi.useFakeTimers();
    const written: string[] = [];
    const progress = showRunProgress(watched(150), { isTTY, write: (text) => written.push(text) });
    progress.step({ kind: 'group done', group });
    vi.advanceTimersByTime(16_000);
    progress.end();
    expect(written[0]?.startsWith(begins ?? '')).toBe(true);
    expect(written.at(-1)?.endsWith(ends ?? '')).toBe(true);
    expect(written.length).toBe(isTTY ? 81 : 1);
  });
});

test('NO_COLOR, a log and a dumb terminal turn colours off', () => {
  const painted = (isTTY: boolean, env: NodeJS.ProcessEnv) => colorsFor({ isTTY }, env).red('x') !== 'x';
  expect(painted(true, {})).toBe(true);
  expect([painted(true, { NO_COLOR: '1' }), painted(false, {}), painted(true, { TERM: 'dumb' })]).toEqual(
    Array(3).fill(false),
  );
});
