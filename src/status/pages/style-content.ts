/** The browser of the mirror: trees, pages, comments, differences. */
export const CONTENT_STYLE = `
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; margin: 1rem 0 0; }
.crumbs { overflow-wrap: anywhere; } .picker { display: flex; gap: .5rem; align-items: center; color: var(--soft); min-width: 0; max-width: 100%; }
.picker select { min-width: 0; flex: 1 1 auto; } .to-contents { display: none; }
h1.title { font-size: 1.7rem; line-height: 1.25; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
.lead { color: var(--soft); font-size: 1.1rem; }
h1.title, .lead, .text :is(p, li, h2, h3, h4, h5, h6, th, td, summary), .diff div { unicode-bidi: plaintext; }
.beside { display: grid; grid-template-columns: minmax(12rem, 17rem) minmax(0, 1fr); gap: 1.5rem; align-items: start; margin-top: 1rem; }
/* The text comes first for those who go through the page by key or by ear. */
.beside > aside { grid-column: 1; grid-row: 1; } .beside > article { grid-column: 2; grid-row: 1; }
aside { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; font-size: .92rem; }
aside > details > summary { font-weight: 600; color: var(--ink); margin-bottom: .4rem; }
.sheet { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 2rem 2rem; min-width: 0; }
.sheet section { padding: 1rem 0 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
.tree summary { color: var(--ink); }
.tree, .tree ul { list-style: none; padding-left: .9rem; margin: 0; } .tree, .branch ul { padding-left: 0; }
.tree li { padding: .12rem 0; line-height: 1.5rem; overflow-wrap: anywhere; } .tree li:not(:has(> details)) { padding-left: 1.05rem; }
.tree .branch { position: relative; padding-left: 1.05rem; } .branch > details > summary { position: absolute; left: -.45rem; top: .12rem; width: 1.5rem; height: 1.5rem; padding-left: .45rem; } .tree a { display: inline-block; min-width: 1.5rem; text-decoration: none; } .tree a:hover { text-decoration: underline; }
/* A title of thousands of characters would push all others out of sight; above its own page it stands whole. */
.tree a, .hits a, td.wide a { display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; vertical-align: top; }
.tree a[aria-current] { font-weight: 650; color: var(--ink); }
.text { overflow-wrap: anywhere; } .text > :first-child { margin-top: 0; }
.text h2, .text h3, .text h4, .text h5, .text h6 { margin: 1.8rem 0 .6rem; line-height: 1.3; }
.text h2 { font-size: 1.4rem; } .text h3 { font-size: 1.18rem; } .text h4 { font-size: 1.02rem; } .text h5, .text h6 { font-size: .95rem; }
.text p { margin: .7rem 0; } .text li > p { margin: .2rem 0; } .text ul, .text ol { margin: .7rem 0; padding-inline-start: 1.6rem; }
.text img, .cover img { max-width: 100%; height: auto; border-radius: .4rem; } .text figure { margin: 1rem 0; }
.cover img { width: 100%; max-height: 16rem; object-fit: cover; }
.text blockquote { margin: 1rem 0; padding: .1rem 1rem; border-inline-start: 4px solid var(--line); color: var(--soft); }
.text table { margin: .8rem 0; width: auto; min-width: 50%; } .text th, .text td { white-space: normal; overflow-wrap: normal; min-width: 4rem; padding: .4rem .9rem .4rem 0; border-top: 1px solid var(--line); }
.text th { border-top: 0; color: var(--ink); font-weight: 600; } .align-right { text-align: right !important; } .align-center { text-align: center !important; }
.text code { background: var(--tint); border-radius: .3rem; padding: .08em .3em; } .text pre code { background: none; padding: 0; }
.text pre.math, .text code.math { font-style: italic; }
.text pre, .text code { direction: ltr; unicode-bidi: isolate; text-align: left; }
.code { position: relative; } .syntax { position: absolute; right: .7rem; top: .35rem; color: var(--soft); font-size: .75rem; }
.hint { border-inline-start: 4px solid var(--soft); background: var(--tint); border-radius: 0 .5rem .5rem 0; padding: .4rem 1rem; margin: 1rem 0; }
.hint .label { font-weight: 650; font-size: .85rem; margin: .2rem 0; color: var(--soft); }
.hint.info { border-color: var(--accent); } .hint.info .label { color: var(--accent); } .hint.success { border-color: var(--good); } .hint.success .label { color: var(--good); }
.hint.warning { border-color: var(--warn); } .hint.warning .label { color: var(--warn); } .hint.danger { border-color: var(--bad); } .hint.danger .label { color: var(--bad); }
.tasks { list-style: none; padding-inline-start: .2rem !important; } .tasks li > p { display: inline; }
.text details { border: 1px solid var(--line); border-radius: .5rem; padding: .4rem .9rem; margin: .5rem 0; } .text summary { color: var(--ink); font-weight: 600; }
.steps > li { padding: .2rem 0 .2rem .4rem; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; margin: .8rem 0; }
.dead { text-decoration: line-through dotted; } .missing { color: var(--soft); border: 1px dashed var(--line); border-radius: .4rem; padding: .1rem .5rem; }
a.outside::after { content: "\\2197"; font-size: .8em; margin-left: .1em; }
mark { background: var(--mark); color: var(--ink); border-radius: .2rem; }
.posts { list-style: none; padding-left: 0; } .posts > li { border-top: 1px solid var(--line); padding: .6rem 0; } .posts .posts { padding-left: 1.5rem; }
.by { margin: 0; } .by time { color: var(--soft); font-size: .85rem; }
.hits { list-style: none; padding-left: 0; } .hits li { padding: .4rem 0; } .hits p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.diff { font: .85rem/1.5 ui-monospace, monospace; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
.diff div { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 .8rem; min-height: 1.5em; }
.diff .plus { background: color-mix(in srgb, var(--good) 16%, transparent); } .diff .minus { background: color-mix(in srgb, var(--bad) 16%, transparent); }
.diff .hunk { color: var(--soft); background: var(--tint); }
@media (max-width: 52rem) { .beside { grid-template-columns: minmax(0, 1fr); } .beside > aside, .beside > article { grid-column: auto; grid-row: auto; } aside { position: static; max-height: none; border: 1px solid var(--line); border-radius: .75rem; padding: .6rem .9rem; background: var(--paper); }
  .sheet { padding: .5rem 1rem 1.5rem; } .bar { justify-content: flex-start; } .to-contents { display: block; margin-top: .75rem; } }
`;
