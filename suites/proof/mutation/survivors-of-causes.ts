import type { Explained } from './score.ts';

/** Survivors in what finds causes and compares answers. */
export const survivorsOfCauses: Readonly<Record<string, readonly Explained[]>> = {
  'harness/judge/causes-of-checks.ts': [
    {
      line: 'const [sibling = subject] = siblings.get(subject) ?? [];',
      replacements: ['["Stryker was here"]'],
      reason: 'Each requirement has an entry in the map, which may be empty.',
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
      line: 'if (best?.count === missed.length) break;',
      replacements: ['false'],
      reason: 'It only saves time: later combinations have as many conditions or more, and none covers more.',
    },
    {
      line: 'if (counts.size === 0) break;',
      replacements: ['false'],
      reason: 'It only saves time: an empty table loses nothing.',
    },
    {
      line: 'rowOf: (values: Values): Row => ASPECTS.map((aspect, index) => numbers[index]?.get(values[aspect]) ?? 0),',
      replacements: ['numbers[index].get'],
      reason: 'It is there for the type: each aspect has numbers.',
    },
    {
      line: 'for (const index of indexes) key = key * base + (row[index] ?? 0);',
      replacements: ['key * base - (row[index] ?? 0)', 'key / base'],
      reason: 'Any key will do that differs if a value differs: no number of a value reaches the base.',
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
  ],
  'harness/judge/findings.ts': [
    {
      line: "verdict === 'warn' || !example ? cases.map((found) => found.case.id) : [],",
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
    {
      line: "if (verdict !== 'pass' || templates.size > 1 || observation?.kind !== 'answer') return [];",
      replacements: ['false', 'observation.kind'],
      reason: 'It is there for the type: a case passes with an answer.',
    },
    {
      line: "if (verdict !== 'pass' || templates.size > 1 || observation?.kind !== 'answer') return [];",
      replacements: ['["Stryker was here"]'],
      reason: 'No requirement has this name.',
    },
    {
      line: 'return new Set(accepted.flatMap(({ case: { credential } }) => credential?.variable ?? []));',
      replacements: ['credential.variable', '["Stryker was here"]'],
      reason: 'It is there for the type: a case with a valid token has a credential.',
    },
    {
      line: '(cases.some(({ miss }) => miss?.wronglyAccepted) ? 0 : 1);',
      replacements: ['miss.wronglyAccepted'],
      reason: 'It is there for the type: the cases of a cause have a miss.',
    },
  ],
  'harness/judge/by-chance.ts': [
    {
      line: "const { contentType = '', form = '' } = observation.kind === 'answer' ? observation : {};",
      replacements: ['true', '"Stryker was here!"'],
      reason: 'A failure has neither, and the text is the same for every answer without one.',
    },
  ],
  'harness/judge/freedoms.ts': [
    {
      line: 'if (step !== first) counts.set(pair, (counts.get(pair) ?? 0) + 1);',
      replacements: ['true'],
      reason: 'Nothing compares a step with itself.',
    },
    {
      line: "if (observation?.kind !== 'answer' || isAccepted(observation)) continue;",
      replacements: ['observation.kind'],
      reason: 'It is there for the type: every verdict that is read here has an observation.',
    },
    {
      line: "if (observation?.kind !== 'answer') continue;",
      replacements: ['observation.kind'],
      reason: 'It is there for the type: a decided case has an observation.',
    },
    {
      line: "if (planned.expectation.kind !== 'refuse' || observation?.kind !== 'answer') continue;",
      replacements: ['observation.kind'],
      reason: 'It is there for the type: a decided case has an observation.',
    },
  ],
  'harness/judge/looks.ts': [
    {
      line: "if (observation.kind === 'failure' || !isSuccess(observation.status)) return 'usual';",
      replacements: ['false', '""'],
      reason: 'A failure has no status, so it is no success either. The comparison is there for the type.',
    },
    {
      line: "export function lookOf({ contentType = '', skeleton = '', truncated }: Answer): string {",
      replacements: ['"Stryker was here!"'],
      reason: 'It is the same text for every answer without one.',
    },
    {
      line: "const form = truncated ? 'cut' : skeleton.replace(/\\d+/g, '');",
      replacements: ['/\\d/g', '"Stryker was here!"'],
      reason: 'It is the same form for every length.',
    },
    {
      line: "const type = contentType.split(';')[0]?.trim().toLowerCase();",
      replacements: ["contentType.split(';')[0].trim", "contentType.split(';')[0]?.trim().toUpperCase()"],
      reason: 'A split text has a first part, and content types are compared only with each other.',
    },
    {
      line: "if (!planned || observation.kind === 'failure' || transportReason(observation) !== undefined) continue;",
      replacements: ['false', '""'],
      reason: 'Every failure has a transport reason. The comparison is there for the type.',
    },
    {
      line: 'const strange = new Set([...fitting.keys()].flatMap((operation) => [...(unfitting.get(operation) ?? [])]));',
      replacements: ['["Stryker was here"]'],
      reason: 'No answer looks like this.',
    },
    {
      line: 'const fickle = new Set([...seenBy.values()].flatMap((looks) => (looks.size > 1 ? [...looks] : [])));',
      replacements: ['["Stryker was here"]'],
      reason: 'No answer looks like this.',
    },
    {
      line: 'return new Set(most ? [most[0]] : []);',
      replacements: ['["Stryker was here"]'],
      reason: 'No answer looks like this.',
    },
  ],
};
