import leven from 'leven';

/** The known name that a misspelt one most likely means: at most a third of its letters differ. */
export function likely(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase());
    if (!best || distance < best.distance) best = { name: candidate, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.name : undefined;
}

/** `; did you mean X?` or nothing, to end an error message with. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = likely(name, known);
  return meant ? `; did you mean ${meant}?` : '';
}
