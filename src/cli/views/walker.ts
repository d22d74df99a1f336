// Syncs walk, and restores in place do; whoever else holds the data directory only works on what is there.
const WALKS = /^(?:sync|restore)\b/;

/** Who may be walking, of whoever holds the data directory; null for nobody. */
export function walkerOf(holder: string | null): string | null {
  return holder !== null && WALKS.test(holder) ? holder : null;
}
