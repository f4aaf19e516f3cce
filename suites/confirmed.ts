/** How an answer looks: right, wrong, wrong however rare (a wrong acceptance), or as if none came. */
export type Look = 'right' | 'wrong' | 'wrong at once' | 'lost';

/** What came of asking; `fleeting`: it was wrong once and not again. */
export interface Confirmed<T> {
  readonly kind: 'right' | 'wrong' | 'fleeting' | 'lost';
  readonly got: T;
}

/** A wrong refusal counts when it comes again, a wrong acceptance at once (OUTCOMES 3). */
export async function confirmed<T>(ask: () => Promise<T>, lookOf: (got: T) => Look): Promise<Confirmed<T>> {
  const first = await ask();
  const look = lookOf(first);
  switch (look) {
    case 'right':
    case 'lost':
      return { kind: look, got: first };
    case 'wrong at once':
      return { kind: 'wrong', got: first };
    case 'wrong':
      break;
  }
  const second = await ask();
  const again = lookOf(second);
  switch (again) {
    case 'wrong':
    case 'wrong at once':
      return { kind: 'wrong', got: second };
    case 'right':
    case 'lost':
      return { kind: 'fleeting', got: first };
  }
}
