/** The one style sheet: system fonts, light and dark, narrow screens. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6576; --line: #dde2ea; --paper: #ffffff; --sheet: #f5f7fa;
  --good: #0a7a45; --warn: #9a5b00; --bad: #b3261e; --accent: #2456b3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf2; --soft: #9aa5b8; --line: #2c3444; --paper: #171c26; --sheet: #10141c;
  --good: #4cc38a; --warn: #e6a23c; --bad: #ff7b72; --accent: #84aefc; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--sheet); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding-top: 1.25rem; }
header h1 { font-size: 1.25rem; margin: 0; }
header nav { display: flex; gap: 1rem; }
footer { color: var(--soft); font-size: .85rem; padding-bottom: 2rem; }
a { color: var(--accent); }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1rem 0; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
p { margin: .25rem 0 .5rem; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
.verdict { font-size: 1.35rem; font-weight: 650; }
.soft { color: var(--soft); }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem 1.5rem; margin: .75rem 0 0; }
.facts dt { color: var(--soft); font-size: .85rem; } .facts dd { margin: 0; font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
th { color: var(--soft); font-weight: 500; border-top: 0; }
td.wide, th.wide { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
progress { width: 100%; height: .75rem; accent-color: var(--accent); }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; overflow-x: auto; margin: .5rem 0 0; }
code { font: .88rem/1.45 ui-monospace, monospace; }
`;
