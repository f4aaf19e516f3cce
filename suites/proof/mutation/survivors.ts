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
/** Mutants of one line that survive for one reason. */
type Explained = Pick<Survivor, 'line' | 'reason'> & { readonly replacements: readonly string[] };

const EXPLAINED: Readonly<Record<string, readonly Explained[]>> = {
  'harness/record/lockout.ts': [
    {
      line: "return observation.kind === 'answer' && [401, 403, 423].includes(observation.status);",
      replacements: ['true'],
      reason: 'A failure has no status, and the list has no undefined. The comparison is there for the type.',
    },
  ],
  'harness/send/lockout.ts': [
    {
      line: "await pMap(cases, (found) => sender.send(found, 'cell'), { concurrency });",
      replacements: ['{}'],
      reason: 'The gate limits the concurrency too. The option keeps thousands of waiting requests out of memory.',
    },
  ],
  'harness/judge/causes-of-checks.ts': [
    {
      line: "const known = new Set(extended.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));",
      replacements: ['["Stryker was here"]'],
      reason: 'No requirement has this name.',
    },
    {
      line: "template: requirements[0] ?? '',",
      replacements: ['"Stryker was here!"'],
      reason: 'It is there for the type: every group of decisions has a requirement.',
    },
  ],
  'harness/judge/causes.ts': [
    {
      line: 'while (left.length > 0) {',
      replacements: ['left.length >= 0'],
      reason: 'Without misses no requirement is the best one, and the loop ends there.',
    },
    {
      line: 'if (!best) break;',
      replacements: ['false'],
      reason: 'It is there for the type: every miss has a suspect, so one of them is the best.',
    },
    {
      line: 'const observation = cause.example?.observation;',
      replacements: ['cause.example.observation'],
      reason: 'It is there for the type: a cause of the matrix has an example.',
    },
    {
      line: "const status = observation?.kind === 'answer' ? observation.status : 'no answer';",
      replacements: ['true', 'observation.kind', '""'],
      reason: 'Every miss has an observation. Any text that is no status does for one without an answer.',
    },
    {
      line: 'if (countA !== countB) return countA > countB;',
      replacements: ['countA >= countB'],
      reason: 'The counts differ here.',
    },
    {
      line: 'if (a.sole !== b.sole) return a.sole > b.sole;',
      replacements: ['a.sole >= b.sole'],
      reason: 'The counts differ here.',
    },
    {
      line: "(miss) => miss.verdict.verdict === 'fail' && blamedFor(miss).some(({ level }) => level === 'must'),",
      replacements: ["blamedFor(miss).every(({ level }) => level === 'must')"],
      reason: 'The suspects of one requirement have one level.',
    },
  ],
  'harness/judge/conjunction.ts': [
    {
      line: 'if (best && best.count === missed.length && indices.length > best.aspects.length) break;',
      replacements: ['false', 'true', 'indices.length >= best.aspects.length'],
      reason:
        'It only saves time: later combinations have as many conditions or more, and none covers more than all misses.',
    },
    {
      line: "const aspects = indices.map((index) => ASPECTS[index] ?? 'kind');",
      replacements: ['""'],
      reason: 'It is there for the type: every index is that of an aspect.',
    },
    {
      line: 'const sample = covered[0]?.verdict.case.values;',
      replacements: ['covered[0].verdict'],
      reason: 'It is there for the type: the best conjunction covers a miss.',
    },
    {
      line: 'return { covered, place: sample ? aspects.map((aspect) => ({ aspect, value: sample[aspect] })) : [] };',
      replacements: ['["Stryker was here"]'],
      reason: 'It is there for the type: the best conjunction covers a miss.',
    },
    {
      line: 'const base = all[from] ?? [];',
      replacements: ['["Stryker was here"]'],
      reason: 'It is there for the type: the index is below the length.',
    },
  ],
  'harness/judge/findings.ts': [
    {
      line: "findings.flatMap(({ verdict, cases }) => (verdict === 'warn' ? cases.map((found) => found.case.id) : [])),",
      replacements: ['["Stryker was here"]'],
      reason: 'No case has this id.',
    },
    {
      line: 'const control = planned.control === undefined ? undefined : byId.get(planned.control);',
      replacements: ['false'],
      reason: 'It is there for the type: no case has the id undefined.',
    },
    {
      line: 'const template = verdict.intermittent ? verdict.miss?.suspects[0]?.template : undefined;',
      replacements: ['verdict.miss.suspects', 'verdict.miss?.suspects[0].template'],
      reason: 'It is there for the type: an intermittent verdict has a miss, and a miss has a suspect.',
    },
    {
      line: 'const blamed = cases.flatMap(({ miss }) => miss?.suspects.slice(0, 1) ?? []);',
      replacements: ['miss.suspects', '["Stryker was here"]'],
      reason: 'It is there for the type: an intermittent verdict has a miss.',
    },
  ],
  'harness/judge/judge-answer.ts': [
    {
      line: 'matching.some((match) => match.requirement === requirement),',
      replacements: ['matching.every(match => match.requirement === requirement)'],
      reason: 'No two requirements admit the same answer with a warning.',
    },
  ],
  'harness/judge/judge-case.ts': [
    {
      line: 'return isEachBetween([0, ...seqsOf(sends)], seqsOf(accepted)) ? sends.at(-1)?.observation : undefined;',
      replacements: ['sends.at(-1).observation', '+1'],
      reason: 'There are at least three sends, and all have the same outcome.',
    },
    {
      line: 'return acceptances.some((seq) => seq > from && seq < until);',
      replacements: ['seq >= from', 'seq <= until'],
      reason: 'No exchange is a send of the case and of its nearest acceptance.',
    },
    {
      line: "if (recurring && judged?.kind === 'miss')",
      replacements: ['judged.kind'],
      reason: 'It is there for the type: a recurring outcome is judged.',
    },
    {
      line: 'isReproducible: true,',
      replacements: ['false'],
      reason: 'A transport outcome is judged only if it recurs, so no other case needs this one as an example.',
    },
    {
      line: "const isUnusual = miss?.wronglyAccepted === true && last !== undefined && appearance(last) === 'unusual';",
      replacements: ['true'],
      reason: 'It is there for the type: a miss has an observation.',
    },
    {
      line: 'const isReproducible = passes === 0 && !isDoubtful && (misses > 1 || (miss?.wronglyAccepted ?? false));',
      replacements: ['true'],
      reason: 'Without a miss nothing is reproduced.',
    },
    {
      line: "function noAnswer({ expectation }: PlannedCase, got = 'no answer'): Miss {",
      replacements: ['""'],
      reason: 'It is there for the type: a recurring outcome has a reason.',
    },
  ],
  'harness/judge/judge-cases.ts': [
    {
      line: "const exchangesOf = (id = '') => evidence.byCase.get(id) ?? [];",
      replacements: ['"Stryker was here!"'],
      reason: 'No case has this id.',
    },
    {
      line: 'nearest: () => exchangesOf(nearestAcceptance(plan, planned)?.id),',
      replacements: ['nearestAcceptance(plan, planned).id'],
      reason: 'It is there for the type: a plan has a case that must be accepted.',
    },
  ],
  'harness/judge/judge-run.ts': [
    {
      line: 'const evidence = { byCase, accepted, looks: () => looks, ...(unsent && { unsent }) };',
      replacements: ['() => undefined'],
      reason: 'It only saves time: without them the looks are read again from the same exchanges.',
    },
  ],
  'harness/judge/narrow-suspects.ts': [
    {
      line: 'if (only === undefined || others.length > 0) continue;',
      replacements: ['false'],
      reason: 'It is there for the type: every miss has a suspect.',
    },
  ],
  'harness/judge/unproven.ts': [
    {
      line: 'const control = planned.control === undefined ? undefined : plan.cases.get(planned.control)?.credential;',
      replacements: ['false', 'plan.cases.get(planned.control).credential'],
      reason: 'It is there for the type: every case that must be refused has a planned control.',
    },
  ],
  'harness/record/documented-messages.ts': [
    {
      line: 'if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;',
      replacements: ['false', 'wanted.length * 3', 'Math.abs(line.length - wanted.length) >= wanted.length / 3'],
      reason: 'It only saves time: two texts differ in at least as many characters as their lengths do.',
    },
  ],
};

/** Mutants that survive for a reason. `npm run mutate` refuses every other survivor, and entries that fit no survivor. */
export const survivors: readonly Survivor[] = Object.entries(EXPLAINED).flatMap(([file, lines]) =>
  lines.flatMap(({ line, replacements, reason }) =>
    replacements.map((replacement) => ({ file, line, replacement, reason })),
  ),
);
