// What an earlier restore made anew on this platform stands for what was lost: it is not missing any more, and not new.
import { listRestores, stepsOf, type Mirror, type Resource } from '../../mirror/index.ts';
import { detailOf } from '../id-map.ts';

export interface Heirs {
  /** The new id of what an earlier restore made anew. */
  of(resource: Resource): string | undefined;
  /** True for what an earlier restore made. */
  isHeir(resource: Resource): boolean;
}

export const NO_HEIRS: Heirs = { of: () => undefined, isHeir: () => false };

/** By the journals of all restores that wrote to this platform; later ones win. */
export function heirsIn(journal: Mirror, target: { readonly url: string; readonly organization: string }): Heirs {
  const byOriginal = new Map<string, string>();
  const made = new Set<string>();
  const note = (kind: string, key: string, id: string): void => {
    if (key.slice(key.lastIndexOf('/') + 1) === id) return;
    byOriginal.set(`${kind} ${key}`, id);
    made.add(`${kind} ${id}`);
  };
  for (const restore of listRestores(journal)) {
    if (restore.target !== target.url || restore.organization !== target.organization) continue;
    for (const step of stepsOf(journal, restore.id)) {
      if (step.state !== 'done') continue;
      if (step.new_id !== null) note(step.kind, step.key, step.new_id);
      for (const [kind, map] of Object.entries(detailOf(step).map ?? {}))
        for (const [key, id] of Object.entries(map)) note(kind, key, id);
    }
  }
  return {
    of: ({ kind, key }) => byOriginal.get(`${kind} ${key}`),
    isHeir: ({ kind, id }) => made.has(`${kind} ${id}`),
  };
}
