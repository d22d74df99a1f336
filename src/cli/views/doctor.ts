import type { Finding } from '../../app.ts';
import type { Look } from '../screen.ts';
import { oneLine, pad } from './text.ts';

const SIGNS = { good: 'ok  ', warning: 'warn', bad: 'BAD ' } as const;

export function doctorView(findings: readonly Finding[], { style }: Look): string {
  const paints = { good: style.good, warning: style.warn, bad: style.bad };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, found, hint }) => [
    `${paints[state](SIGNS[state])}  ${pad(check, width)}  ${oneLine(found)}`,
    ...(hint === null ? [] : [`      ${' '.repeat(width)}  what to do: ${oneLine(hint)}`]),
  ]);
  const wrong = findings.filter(({ state }) => state === 'bad').length;
  const unsure = findings.filter(({ state }) => state === 'warning').length;
  const verdict =
    wrong > 0 ? 'This would stop a walk.' : unsure > 0 ? 'Nothing is broken; mind the warnings.' : 'All is well.';
  return [...lines, '', verdict].join('\n');
}
