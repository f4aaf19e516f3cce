import { MEASURES, type Measure } from '../settings/latency-limits.ts';
import type { About } from './explain-cases.ts';

const MEANINGS: Readonly<Record<Measure, string>> = {
  p50: 'half of the accepted requests took no longer (the median)',
  p95: '95 % of the accepted requests took no longer',
  p99: '99 % of the accepted requests took no longer',
  max: 'no accepted request took longer',
};

export const LATENCY_TERMS: readonly string[] = ['too slow', 'too-slow', 'latency', 'max latency', ...MEASURES];

/** Explains what reports print of the limits of `--max-latency`. */
export const aboutLatency: About = (_context, id) => {
  const term = id.replace(/^--max-latency$/, 'max latency');
  if (!LATENCY_TERMS.includes(term)) return undefined;
  const measure = MEASURES.find((known) => known === term);
  return [
    {
      title: `Latency: ${term}`,
      rows: [
        ...(measure
          ? ([[measure, MEANINGS[measure]]] as const)
          : MEASURES.map((known) => [known, MEANINGS[known]] as const)),
        [
          'counts',
          'every accepted request to an operation, those of checks included; from the request to the end of the response',
        ],
        ['limit', '`run --max-latency p95=500`, in milliseconds; `chat:p95=5000` for one operation'],
        [
          'too slow',
          'exit 1: a limit is exceeded, and nothing deviates or is inconclusive. No requirement is affected',
        ],
      ],
    },
  ];
};
