import leven from 'leven';

/** The known name that is closest to a misspelled one; undefined if more than a third of the letters differ. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase());
    if (!best || distance < best.distance) best = { name: candidate, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.name : undefined;
}

/** `; did you mean X?`, for the end of an error message; empty if no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest ? `; did you mean ${closest}?` : '';
}
