/**
 * Two orders of siblings as one. Those of `wanted` come out in its order, at the places their common members have in `present`;
 * the others keep their places; what is new comes right after the one it follows in `wanted`.
 */
export function mergeOrder(present: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(present);
  const named = new Set(wanted);
  const common = wanted.filter((id) => known.has(id));
  let next = 0;
  const result = present.map((id) => (named.has(id) ? (common[next++] ?? id) : id));
  wanted.forEach((id, i) => {
    if (known.has(id)) return;
    const previous = wanted[i - 1];
    const follower = wanted.slice(i + 1).find((other) => known.has(other));
    if (previous !== undefined) result.splice(result.indexOf(previous) + 1, 0, id);
    else if (follower !== undefined) result.splice(result.indexOf(follower), 0, id);
    else result.push(id);
  });
  return result;
}
