/** The style sheet of the reference: system fonts, light and dark, narrow screens. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6576; --line: #dde2ea; --paper: #ffffff; --sheet: #f5f7fa;
  --accent: #2456b3; --read: #0a7a45; --write: #9a5b00; --remove: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf2; --soft: #9aa5b8; --line: #2c3444; --paper: #171c26;
  --sheet: #10141c; --accent: #84aefc; --read: #4cc38a; --write: #e6a23c; --remove: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--sheet); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, nav, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header h1 { font-size: 1.35rem; margin: 1.25rem 0 .25rem; }
header p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .25rem .9rem; font-size: .92rem; }
footer { color: var(--soft); font-size: .85rem; padding-bottom: 2rem; }
a { color: var(--accent); }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: .5rem 1rem; margin: 1rem 0; }
h2 { font-size: 1.1rem; margin: .5rem 0; }
h3 { font-size: .85rem; color: var(--soft); font-weight: 600; margin: .9rem 0 .25rem; }
details { border-top: 1px solid var(--line); padding: .45rem 0; }
details:has(:target) { background: var(--sheet); }
:target { scroll-margin-top: 3rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { display: inline-block; min-width: 3.9rem; font-size: .82rem; }
b.GET { color: var(--read); } b.POST, b.PUT, b.PATCH { color: var(--write); } b.DELETE { color: var(--remove); }
.soft { color: var(--soft); font-size: .9rem; }
.needed { color: var(--remove); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 500; width: 11rem; }
td table { font-size: 1em; }
td td:first-child, td th { width: 9rem; }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; overflow-x: auto; margin: .25rem 0; }
code { font: .88em/1.45 ui-monospace, monospace; }
@media (max-width: 40rem) { th { width: 7.5rem; } td th { width: 6rem; } section { padding: .25rem .75rem; } }
`;
