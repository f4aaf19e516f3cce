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
  {
    file: 'harness/judge/causes-of-checks.ts',
    line: "const known = new Set(extended.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));",
    replacement: '["Stryker was here"]',
    reason: 'No requirement has this name.',
  },
  {
    file: 'harness/judge/causes-of-checks.ts',
    line: "template: requirements[0] ?? '',",
    replacement: '"Stryker was here!"',
    reason: 'It is there for the type: every group of decisions has a requirement.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: 'while (left.length > 0) {',
    replacement: 'left.length >= 0',
    reason: 'Without misses no requirement is the best one, and the loop ends there.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: 'if (!best) break;',
    replacement: 'false',
    reason: 'It is there for the type: every miss has a suspect, so one of them is the best.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: 'const observation = cause.example?.observation;',
    replacement: 'cause.example.observation',
    reason: 'It is there for the type: a cause of the matrix has an example.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: "const key = `${cause.template} ${observation?.kind === 'answer' ? observation.status : 'no answer'}`;",
    replacement: 'true',
    reason:
      'Without an answer there is no status. Any text that no status has does, and every miss has an observation.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: "const key = `${cause.template} ${observation?.kind === 'answer' ? observation.status : 'no answer'}`;",
    replacement: 'observation.kind',
    reason:
      'Without an answer there is no status. Any text that no status has does, and every miss has an observation.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: "const key = `${cause.template} ${observation?.kind === 'answer' ? observation.status : 'no answer'}`;",
    replacement: '""',
    reason:
      'Without an answer there is no status. Any text that no status has does, and every miss has an observation.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: 'if (countA !== countB) return countA > countB;',
    replacement: 'countA >= countB',
    reason: 'The counts differ here.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: 'if (a.sole !== b.sole) return a.sole > b.sole;',
    replacement: 'a.sole >= b.sole',
    reason: 'The counts differ here.',
  },
  {
    file: 'harness/judge/causes.ts',
    line: "(miss) => miss.verdict.verdict === 'fail' && blamedFor(miss).some(({ level }) => level === 'must'),",
    replacement: "blamedFor(miss).every(({ level }) => level === 'must')",
    reason: 'The suspects of one requirement have one level.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: "findings.flatMap(({ verdict, cases }) => (verdict === 'warn' ? cases.map((found) => found.case.id) : [])),",
    replacement: '["Stryker was here"]',
    reason: 'No case has this id.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: 'const control = planned.control === undefined ? undefined : byId.get(planned.control);',
    replacement: 'false',
    reason: 'It is there for the type: no case has the id undefined.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: 'const template = verdict.intermittent ? verdict.miss?.suspects[0]?.template : undefined;',
    replacement: 'verdict.miss.suspects',
    reason: 'It is there for the type: an intermittent verdict has a miss, and a miss has a suspect.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: 'const template = verdict.intermittent ? verdict.miss?.suspects[0]?.template : undefined;',
    replacement: 'verdict.miss?.suspects[0].template',
    reason: 'It is there for the type: an intermittent verdict has a miss, and a miss has a suspect.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: 'const blamed = cases.flatMap(({ miss }) => miss?.suspects.slice(0, 1) ?? []);',
    replacement: 'miss.suspects',
    reason: 'It is there for the type: an intermittent verdict has a miss.',
  },
  {
    file: 'harness/judge/findings.ts',
    line: 'const blamed = cases.flatMap(({ miss }) => miss?.suspects.slice(0, 1) ?? []);',
    replacement: '["Stryker was here"]',
    reason: 'It is there for the type: an intermittent verdict has a miss.',
  },
  {
    file: 'harness/judge/judge-answer.ts',
    line: 'matching.some((match) => match.requirement === requirement),',
    replacement: 'matching.every(match => match.requirement === requirement)',
    reason: 'No two requirements admit the same answer with a warning.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'return isEachBetween([0, ...seqsOf(sends)], seqsOf(accepted)) ? sends.at(-1)?.observation : undefined;',
    replacement: 'sends.at(-1).observation',
    reason: 'It is there for the type: there are at least three sends.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'return isEachBetween([0, ...seqsOf(sends)], seqsOf(accepted)) ? sends.at(-1)?.observation : undefined;',
    replacement: '+1',
    reason: 'All sends have the same outcome.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'return acceptances.some((seq) => seq > from && seq < until);',
    replacement: 'seq >= from',
    reason: 'No exchange is a send of the case and of its nearest acceptance.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'return acceptances.some((seq) => seq > from && seq < until);',
    replacement: 'seq <= until',
    reason: 'No exchange is a send of the case and of its nearest acceptance.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: "if (recurring && judged?.kind === 'miss')",
    replacement: 'judged.kind',
    reason: 'It is there for the type: a recurring outcome is judged.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'isReproducible: true,',
    replacement: 'false',
    reason: 'A transport outcome is judged only if it recurs, so no other case needs this one as an example.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: "const isUnusual = miss?.wronglyAccepted === true && last !== undefined && appearance(last) === 'unusual';",
    replacement: 'true',
    reason: 'It is there for the type: a miss has an observation.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: 'const isReproducible = passes === 0 && !isDoubtful && (misses > 1 || (miss?.wronglyAccepted ?? false));',
    replacement: 'true',
    reason: 'Without a miss nothing is reproduced.',
  },
  {
    file: 'harness/judge/judge-case.ts',
    line: "function noAnswer({ expectation }: PlannedCase, got = 'no answer'): Miss {",
    replacement: '""',
    reason: 'It is there for the type: a recurring outcome has a reason.',
  },
  {
    file: 'harness/judge/judge-cases.ts',
    line: "const exchangesOf = (id = '') => evidence.byCase.get(id) ?? [];",
    replacement: '"Stryker was here!"',
    reason: 'No case has this id.',
  },
  {
    file: 'harness/judge/judge-cases.ts',
    line: 'nearest: () => exchangesOf(nearestAcceptance(plan, planned)?.id),',
    replacement: 'nearestAcceptance(plan, planned).id',
    reason: 'It is there for the type: a plan has a case that must be accepted.',
  },
  {
    file: 'harness/judge/narrow-suspects.ts',
    line: 'if (only === undefined || others.length > 0) continue;',
    replacement: 'false',
    reason: 'It is there for the type: every miss has a suspect.',
  },
  {
    file: 'harness/record/documented-messages.ts',
    line: 'if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;',
    replacement: 'false',
    reason: 'It only saves time: two texts differ in at least as many characters as their lengths do.',
  },
  {
    file: 'harness/record/documented-messages.ts',
    line: 'if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;',
    replacement: 'wanted.length * 3',
    reason: 'It only saves time: two texts differ in at least as many characters as their lengths do.',
  },
  {
    file: 'harness/record/documented-messages.ts',
    line: 'if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;',
    replacement: 'Math.abs(line.length - wanted.length) >= wanted.length / 3',
    reason: 'It only saves time: two texts differ in at least as many characters as their lengths do.',
  },
];
