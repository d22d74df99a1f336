/** Charts: colours by class, so that they follow light and dark. */
export const CHART_STYLE = `
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1rem; margin: 1rem 0; }
.charts section { margin: 0; min-width: 0; }
.chart svg { display: block; width: 100%; height: auto; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart .tick { fill: var(--soft); font-size: 12px; } .chart .name { fill: var(--ink); font-size: 12px; }
.chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .line.s0 { stroke: var(--s0); } .chart .line.s1 { stroke: var(--s1); } .chart .line.s2 { stroke: var(--s2); } .chart .line.s3 { stroke: var(--s3); }
.chart .dot.s0, .chart .bar.s0 { fill: var(--s0); } .chart .dot.s1, .chart .bar.s1 { fill: var(--s1); }
.chart .dot.s2, .chart .bar.s2 { fill: var(--s2); } .chart .dot.s3, .chart .bar.s3 { fill: var(--s3); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .85rem; color: var(--soft); margin: 0 0 .25rem; }
.swatch { display: inline-block; width: .7rem; height: .7rem; border-radius: .15rem; margin-right: .35rem; }
.swatch.s0 { background: var(--s0); } .swatch.s1 { background: var(--s1); } .swatch.s2 { background: var(--s2); } .swatch.s3 { background: var(--s3); }
.chart details { margin-top: .5rem; font-size: .85rem; }
`;
