import { amount, counted, firstOf, firstShown } from '../contract/amounts.ts';
import { given, tallied } from '../contract/collections.ts';
import { installedAs } from '../contract/package-files.ts';
import { LAWS } from '../contract/variations.ts';
import { type Ending, endingInWords, inUse } from '../judge/ending.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import { countsInWords, durationInWords, listedInWords } from '../render/amounts.ts';
import { KIND_WORDS, LAW_WORDS, notTriedInWords, variedAmount } from '../render/not-tried-words.ts';
import { asset, type Html, html, renderHead } from '../render/page/html.ts';
import { startOf } from '../report/since.ts';
import {
  contractInWords,
  decidedInWords,
  SYMBOLS,
  subjectOf,
  targetName,
  undecidedCount,
} from '../report/verdict-words.ts';
import { clipped, MOST_DECIDED, MOST_NAMES, MOST_ROWS, type Statement, UNKNOWABLE } from './statement.ts';

const STYLES = ['page.css', 'verdict.css', 'statement.css'];

/** statement.html: one page of paper, in one file that loads nothing. */
export function renderStatement(statement: Statement): string {
  const style = STYLES.map(asset).join('\n');
  const ending = endingInWords(statement.ending, inUse(statement.baseline), statement);
  const target = targetName(statement);
  const title = `${ending} – statement of ${subjectOf(statement)} of ${target}`;
  return html`${renderHead({ title, style })}<body class="statement${isLong(statement) ? ' long' : ''}">
<header class="verdict" data-verdict="${SEALS[statement.ending]}">
<p class="overline">Statement of ${subjectOf(statement)} of ${clipped(target, 120)}</p>
<h1><i class="seal" aria-hidden="true">${SYMBOLS[SEALS[statement.ending]]}</i>${ending.charAt(0).toUpperCase() + ending.slice(1)}</h1>
<p class="lede">${summaryOf(statement)}</p>
${statement.embedded ? html`<p class="notice">${OWN}</p>\n` : null}</header>
<main>
${renderFacts(statement)}
<div class="halves">
${renderList('What was seen', seen(statement))}
${renderList('What was not seen', notSeen(statement))}
</div>
${renderCauses(statement)}${renderBaseline(statement)}${renderFreedoms(statement)}${renderVerify(statement)}</main>
<footer><p class="quiet">client-api-conformance ${statement.suite}. This file is self-contained and loads nothing.</p></footer>
</body>
</html>
`.markup;
}

/** The symbol of each ending. Only a whole run without a known deviation has a tick. */
const SEALS: Readonly<Record<Ending, Verdict>> = {
  conforms: 'pass',
  'conforms-except': 'warn',
  partial: 'not-testable',
  deviates: 'fail',
  inconclusive: 'inconclusive',
  incomplete: 'not-testable',
};
/** A long statement is printed in smaller letters, so that it is one page. */
function isLong({ causes, undecided, baseline }: Statement): boolean {
  return causes.length + undecided.length + (baseline?.entries.length ?? 0) > MOST_ROWS;
}

const OWN = 'This is the reference service that is part of the suite. It is the implementation of no vendor.';

function summaryOf(statement: Statement): string {
  const { ending, requirements, undecidedDecisions, stopped } = statement;
  const failing = counted(requirements.fail.length, 'requirement');
  const open = undecidedCount(statement);
  const undecidedOnes = `${counted(open, 'requirement')} ${open === 1 ? 'was' : 'were'} not decided`;
  switch (ending) {
    case 'conforms':
      return `${decidedInWords(undecidedDecisions)}. Nothing deviates.`;
    case 'conforms-except':
      return `${decidedInWords(undecidedDecisions, ' or is an accepted gap')}. The baseline lists everything that deviates.`;
    case 'partial':
      return 'Only a part was run. Nothing deviates in it. This says nothing about the whole.';
    case 'deviates':
      return `The target does not conform: ${failing} ${requirements.fail.length === 1 ? 'fails' : 'fail'}${open === 0 ? '' : `, and ${undecidedOnes}`}.`;
    case 'incomplete':
      return `This is no statement that the target conforms: ${undecidedOnes}, because variables were missing. Nothing that was decided deviates.`;
    case 'inconclusive':
      return `This is no statement that the target conforms: ${stopped === null ? undecidedOnes : 'the run stopped early'}. Nothing that was decided deviates.`;
  }
}

function renderFacts(statement: Statement): Html {
  const { claims, depth, counts, startedAt, durationMs, suite, run, exitCode, target } = statement;
  const duration = durationInWords(durationMs);
  const basis = claims.inferred ? 'inferred from the variables that were set' : 'as the operator stated';
  const rows: readonly (readonly [string, Html])[] = [
    ['Target', html`<code>${clipped(target, 100)}</code>`],
    ['Claims', html`${[...claims.kinds, ...claims.capabilities].join(', ')}; ${basis}`],
    [
      'Date',
      html`<time datetime="${startedAt}">${startOf(statement)}</time>${duration === undefined ? null : `, ${duration}`}`,
    ],
    ['Depth', html`${depth}; cases: ${countsInWords(counts)}`],
    ['Suite', html`client-api-conformance ${suite}, ${contractInWords(statement)}`],
    ['Run', html`id <code>${clipped(run, 80)}</code>, exit code ${exitCode}`],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function renderList(title: string, rows: readonly (readonly [string, string])[]): Html {
  return html`<section><h2>${title}</h2>
<ul>${rows.map(([what, value]) => html`<li><b>${what}:</b> ${value}</li>\n`)}</ul></section>`;
}

function renderCauses({ causes }: Statement): Html | null {
  if (causes.length === 0) return null;
  const items = causes.map(
    ({ verdict, requirements, text, where, listed }) =>
      html`<li><b>${verdict}${listed ? ', listed in the baseline' : ''}</b> <code>${firstOf(requirements, MOST_NAMES)}</code>: ${clipped(text, 310)} <span class="quiet">(where: ${clipped(where, 120)})</span></li>\n`,
  );
  const rest = (more: number) => html`<li>${counted(more, 'more cause')} in statement.json</li>`;
  return html`<section><h2>${counted(causes.length, 'cause')}</h2>
<ul>${firstShown(items, MOST_ROWS, rest)}</ul></section>
`;
}

function renderBaseline({ baseline }: Statement): Html | null {
  if (baseline === null) return null;
  const items = baseline.entries.map(
    ({ list, names, reason, review, covers }) =>
      html`<li><b>${list === 'gap' ? 'accepted gap' : 'known deviation'}</b> <code>${clipped(names, 100)}</code>, ${listedInWords(covers)}, review by ${review}: ${clipped(reason, 110)}</li>\n`,
  );
  const rest = (more: number) => html`<li>${amount(more)} more in statement.json</li>`;
  return html`<section><h2>Baseline: what the operator lists as known</h2>
<ul>${firstShown(items, MOST_ROWS, rest)}</ul></section>
`;
}

/** The contract has no more freedoms than these. */
const MOST_FREEDOMS = 12;

function renderFreedoms({ freedoms }: Statement): Html | null {
  if (freedoms.length === 0) return null;
  return html`<section><h2>What the specification leaves open, and what this target does</h2>
<ul class="columns">${freedoms
    .slice(0, MOST_FREEDOMS)
    .map(({ freedom, choice }) => html`<li><b>${freedom}:</b> ${clipped(choice, 130)}</li>\n`)}</ul></section>
`;
}

/** How a reader checks the statement, and what no check can show. */
function renderVerify({ files, ownContract }: Statement): Html {
  const [of, flag] =
    ownContract === undefined ? ['', ''] : [` and the file of the contract ${ownContract}`, ' --contract FILE'];
  return html`<section class="verify"><h2>How to check this statement</h2>
<p>Ask for the whole report folder${of}, and run <code>${installedAs} verify FOLDER${flag}</code> with the same version of the suite. It judges the journal again and compares.</p>
<ul>${Object.entries(files).map(([name, hash]) => html`<li><b>${name}</b> SHA-256 <code>${hash}</code></li>\n`)}</ul>
<p>What no check of the folder can show: ${UNKNOWABLE.join('; ')}.</p></section>
`;
}

/** A verdict or a reason, and what it is about. */
type Row = readonly [what: string, value: string];

/** What the run decided. Each row has a verdict and the subjects of the requirements with it. */
function seen({ requirements, varied }: Statement): readonly Row[] {
  const rows = (['fail', 'warn', 'pass', 'observed'] as const).flatMap((verdict): Row[] => {
    const ids = requirements[verdict];
    if (ids.length === 0) return [];
    return [[`${ids.length} ${verdict}`, verdict === 'pass' ? subjectsOf(ids) : firstOf(ids, MOST_DECIDED)]];
  });
  return rows.length === 0 ? [['nothing', 'no requirement was decided']] : [...rows, ...variedRows(varied)];
}

/** With how many of the ways that the contract does not list each law was tried. */
function variedRows(varied: Statement['varied']): readonly Row[] {
  return LAWS.flatMap((law): Row[] => {
    const tried = varied.filter((one) => one.law === law && one.tried > 0);
    const words = tried.map((one) => `${variedAmount(one)} ${KIND_WORDS[one.variation]}`);
    return words.length === 0 ? [] : [[`${LAW_WORDS[law]}, varied`, words.join(', ')]];
  });
}

/** What needs --intrusive, as checks and as ways. The page has no room for more. */
const MOST_NOT_TRIED = 2;

/** What the run did not decide, and why. */
function notSeen(statement: Statement): readonly Row[] {
  const { narrowed, stopped, depth, undecided, notTried, requirements, restsOnWord, excluded } = statement;
  const gaps = undecided.map(
    ({ reason, variable, accepted, requirements: ids }): Row => [
      accepted ? 'accepted gap' : 'not decided',
      `${firstOf(ids, MOST_NAMES)} (${variable === undefined ? clipped(reason, 100) : `${variable} was not set`})`,
    ],
  );
  const notClaimed = requirements['not-applicable'];
  const untried = notTriedInWords(notTried).slice(0, MOST_NOT_TRIED);
  return given<Row>([
    narrowed !== null && ['narrowed', clipped(narrowed, 100)],
    stopped !== null && ['stopped early', clipped(stopped, 120)],
    ...firstShown<Row>(gaps, MOST_ROWS, (more) => ['not decided', `${counted(more, 'more reason')} in statement.json`]),
    notClaimed.length > 0 && [
      'not claimed or left out',
      `${counted(notClaimed.length, 'requirement')}: ${subjectsOf(notClaimed)}`,
    ],
    depth !== 'full' && ['depth', `${depth} is a part of the matrix, and not every combination`],
    ...untried.map(
      ({ what, requirements: ids }): Row => [
        'not tried',
        `${clipped(what, 200)}; ${clipped(`bears on ${subjectsOf(ids)}`, 120)}`,
      ],
    ),
    restsOnWord.length > 0 && [
      'never accepted',
      `${firstOf(restsOnWord, MOST_NAMES)}: that they once worked rests on the word of the operator`,
    ],
    ['not testable', `${counted(excluded.length, 'sentence')} of the contract that no request can test`],
  ]);
}

/** The subjects of requirements, which are the first parts of their ids: `act-as 3, token 7`. */
function subjectsOf(ids: readonly string[]): string {
  const subjects = tallied(ids.map((id) => id.replace(/\..*/, '')));
  return [...subjects].map(([subject, count]) => `${subject} ${count}`).join(', ');
}
