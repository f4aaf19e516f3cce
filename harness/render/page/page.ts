import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report } from '../../report/report.ts';
import { renderBaseline } from './baseline.ts';
import { renderCauses, renderFreedoms, renderUndecided } from './causes.ts';
import { renderExplorer } from './explorer.ts';
import { type Html, html, raw } from './html.ts';
import { picturesOf, renderPicture } from './matrix-picture.ts';
import { packCases } from './packed-data.ts';
import { renderLimits, renderRequirements } from './requirements.ts';
import { renderCounts, renderGround, renderLegend, renderVerdict, wordsOf } from './verdict.ts';

const STYLES = ['page.css', 'verdict.css', 'sections.css', 'picture.css', 'cases.css', 'print.css'];
// In the order of their imports, which fall away: one script holds them all.
const SCRIPTS = ['data.js', 'find.js', 'case.js', 'list.js', 'page.js'];

/**
 * One file that needs nothing else. Its policy lets in this very style and this very script and nothing more, so that
 * no text of a target could act even if it came to stand as markup.
 */
export function renderHtml(report: Report): string {
  const sections = SECTIONS.filter(({ id }) => id !== 'baseline' || report.baseline !== null);
  const style = STYLES.map(asset).join('\n');
  const script = `'use strict';\n(() => {\n${SCRIPTS.map(asset).map(asPart).join('\n')}\n})();\n`;
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${wordsOf(report)} – client API conformance of ${report.target}</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${renderVerdict(report)}
<nav aria-label="Sections"><ul>${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${sections.map((section) => renderSection(section, report))}</main>
<footer><p class="quiet">client-api-conformance ${report.suite}. This file is complete in itself and loads nothing.</p></footer>
<script type="application/json" id="data">${raw(packCases(report))}</script>
<script>${raw(script)}</script>
</body>
</html>
`;
  return page.markup;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly body: (report: Report) => Html;
}
const SECTIONS: readonly Section[] = [
  {
    id: 'ground',
    title: 'What it rests on',
    note: '',
    body: (report) => html`${renderGround(report)}\n${renderCounts(report)}`,
  },
  {
    id: 'causes',
    title: 'Causes',
    note: '',
    body: renderCauses,
  },
  {
    id: 'baseline',
    title: 'Baseline',
    note: 'What is known to deviate or accepted as untestable. It decides how the run ends, never what is true of a case.',
    body: renderBaseline,
  },
  { id: 'undecided', title: 'Undecided', note: '', body: renderUndecided },
  {
    id: 'picture',
    title: 'The matrix',
    note: 'Tokens across, header states down. A cell shows the gravest verdict of its cases and how many have it; open it to see them. Arrow keys move between cells.',
    body: ({ matrix, cases }) =>
      html`<div class="pictures">${picturesOf(matrix, cases).map((picture) => renderPicture(matrix, picture))}</div>\n${renderLegend()}`,
  },
  { id: 'cases', title: 'Cases', note: '', body: renderExplorer },
  {
    id: 'requirements',
    title: 'Requirements',
    note: 'Every sentence of the specification that binds a target, and what was decided of it.',
    body: renderRequirements,
  },
  {
    id: 'freedoms',
    title: 'Freedoms',
    note: 'What the specification leaves open, and what this target makes of it. None of this is a verdict.',
    body: renderFreedoms,
  },
  {
    id: 'limits',
    title: 'Limits',
    note: 'Taken on trust, not asked, or beyond any request: none of it was decided by this run.',
    body: renderLimits,
  },
];

function renderSection({ id, title, note, body }: Section, report: Report): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title" tabindex="-1">
<h2 id="${id}-title">${title}</h2>
${note === '' ? null : html`<p class="note">${note}</p>\n`}${body(report)}
</section>
`;
}

function asset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8').trim();
}

/** A module as a part of one script: what it imports stands before it, what it exports is seen by what follows. */
function asPart(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
