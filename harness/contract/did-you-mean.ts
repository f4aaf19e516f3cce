import leven from 'leven';

/** The known name that is closest to a misspelled one; undefined if more than a third of the letters differ. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let best: string | undefined;
  let distance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    // A name that is not closer than the best one is given up early: ids of cases are long, and there are 20,000.
    const found = leven(lower, candidate.toLowerCase(), { maxDistance: distance });
    if (found < distance) [best, distance] = [candidate, found];
  }
  return best;
}

/** `; did you mean X?`, for the end of an error message; empty if no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest ? `; did you mean ${closest}?` : '';
}
