import type { Explained } from './score.ts';

/** Survivors in what gives verdicts, and outside the judge. */
export const survivorsOfVerdicts: Readonly<Record<string, readonly Explained[]>> = {
  'harness/record/lockout.ts': [
    {
      line: "return observation.kind === 'answer' && [401, 403, 423].includes(observation.status);",
      replacements: ['true'],
      reason: 'A failure has no status, and the list has no undefined. The comparison is there for the type.',
    },
  ],
  'harness/send/denials.ts': [
    {
      line: 'for (; now >= minuteFrom + MINUTE; minuteFrom += MINUTE) endMinute(perMinute);',
      replacements: ['minuteFrom - MINUTE'],
      reason: 'The minutes end at the same times: the two that it ends at once have no refusal.',
    },
  ],
  'harness/judge/judge-answer.ts': [
    { line: "return 'no answer';", replacements: ['""'], reason: 'Any text does that is no status and no failure.' },
    {
      line: 'const { status, whole, schemaErrors = [] } = observation;',
      replacements: ['["Stryker was here"]'],
      reason: 'It is the same text for every answer without errors.',
    },
    {
      line: "return [status, ...whole, ...schemaErrors].join(' ');",
      replacements: ['""'],
      reason: 'A status has three digits, and no id of a message begins with a digit.',
    },
    {
      line: 'matching.some((match) => match.requirement === requirement),',
      replacements: ['matching.every(match => match.requirement === requirement)'],
      reason: 'No two requirements admit the same answer with a warning.',
    },
    {
      line: "if (documentsBody && !/json/i.test(answer.contentType ?? '')) {",
      replacements: ['"Stryker was here!"'],
      reason: 'This text is no JSON content type either.',
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
      line: 'let silent = false;',
      replacements: ['true'],
      reason: 'Every answer that decides a case sets it.',
    },
    {
      line: "const isUnusual = miss?.wronglyAccepted === true && last !== undefined && appearance(planned, last) === 'unusual';",
      replacements: ['true'],
      reason: 'It is there for the type: a miss has an observation.',
    },
    {
      line: 'const isReproducible = passes === 0 && !isDoubtful && (misses > 1 || (miss?.wronglyAccepted ?? false));',
      replacements: ['true'],
      reason: 'Without a miss nothing is reproduced.',
    },
    {
      line: "function noAnswer({ expectation: { suspects } }: PlannedCase, got = 'no answer'): Miss {",
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
      line: 'nearest: (planned) => exchangesOf(nearestAcceptance(plan, planned)?.id),',
      replacements: ['nearestAcceptance(plan, planned).id'],
      reason: 'It is there for the type: a plan has a case that must be accepted.',
    },
    {
      line: "const look = miss.wronglyAccepted ? lookWithoutSchema(observation) : '';",
      replacements: ['"Stryker was here!"'],
      reason: 'It is the same text for every miss.',
    },
    {
      line: "return observation?.kind === 'answer' && !observation.schemaErrors ? lookOf(observation) : '';",
      replacements: ['observation.kind', '"Stryker was here!"'],
      reason: 'A wrong acceptance is an answer. The text is the same for every one with a schema.',
    },
    {
      line: 'const control = planned.control === undefined ? undefined : plan.find(planned.control)?.credential;',
      replacements: ['false', 'plan.find(planned.control).credential'],
      reason: 'It is there for the type: every case that must be refused has a planned control.',
    },
    {
      line: 'if (control && !isFresh(control) && !accepted.has(control.recipe)) return neverAccepted(control, false);',
      replacements: ['true'],
      reason: 'It is there for the type: every case that must be refused has a control with a credential.',
    },
    {
      line: 'if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;',
      replacements: ['false'],
      reason: 'It is there for the type: every case that must be accepted has a credential.',
    },
    {
      line: "if (last?.kind !== 'answer' || !isTokenRefusal(last)) return undefined;",
      replacements: ['false', 'last.kind'],
      reason: 'A miss has an observation. A failure has no status, and the list has no undefined.',
    },
  ],
  'harness/judge/judge-run.ts': [
    {
      line: 'const evidence = { byCase, accepted, looks: () => looks, ...(unsent && { unsent }) };',
      replacements: ['() => undefined'],
      reason: 'It only saves time: without them the looks are read again from the same exchanges.',
    },
  ],
  'harness/judge/tallies.ts': [
    {
      line: 'const unseen = miss?.leftOut?.find((name) => !judged.listsShown?.has(name));',
      replacements: ['miss.leftOut'],
      reason: 'It is there for the type: the cases of a finding that blames a requirement have a miss.',
    },
    {
      line: "const { case: planned, verdict, reason = 'not decided', tokenRefused, satisfied, unread = [] } = judged;",
      replacements: ['["Stryker was here"]'],
      reason: 'No requirement has this name.',
    },
    {
      line: 'const certain = new Set([...(isSole(planned) ? expectation.suspects : []), ...expectation.silent]);',
      replacements: ['["Stryker was here"]'],
      reason: 'No suspect is this text.',
    },
    {
      line: "if (planned.expectation.kind === 'open') return [];",
      replacements: ['["Stryker was here"]'],
      reason: 'No requirement has this name.',
    },
  ],
  'harness/record/documented-messages.ts': [
    {
      line: 'const errors = validate.errors ?? [];',
      replacements: ['["Stryker was here"]'],
      reason: 'It is there for the type: a validation that fails has errors.',
    },
    {
      line: 'if (Math.abs(line.length - wanted.length) > wanted.length / 3) continue;',
      replacements: ['false', 'wanted.length * 3', 'Math.abs(line.length - wanted.length) >= wanted.length / 3'],
      reason: 'It only saves time: two texts differ in at least as many characters as their lengths do.',
    },
  ],
};
