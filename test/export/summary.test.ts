import { expect, it } from 'vitest';
import type { PageNode } from '../../src/export/layout/page-tree.ts';
import { summaryText } from '../../src/export/layout/summary.ts';

const MANY = 150_000;

function page(number: number, more: Partial<PageNode> = {}): PageNode {
  const place = { slug: null, href: null, target: null, gone: false, kept: true, base: `page-${number}` };
  return { id: `p${number}`, rid: number, type: 'document', title: `Page ${number}`, children: [], ...place, ...more };
}

it.each(['document', 'group'] as const)(
  'export/summary lists any number of pages below one %s: beyond some 120,000 the export ended in an error of the stack',
  (type) => {
    const root = page(0, { type, children: Array.from({ length: MANY }, (_, index) => page(index + 1)) });
    const lines = summaryText([root]).trimEnd().split('\n');
    expect(lines.filter((line) => /^ *\* /.test(line))).toHaveLength(MANY + (type === 'group' ? 0 : 1));
    expect(lines.at(-1)).toContain(`[Page ${MANY}](page-${MANY}.md)`);
  },
);
