/**
 * Two orders of siblings as one. Those of `wanted` come out in its order, at the places their common members have in `present`;
 * the others keep their places; what is new comes right after the one it follows in `wanted`. New ones that follow none there stand
 * before the first that is not new, or last of all.
 */
export function mergeOrder(present: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(present);
  const named = new Set(wanted);
  const common = wanted.filter((id) => known.has(id));
  const { first, after } = newcomersAmong(wanted, known);
  let next = 0;
  const merged = present.flatMap((id) => {
    const here = named.has(id) ? (common[next++] ?? id) : id;
    return [...(here === common[0] ? first : []), here, ...(after.get(here) ?? [])];
  });
  return common.length === 0 ? [...merged, ...first] : merged;
}

/** Who is new, in runs: those at the beginning, and those after each that was there. */
function newcomersAmong(
  wanted: readonly string[],
  known: ReadonlySet<string>,
): { first: readonly string[]; after: ReadonlyMap<string, readonly string[]> } {
  const first: string[] = [];
  const after = new Map<string, string[]>();
  let run = first;
  for (const id of wanted) {
    if (known.has(id)) after.set(id, (run = []));
    else run.push(id);
  }
  return { first, after };
}
