/** How long a submission is remembered, in milliseconds. */
const rememberedFor = 10 * 60 * 1000;

export interface FormSubmissions<T> {
  /** Does the work once for each key. A second submission with the same key gets the result of the first. */
  once(key: string, work: () => Promise<T>): Promise<T>;
}

/** Gives a form that is submitted twice, for example by a double click, one effect and one answer. */
export function createFormSubmissions<T>(now: () => number): FormSubmissions<T> {
  const submissions = new Map<string, { readonly result: Promise<T>; readonly until: number }>();

  return {
    once(key, work) {
      for (const [other, { until }] of submissions) if (until <= now()) submissions.delete(other);
      const known = submissions.get(key);
      if (known) return known.result;
      const result = work();
      submissions.set(key, { result, until: now() + rememberedFor });
      // A failed submission can be repeated.
      result.catch(() => submissions.delete(key));
      return result;
    },
  };
}
