/** A mutant that no test can notice, because it does not change what the code does. */
export interface Survivor {
  readonly file: string;
  /** The line where the mutant begins, without its indentation. */
  readonly line: string;
  /** The text that the mutant puts there. */
  readonly replacement: string;
  /** Why nothing changes. */
  readonly reason: string;
}

/** Mutants that survive for a reason. `npm run mutate` refuses every other survivor, and entries that fit no survivor. */
export const survivors: readonly Survivor[] = [
  {
    file: 'harness/record/lockout.ts',
    line: "return observation.kind === 'answer' && [401, 403, 423].includes(observation.status);",
    replacement: 'true',
    reason: 'A failure has no status, and the list has no undefined. The comparison is there for the type.',
  },
  {
    file: 'harness/send/lockout.ts',
    line: "await pMap(cases, (found) => sender.send(found, 'cell'), { concurrency });",
    replacement: '{}',
    reason: 'The gate limits the concurrency too. The option keeps thousands of waiting requests out of memory.',
  },
];
