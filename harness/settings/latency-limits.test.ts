import { describe, expect, test } from 'vitest';
import { contract } from '../testing/contract.ts';
import { limitInWords, readLatencyLimits } from './latency-limits.ts';

const read = (...texts: readonly string[]) => readLatencyLimits(texts, contract);

describe('--max-latency', () => {
  test('takes several limits, also for one operation', () => {
    const texts = ['p50=100', 'p95=500', 'p99=900', 'max=3000', 'chat:p95=5000', 'mcp-tools-call:max=60000'];
    expect(read(...texts)?.map(limitInWords)).toEqual(texts);
  });

  test('is off by default', () => {
    expect(read()).toBeUndefined();
  });

  test.each([
    'p90=500',
    'p95',
    'p95=',
    'p95=0',
    'p95=0.5',
    'p95=500ms',
    'p95=-1',
    'p95=12345678',
    '500',
    '',
    'p95=1,max=2',
  ])('refuses %j, and says what was wanted and what came', (text) => {
    expect(() => read(text)).toThrow(
      /^--max-latency must be p50, p95, p99, max with a whole number of milliseconds from 1 to 9999999, such as p95=500/,
    );
    expect(() => read(text)).toThrow(`not ${JSON.stringify(text)}`);
  });

  test('refuses an operation that does not exist, and names one that does', () => {
    expect(() => read('serch:p95=500')).toThrow('there is no operation serch; did you mean search?');
    expect(() => read('other:p95=500')).toThrow(/there is no operation other; there are search, chat/);
  });

  test('refuses two limits of the same', () => {
    expect(() => read('p95=500', 'p95=600')).toThrow('--max-latency has two limits for p95');
    expect(() => read('chat:p95=500', 'max=900', 'chat:p95=500')).toThrow('two limits for chat:p95');
  });
});
