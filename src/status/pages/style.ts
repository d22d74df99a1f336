/** The one style sheet: system fonts, light and dark, narrow screens. */
import { CHART_STYLE } from './style-charts.ts';
import { CONTENT_STYLE } from './style-content.ts';

const BASE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6576; --line: #dde2ea; --paper: #ffffff; --sheet: #f5f7fa;
  --good: #0a7a45; --warn: #9a5b00; --bad: #b3261e; --accent: #2456b3; --mark: #fff1b8; --tint: #eef2f8;
  --s0: #2f66c9; --s1: #d9822b; --s2: #b3467a; --s3: #3c8d5a; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e7ebf2; --soft: #9aa5b8; --line: #2c3444; --paper: #171c26; --sheet: #10141c;
  --good: #4cc38a; --warn: #e6a23c; --bad: #ff7b72; --accent: #84aefc; --mark: #5a4a12; --tint: #1f2633;
  --s0: #6f9df5; --s1: #eda45a; --s2: #e07fb0; --s3: #63c08a; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--sheet); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1rem; }
body.wide header, body.wide main, body.wide footer { max-width: 80rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding-top: 1rem; }
header .site { font-size: 1.25rem; font-weight: bold; margin: 0; } header .site a { color: inherit; text-decoration: none; }
header nav { display: flex; gap: .25rem; }
header nav a { padding: .3rem .7rem; border-radius: .5rem; text-decoration: none; }
header nav a[aria-current] { background: var(--tint); color: var(--ink); font-weight: 600; }
header .search { margin-left: auto; }
footer { color: var(--soft); font-size: .85rem; padding: 1rem; padding-bottom: 2rem; }
a { color: var(--accent); }
/* A name has its own direction: beside one from right to left, dates and counts would turn round. */
a, bdi, strong, span, label, time, .facts dd { unicode-bidi: isolate; }
a:focus-visible, summary:focus-visible, input:focus-visible, button:focus-visible, select:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1rem 0; }
section.narrow { max-width: 26rem; margin: 3rem auto; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
p { margin: .25rem 0 .5rem; }
p, li, .to-contents { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-inline-start: 1.25rem; }
.verdict { font-size: 1.35rem; font-weight: 650; }
.soft { color: var(--soft); }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.renewal { font-size: .85rem; text-align: end; margin: .5rem 0 -.5rem; }
.note { background: var(--tint); border-radius: .5rem; padding: .5rem .9rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 42%), 1fr)); gap: .75rem 1.25rem; margin: .75rem 0; }
.facts dt { color: var(--soft); font-size: .85rem; } .facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.facts.small { border-top: 1px solid var(--line); padding-top: .75rem; margin-top: 2rem; font-size: .85rem; } .facts.small dd { font-weight: 400; }
.scroll { overflow-x: auto; } .scroll.tall { max-height: 20rem; overflow-y: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: start; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th { color: var(--soft); font-weight: 500; border-top: 0; }
td.wide, th.wide { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; width: 60%; }
tr.why td { border-top: 0; padding-top: 0; white-space: normal; color: var(--soft); }
tr.why div { position: sticky; left: 0; max-width: calc(100vw - 5rem); overflow-wrap: anywhere; }
.facts .long { grid-column: 1 / -1; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
th:last-child, td:last-child { padding-right: 0; }
progress { width: 100%; height: .75rem; accent-color: var(--accent); }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; overflow-x: auto; margin: .5rem 0; }
code { font: .88rem/1.45 ui-monospace, monospace; } code .flag { white-space: nowrap; }
details > summary { cursor: pointer; color: var(--soft); }
input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .3rem .6rem; max-width: 100%; }
input, select { border-color: var(--soft); } ::placeholder { color: var(--soft); opacity: 1; } button { cursor: pointer; background: var(--tint); } .stack button { background: var(--accent); color: var(--paper); border-color: var(--accent); }
.stack { display: grid; gap: .6rem; }
.row { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; margin: .75rem 0; }
@media (max-width: 40rem) { header .search { margin-left: 0; flex: 1 1 100%; } header .search input { width: 100%; }
  section { padding: .85rem .9rem; } td.wide, th.wide { min-width: 9rem; } .fields td.wide, .fields th.wide { min-width: 5.5rem; }
  .changes td, .failures td { white-space: normal; } }
@media print { :root { color-scheme: light; } header nav, .search, .picker, .row, .renewal, .to-contents, aside { display: none !important; } body { background: none; }
  .beside { display: block; } .scroll, .scroll.tall { max-height: none; overflow: visible; } th, td { white-space: normal; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  section, tr, figure { break-inside: avoid; } h2, h3, h4 { break-after: avoid; } .text a.outside::after { content: " (" attr(href) ")"; overflow-wrap: anywhere; } }
`;

export const STYLE = BASE + CHART_STYLE + CONTENT_STYLE;
