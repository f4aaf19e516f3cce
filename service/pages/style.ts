// The look of every page, the console's and the authorization server's: plain type on paper, one colour for what can be done, one for what cannot be undone.

const palette = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #fff; --sunk: #f3f1ea; --ink: #1f1e1b; --quiet: #5f5c55; --line: #e2ded4; --edge: #8d897e;
  --do: #1f4f82; --do-ink: #fff; --do-tint: #eaf1f8; --good: #0d6049; --good-tint: #dcefe7; --bad: #a32a0c;
  --bad-ink: #fff; --bad-tint: #fbe9e3; --soon: #6e4700; --soon-tint: #fbe9c4; --over: #57544d; --over-tint: #ebe8df;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, Georgia, "Liberation Serif", serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181a; --card: #1f2124; --sunk: #121315; --ink: #e9e6df; --quiet: #aaa69c; --line: #35373b;
    --edge: #77746b; --do: #9cc4f0; --do-ink: #0c1a29; --do-tint: #1f2c3a; --good: #8ddabd; --good-tint: #15352b;
    --bad: #ff9473; --bad-ink: #2a0a00; --bad-tint: #3a1c13; --soon: #ffd489; --soon-tint: #433411; --over: #b5b1a6;
    --over-tint: #2c2e31;
  }
}`;

const ground = `
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 100% / 1.5 var(--sans); -webkit-text-size-adjust: 100%; }
body { margin: 0; }
h1, h2, h3, p, ul, ol, dl, dd, pre, fieldset, legend, table { margin: 0; padding: 0; border: 0; font-size: inherit; }
ul { list-style: none; }
h1 { font: 500 2rem / 1.2 var(--serif); letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font: 500 1.375rem / 1.3 var(--serif); margin: 2.5rem 0 .75rem; }
a { color: var(--do); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font-family: var(--mono); font-size: .9375em; }
pre code { font-size: 1em; }
:focus-visible { outline: 3px solid var(--do); outline-offset: 2px; border-radius: 4px; }
.quiet { color: var(--quiet); }
.lead { margin: .5rem 0 1.5rem; color: var(--quiet); max-width: 42rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -6rem; padding: .5rem 1rem; background: var(--card); z-index: 1; }
.skip:focus { top: .5rem; }
[hidden] { display: none !important; }`;

const frame = `
body > header { border-bottom: 1px solid var(--line); background: var(--card); }
body > header > div { max-width: 72rem; margin: 0 auto; padding: .75rem clamp(1rem, 4vw, 2rem) 0; display: flex; flex-wrap: wrap;
  align-items: center; gap: .25rem 2rem; }
.brand { font: 500 1.125rem / 1 var(--serif); color: var(--ink); text-decoration: none; padding-bottom: .75rem; }
nav.sections ul { display: flex; gap: 1.5rem; }
nav.sections a { display: block; padding: .25rem 0 .75rem; color: var(--quiet); text-decoration: none;
  border-bottom: 2px solid transparent; }
nav.sections a:hover { color: var(--ink); }
nav.sections a[aria-current] { color: var(--ink); border-color: var(--do); }
.who { margin-left: auto; display: flex; align-items: center; gap: 1rem; padding-bottom: .75rem; font-size: .875rem; }
.who b { font-weight: 600; }
.plain { font: inherit; color: var(--do); background: none; border: 0; padding: 0; text-decoration: underline;
  text-underline-offset: .2em; cursor: pointer; }
main { max-width: 72rem; margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 2rem) 4rem; outline: none; }
main.narrow > * { max-width: 48rem; }
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem; margin-bottom: 1.5rem; }
body > footer { max-width: 72rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2rem) 2rem; font-size: .8125rem;
  color: var(--quiet); }`;

const controls = `
.button { display: inline-block; font: 500 1rem / 1.25 var(--sans); padding: .6rem 1.25rem; border: 1px solid var(--do);
  border-radius: 6px; background: var(--do); color: var(--do-ink); text-decoration: none; cursor: pointer; text-align: center; }
.button:hover { filter: brightness(1.1); }
.button.light { background: var(--card); color: var(--do); border-color: var(--edge); }
.button.grave { background: var(--bad); border-color: var(--bad); color: var(--bad-ink); }
.button.small { padding: .3rem .75rem; font-size: .875rem; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin-top: 2rem; }
label b, legend, .label { font-weight: 600; }
.field { margin-top: 2rem; }
.hint { display: block; color: var(--quiet); font-size: .9375rem; margin: .125rem 0 .5rem; }
.wrong { display: block; color: var(--bad); font-weight: 600; margin: .25rem 0 .5rem; }
input[type="text"], input[type="email"], input[type="password"], input[type="date"], input[type="search"], select { font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: 6px; padding: .5rem .75rem; min-height: 2.75rem;
  max-width: 100%; }
input.wide { width: 100%; }
input[readonly] { background: var(--sunk); }
input[aria-invalid="true"] { border: 2px solid var(--bad); }
input[type="radio"], input[type="checkbox"] { accent-color: var(--do); width: 1.125rem; height: 1.125rem; margin: .2rem 0 0;
  flex: none; }
.choice { display: flex; gap: .75rem; padding: .9rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; margin-top: .5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--do); box-shadow: inset 0 0 0 1px var(--do); }
.choice:has(:disabled) { background: var(--sunk); cursor: default; }
.choice b { display: block; }
.choice > span { min-width: 0; }
.within { margin: .75rem 0 1.25rem 1rem; padding-left: 1.25rem; border-left: 2px solid var(--line); }
.permissions:has(#GLOBAL:checked) .within { display: none; }
.sets { display: flex; flex-wrap: wrap; gap: .5rem; margin: .25rem 0 1rem; }
.sets button { font: inherit; font-size: .9375rem; text-align: left; padding: .5rem .9rem; border: 1px solid var(--edge);
  border-radius: 999px; background: var(--card); color: var(--do); cursor: pointer; }
.sets button:hover, .sets button[aria-pressed="true"] { background: var(--do-tint); }
.sets button[aria-pressed="true"] { border-color: var(--do); box-shadow: inset 0 0 0 1px var(--do); }
.scopes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 1.5rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; }
.scopes label { display: flex; gap: .75rem; padding: .45rem 0; cursor: pointer; }
.scopes b { display: block; font: 600 .875rem / 1.5 var(--mono); }
.scopes label span span { color: var(--quiet); font-size: .875rem; display: block; }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-bottom: 1.5rem; }
.filter .button { min-height: 2.75rem; }
.filter label { display: grid; gap: .25rem; font-size: .875rem; color: var(--quiet); }
.filter label:first-child { flex: 1 1 16rem; }
.filter input, .filter select { width: 100%; font-size: 1rem; color: var(--ink); }`;

const content = `
.notice { border: 1px solid; border-radius: 8px; padding: 1rem 1.25rem; margin: 1.5rem 0; }
.notice.good { color: var(--good); background: var(--good-tint); }
.notice.bad { color: var(--bad); background: var(--bad-tint); }
.notice.soon { color: var(--soon); background: var(--soon-tint); }
.notice a { color: inherit; }
.notice :is(h2, h3) { font: 600 1rem / 1.5 var(--sans); margin: 0; }
.badge { display: inline-block; align-self: start; font-size: .8125rem; font-weight: 600; padding: .1rem .6rem; border-radius: 999px;
  white-space: nowrap; }
.badge.active { color: var(--good); background: var(--good-tint); }
.badge.soon { color: var(--soon); background: var(--soon-tint); }
.badge.expired { color: var(--over); background: var(--over-tint); }
.badge.revoked { color: var(--bad); background: var(--bad-tint); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 500; font-size: .8125rem; color: var(--quiet); }
th, td { padding: .75rem 1rem .75rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-size: .9375rem; overflow-wrap: anywhere; }
td:last-child, th:last-child { padding-right: 0; }
td.name { min-width: 12rem; }
td.name a { font-weight: 600; font-size: 1rem; }
td small { display: block; overflow-wrap: normal; font-size: .8125rem; color: var(--quiet); }
.tight { white-space: nowrap; }
.secret { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.secret code, pre { background: var(--sunk); color: var(--ink); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem 1rem; }
.secret code { flex: 1 1 20rem; overflow-wrap: anywhere; user-select: all; font-size: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 .75rem; }
.terms { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .6rem 2rem; margin-top: 1.5rem; }
.terms dt { color: var(--quiet); }
.terms dd { overflow-wrap: anywhere; }
.terms li { margin-bottom: .15rem; }
.pager { display: flex; gap: 1.5rem; margin-top: 1.5rem; }
.empty { padding: 3rem 1rem; text-align: center; background: var(--card); border: 1px dashed var(--edge); border-radius: 8px; }
.events li { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
.events time { color: var(--quiet); font-size: .9375rem; }
@media (max-width: 44rem) {
  h1 { font-size: 1.75rem; }
  main { padding-top: 1.5rem; }
  .who { order: 2; width: 100%; justify-content: space-between; padding-bottom: .25rem; }
  nav.sections { order: 3; width: 100%; }
  .tight { white-space: normal; }
  .button.light.small { width: auto; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody { display: block; }
  tr { display: grid; grid-template-columns: 1fr; gap: .25rem; padding: .9rem 0; border-bottom: 1px solid var(--line); }
  td { display: flex; gap: 0 .75rem; border: 0; padding: 0; }
  td[data-name]::before { content: attr(data-name); color: var(--quiet); flex: 0 0 6rem; }
  .button.main, .actions .button { width: 100%; }
  .terms, .events li { grid-template-columns: 1fr; gap: 0; }
  .terms dd { margin-bottom: .75rem; }
}`;

// The pages of the authorization server, which say one thing to somebody who comes from elsewhere.
const door = `
.door main { max-width: 30rem; margin: clamp(0rem, 8vh, 6rem) auto; padding: 2rem clamp(1.25rem, 6vw, 2.5rem) 2.5rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.door .brand { color: var(--quiet); }
.door .lead { margin-bottom: 1rem; overflow-wrap: anywhere; }
.door .lead b { color: var(--ink); font-weight: 600; }
.door .field { margin-top: 1.25rem; }
.door .field label { display: block; margin-bottom: .25rem; }
.door .hint { margin: 1rem 0 .5rem; }
.door .address { color: var(--ink); overflow-wrap: anywhere; }
.asked li { padding: .6rem 0; border-top: 1px solid var(--line); }
.asked li:last-child { border-bottom: 1px solid var(--line); }
.asked b { display: block; font: 600 .875rem / 1.5 var(--mono); }
.asked span { color: var(--quiet); font-size: .9375rem; }
@media (max-width: 34rem) {
  .door main { margin: 0; border: 0; border-radius: 0; min-height: 100vh; }
}`;

export const style = [palette, ground, frame, controls, content, door].join('\n');
