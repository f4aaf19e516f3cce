import { type MeasuredLimit, measuredInWords } from '../report/latency-limits.ts';
import { attributes } from './junit-markup.ts';

/** A suite of JUnit, and what it adds to the counts of the whole. */
export interface LimitSuite {
  readonly markup: string;
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
}

/** The limits of --max-latency as a suite with a test for each. A limit is skipped if no request was accepted. */
export function limitSuite(limits: readonly MeasuredLimit[]): LimitSuite {
  const counts = {
    tests: limits.length,
    failures: limits.filter(({ exceeded }) => exceeded).length,
    skipped: limits.filter(({ took }) => took === null).length,
  };
  if (limits.length === 0) return { markup: '', ...counts };
  const head = attributes({ name: 'latency', ...counts, errors: 0 });
  return { markup: `  <testsuite ${head}>\n${limits.map(testOf).join('')}  </testsuite>\n`, ...counts };
}

function testOf(limit: MeasuredLimit): string {
  const head = `    <testcase ${attributes({ classname: `latency.${limit.operation}`, name: limit.measure })}`;
  const message = attributes({ message: measuredInWords(limit) });
  if (limit.exceeded) return `${head}>\n      <failure ${message} type="too slow"/>\n    </testcase>\n`;
  return limit.took === null ? `${head}>\n      <skipped ${message}/>\n    </testcase>\n` : `${head}/>\n`;
}
