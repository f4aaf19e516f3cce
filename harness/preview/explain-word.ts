import { type Contract, DEPTHS, DIMENSIONS, FAMILIES } from '../contract/contract.ts';
import { citedSections } from '../contract/sections.ts';
import { ENDINGS, type Ending, EXIT_CODES } from '../judge/ending.ts';
import { describeOutcome } from '../judge/miss.ts';
import { sectionLines } from '../render/step-lines.ts';
import { GRAVITY, MEANINGS } from '../report/verdict-words.ts';
import type { About, Section } from './explain-case.ts';
import { aboutRule } from './explain-requirement.ts';
import { FAMILY_MEANINGS } from './explain-term.ts';

/** The words that outputs print as labels and headings, in lower case, and what they mean. */
const OUTPUT_WORDS: Readonly<Record<string, string>> = {
  // What a run is.
  target: 'the implementation that is tested, by its base URL',
  claims: 'what the target says that it implements: kinds of token and capabilities. A run decides all that is claimed',
  tokens: 'the tokens of the run. One is verified once a request with it was accepted, or if it was made for the run',
  plan: 'what the run sends: cases, groups of cases, and checks',
  depth: 'how much of the matrix is sent: core, pairwise, triples or full',
  suite: 'the version of client-api-conformance that judged, and the digest of its contract',
  run: 'the id of a run. Every request names it in its User-Agent',
  date: 'when the run began, by the clock of the machine that ran it',
  duration: 'how long the run took from its start to its last answer, its pauses included',
  narrowed: 'the flags that leave out a part of the run, such as --only. Such a run ends as partial',
  stopped: 'why the run ended early. What it did not send is undecided',
  trouble: 'what made the run wait or send a request again. It changes no verdict',
  report: 'the file report.html, which has everything that the run found',
  journal: 'the record of everything that was sent and answered. `report` judges it again',
  // What is counted.
  case: 'one request, as a value in every dimension. Its id lists them',
  cases: 'requests of the matrix: how many were planned, executed, and with which verdicts',
  planned: 'cases that the plan has before the run begins',
  executed: 'cases for which at least one request was sent',
  request: 'one message to the target',
  requests: 'messages to the target, repeated ones and those of checks included',
  refused: 'the answer was a 4xx: the request got nothing',
  accepted: 'the answer was a 2xx',
  lost: 'no answer came, or one of the network or a gateway',
  chats: 'accepted requests to chat, which may cost the target money. CONFORMANCE_CHAT_BUDGET limits them',
  check: 'a test written by hand, for what takes several requests',
  checks: 'tests written by hand, for what takes several requests: how many decisions have which verdict',
  'hand-written checks': 'tests written by hand, for what takes several requests',
  requirement: 'one sentence of the contract, with an id, a source and a level',
  requirements: 'sentences of the contract: how many of the claimed ones are decided, and with which verdicts',
  group: 'the cases of one operation, kind of token and rule. It is one test in JUnit',
  'would catch':
    'which share of the faults that a target can have this run would show, by how many values trigger them',
  'would miss': 'which share of the faults a narrowed run would not show',
  latency: 'how long requests took, from the request to the end of the answer, without waits of the suite',
  median: 'half of the requests took no longer',
  '95 % within': '95 of 100 requests took no longer',
  '99 % within': '99 of 100 requests took no longer',
  slowest: 'the longest time of a request',
  // What was found.
  cause: 'wrong answers of one requirement that share conditions',
  causes: 'wrong answers with the same cause are shown once, with the smallest condition that they share',
  finding: 'a cause in the list of a report, with an id such as F1',
  where: 'the smallest condition under which the answers are wrong, and in how many cases and checks',
  wanted: 'what the contract admits',
  got: 'what came',
  caveat: 'what else may be the reason',
  again: 'how to send the finding again',
  reproduce: 'a command line that sends the request again, over the names of variables',
  response: 'what came back: status, headers, and the body of a refusal',
  stated: 'the source of the requirement says so',
  interpreted: 'the source does not say so literally. The suite reads it so, for the reason that it gives',
  listed: 'the baseline lists it',
  control: 'the same request without its faults, which must be accepted. Else its refusal proves nothing',
  must: 'the contract demands it: a failure ends the run with exit code 1',
  should: 'the contract recommends it: what misses it is a warning',
  advisory: 'an RFC advises it: what misses it is a warning',
  verdict: 'what is decided of a case, a check or a requirement: pass, fail, warn, observed ...',
  decisions: 'what checks decided, each of one requirement for an operation and a kind of token',
  freedom: 'something that the specification leaves open, and what the target does with it. Never a failure',
  freedoms: 'what the specification leaves open, and what the target does with it. Never a failure',
  'what is left open': 'something that the specification does not decide',
  'what this target does': 'its answers, the most frequent first',
  'order of checks': 'the order in which the target checks a request that has several faults',
  'error body': 'in which form the target writes its errors',
  // What is open.
  undecided: 'claimed, and not decided: a variable is missing, or something went wrong',
  'undecided requirements': 'requirements that nothing decided, or not for every operation and kind of token',
  'not tried': 'what the run left out, and the requirements that it bears on. What was tried may have decided them',
  'not verified': 'no request with the token was accepted. The suite takes your word for what it is',
  'not planned': 'cases that need a token that is not set, or a claim that is not made',
  'bears on': 'the requirements that it may concern',
  limits: 'what the run did not decide, and what no request can decide',
  'left on the target': 'what the run created there, and what of it is still there',
  baseline: 'known deviations and accepted gaps, each with a reason and a date for its review',
  deviation: 'an entry of the baseline: a failure that somebody knows of',
  gap: 'an entry of the baseline: what is not decided because a variable is missing, and is accepted so',
  'accepted gap': 'undecided, and the baseline accepts it',
  excuses: 'whether an entry of the baseline excuses failures or missing variables',
  covers: 'how many cases and checks of this run an entry of the baseline is about',
  // What changed.
  since: 'what changed since an earlier run',
  'since last time': 'what changed since an earlier run',
  change: 'new, fixed, still failing, no longer decided, or decided for the first time',
  new: 'fails now and did not fail in the earlier run',
  fixed: 'failed in the earlier run, was tried again, and is decided now without a failure',
  'still failing': 'failed in the earlier run and fails now',
  'no longer decided': 'was decided in the earlier run, or failed there, and is undecided now',
  'decided for the first time': 'was not decided in the earlier run and passes now',
  trend: 'how the last runs into this folder ended',
  // The rest of the page.
  'about this run': 'what was tested, by which version of the suite',
  'the matrix': 'all cases as pictures, one for each operation: columns are kinds of token, rows are header values',
  'decided by': 'how many cases and checks decided the requirement',
  reason: 'the variable that is missing, or what went wrong',
  outcome: 'whether requests were accepted, refused or lost',
  operation: 'an endpoint of the client API, such as search or chat',
  kind: 'a kind of token: USER, GLOBAL, OAUTH, GOOGLE, AZURE, OKTA or ONELOGIN',
  scope: 'what a token may reach, such as SEARCH',
  what: 'what the row is about',
};

/**
 * Explains a word that an output prints, in either case: verdicts, endings, exit codes, depths, statuses, sections, dimensions,
 * freedoms, and labels.
 */
export const aboutWord: About = ({ contract }, id) => {
  const word = id.toLowerCase();
  const means = meaningOf(contract, word);
  const found = [
    ...(means === undefined ? [] : [{ title: id, rows: [['', means] as const] }]),
    ...(aboutSection(contract, word) ?? []),
    ...(aboutStatus(contract, word) ?? []),
    ...(aboutDimension(contract, word) ?? []),
    ...(aboutFreedom(contract, word) ?? []),
  ];
  return found.length === 0 ? undefined : found;
};

/** The words that can be suggested. */
export const KNOWN_WORDS: readonly string[] = [
  ...GRAVITY,
  ...ENDINGS,
  ...DEPTHS,
  ...DIMENSIONS,
  ...Object.keys(OUTPUT_WORDS),
];

function meaningOf(contract: Contract, word: string): string | undefined {
  const verdict = GRAVITY.find((known) => known === word.replace(' ', '-'));
  const ending = ENDINGS.find((known) => known === word.replaceAll(' ', '-'));
  const depth = DEPTHS.find((known) => known === word);
  const family = FAMILIES.find((known) => known === word);
  const meanings = [
    ...(verdict ? [`a verdict: ${MEANINGS[verdict]}`] : []),
    ...(ending ? [`an ending of a run, with exit code ${EXIT_CODES[ending]}: ${ENDING_MEANINGS[ending]}`] : []),
    ...(depth ? [`a depth: ${contract.matrix.depths[depth].description}`] : []),
    ...(family ? [`a family of kinds: ${FAMILY_MEANINGS[family]}`] : []),
    ...(Object.hasOwn(EXIT_MEANINGS, word) ? [`an exit code: ${EXIT_MEANINGS[word]}`] : []),
    ...(Object.hasOwn(OUTPUT_WORDS, word) ? [`${OUTPUT_WORDS[word]}`] : []),
  ];
  return meanings.length === 0 ? undefined : meanings.join('; ');
}

const ENDING_MEANINGS: Readonly<Record<Ending, string>> = {
  conforms: 'everything that is claimed is decided and passes',
  'conforms-except': 'the same, except for what the baseline lists',
  partial: 'nothing deviates in the part that was run',
  deviates: 'a requirement is broken that the baseline does not list',
  inconclusive: 'the network or a refused token kept something from being decided',
  incomplete: 'something that is claimed needs more variables',
};

const EXIT_MEANINGS: Readonly<Record<string, string>> = {
  '0': 'conforms, conforms except what the baseline lists, or a part in which nothing deviates',
  '1': 'deviates, or is too slow',
  '2': 'a variable, flag or address is wrong; nothing was tested',
  '3': 'inconclusive: something kept the run from deciding',
  '4': 'incomplete: something that is claimed needs more variables',
  '70': 'a defect of the suite, and not of the target: please report it',
  '130': 'somebody interrupted the run',
};

/** `5.1`, `spec 5.1`, `RFC 9110 15.5.2`. */
function aboutSection({ sections }: Contract, word: string): readonly Section[] | undefined {
  const [, rfc, number = ''] = /^(?:spec |(rfc \d+) )?(\d+(?:\.\d+)*)$/.exec(word) ?? [];
  const cited = citedSections(sections, rfc === undefined ? `spec ${number}` : `${rfc.toUpperCase()} ${number}`);
  if (number === '' || cited.length === 0) return undefined;
  return [{ title: `Section ${number}`, rows: sectionLines(cited).map((line) => ['', line] as const) }];
}

/** A status of HTTP: the rules that admit it. */
function aboutStatus(contract: Contract, word: string): readonly Section[] | undefined {
  if (!/^[1-5]\d\d$/.test(word)) return undefined;
  const rules = contract.rules.refusals.filter(({ outcome = [] }) =>
    outcome.some(({ status }) => [status].flat().includes(Number(word))),
  );
  const rows = rules.map(
    (rule) => [rule.id, `${rule.outcome?.map((one) => describeOutcome(contract, one)).join('; or ')}`] as const,
  );
  return [
    { title: `Status ${word}`, rows: [['', STATUS_MEANINGS[Number(word[0]) - 1] ?? '']] },
    ...(rows.length === 0 ? [] : [{ title: 'Rules that name it', rows }]),
  ];
}

const STATUS_MEANINGS = [
  'says that an answer follows',
  'the request was accepted',
  'a redirect, which the suite never follows',
  'the request was refused. 408, 425 and 429 say nothing about it: the run waits and sends it again',
  'the target failed. 502, 503, 504 and 52x come from a gateway: the run sends the request again',
];

function aboutDimension({ matrix }: Contract, word: string): readonly Section[] | undefined {
  const dimension = DIMENSIONS.find((known) => known === word.replaceAll(' ', '-'));
  if (dimension === undefined || dimension === 'operation' || dimension === 'kind') return undefined;
  const values = dimension === 'holding' ? HOLDINGS : matrix.dimensions[dimension];
  return [{ title: `The values of ${dimension}`, rows: Object.entries(values) }];
}

const HOLDINGS: Readonly<Record<string, string>> = {
  all: 'every scope',
  none: 'no scope that covers an operation',
  'only:SCOPE': 'that scope alone',
  'all-but:SCOPE': 'every scope but that',
  'set:NAME': 'a set of scopes that the specification names',
};

/** What a report says under the name of a freedom: `act as, doubled`, `blank act-as`. */
function aboutFreedom(contract: Contract, word: string): readonly Section[] | undefined {
  const named: Readonly<Record<string, string>> = {
    'blank act-as': 'act-as.blank',
    'missing auth type': 'auth-type.missing',
  };
  const rule = contract.rules.refusals.find(
    ({ id, silent }) =>
      id === named[word] || (silent !== undefined && id.replace('.', ', ').replaceAll('-', ' ') === word),
  );
  return rule && [{ title: 'What is left open', rows: aboutRule(contract, rule) }];
}
