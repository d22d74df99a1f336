// A line of nodes as runs of text with their font, links that can be clicked.
import type { DocumentNode } from '../../document/index.ts';
import { fontOf, type FontName } from './fonts.ts';

export interface Run {
  text: string;
  font: FontName;
  link?: string;
  strike: boolean;
  /** Stands on a ground of its own. */
  isCode: boolean;
}

/** The runs of a block's nodes in order; `\n` is a line break. */
export function runsOf(nodes: readonly DocumentNode[], link?: string): Run[] {
  return nodes.flatMap((node) => {
    const { data = {} } = node;
    if (node.leaves) return leafRuns(node.leaves, link);
    switch (node.type) {
      case 'link':
        return runsOf(node.nodes ?? [], stringOf(data['href']));
      case 'image':
        return [plainRun(`[${stringOf(data['alt']) || 'image'}]`)];
      case 'math':
        return [{ ...plainRun(stringOf(data['formula'])), font: 'mono' as const }];
      case 'line-break':
        return [plainRun('\n')];
      default:
        return runsOf(node.nodes ?? [], link);
    }
  });
}

function leafRuns(leaves: NonNullable<DocumentNode['leaves']>, link: string | undefined): Run[] {
  return leaves.map((leaf) => {
    const marks = new Set(leaf.marks.map(({ type }) => type));
    const run: Run = {
      text: leaf.text.replaceAll('\n', ' '),
      font: fontOf(marks),
      strike: marks.has('strikethrough'),
      isCode: marks.has('code'),
    };
    return link === undefined ? run : { ...run, link };
  });
}

export function plainRun(text: string, font: FontName = 'text'): Run {
  return { text, font, strike: false, isCode: false };
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
