// Whether the Markdown of a page begins with its title is a habit of the platform, which the API document leaves open. A snapshot of one that
// writes it and what stands on one that does not are compared below it.
import { withoutTitle } from '../../export/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { textAt } from '../resource.ts';
import type { Pair } from './as-planned.ts';
import type { Values } from './values.ts';
import type { Sides } from './sides.ts';

const ENOUGH = 50;

export class TitleLines {
  readonly #sides: Sides;
  #writing: 'original' | 'restored' | 'both alike' | undefined;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** The same pair; where only one side writes titles, with its text below them. */
  below(pair: Pair): Pair {
    this.#writing ??= writingSide(this.#sides);
    if (this.#writing === 'both alike') return pair;
    const { wanted, got } = pair;
    return this.#writing === 'original' ? { ...pair, wanted: belowTitle(wanted) } : { ...pair, got: belowTitle(got) };
  }
}

function writingSide({ original, restored }: Sides): 'original' | 'restored' | 'both alike' {
  const [was, is] = [writesTitles(original), writesTitles(restored)];
  if (was === is) return 'both alike';
  return was ? 'original' : 'restored';
}

/** True where every page with a text says so, of those that are looked at; one text that somebody wrote says nothing of the others. */
function writesTitles(reader: SnapshotReader): boolean {
  let seen = 0;
  for (const { text, body } of reader.resources('page')) {
    if (text === null || text === '') continue;
    if (withoutTitle(text, textAt(body, 'title') ?? '') === text) return false;
    seen += 1;
    if (seen === ENOUGH) break;
  }
  return seen > 0;
}

function belowTitle(values: Values): Values {
  const { markdown, title } = values;
  if (typeof markdown !== 'string' || typeof title !== 'string') return values;
  return { ...values, markdown: withoutTitle(markdown, title) || null };
}
