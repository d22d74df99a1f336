// Round numbers for axes, and values gathered into as many marks as can be told apart.

/** Ticks from 0 to at least `most`, at round distances; at least two. */
export function ticksTo(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const whole = Math.max(1, step);
  return Array.from({ length: Math.ceil(Math.max(most, 1) / whole) + 1 }, (_, index) => index * whole);
}

export interface Dated {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Bucket<T> {
  readonly from: number;
  readonly to: number;
  /** In order; not empty. */
  readonly items: readonly T[];
}

/** Items in time order, gathered into at most `most` spans of equal length; spans without an item are left out. */
export function bucketsOf<T extends Dated>(items: readonly T[], most: number): Bucket<T>[] {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return [];
  if (items.length <= most) return items.map((item) => ({ from: item.at, to: item.at, items: [item] }));
  const width = (last.at - first.at) / most || 1;
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const place = Math.min(most - 1, Math.floor((item.at - first.at) / width));
    const group = groups.get(place);
    if (group) group.push(item);
    else groups.set(place, [item]);
  }
  return [...groups].map(([place, group]) => ({
    from: first.at + place * width,
    to: first.at + (place + 1) * width,
    items: group,
  }));
}
