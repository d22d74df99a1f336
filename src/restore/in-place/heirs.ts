// What an earlier restore made anew on this platform stands for what was lost: it is not missing any more, and not new.
import type { KindName } from '../../contract/index.ts';
import { listRestores, stepsOf, type Mirror, type Resource, type SnapshotReader } from '../../mirror/index.ts';
import { detailOf, IdMap } from '../id-map.ts';

export interface Heirs {
  /** The new id of what an earlier restore made anew. */
  of(resource: Resource): string | undefined;
  /** True for what an earlier restore made. */
  isHeir(resource: Resource): boolean;
  /** New ids by kind and original key, of those that stand in the place of what does not. */
  readonly standing: HeirIds;
  /** The same for looking up: what links to the original, or is nested in it, is to lead to the heir. */
  readonly ids: IdMap;
}

export type HeirIds = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const NO_HEIRS: Heirs = { of: () => undefined, isHeir: () => false, standing: {}, ids: new IdMap() };

interface Searched {
  readonly url: string;
  readonly organization: string;
  readonly live: SnapshotReader;
}

/** By the journals of all restores that wrote to this platform; later ones win. */
export function heirsIn(journal: Mirror, { live, ...target }: Searched): Heirs {
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
  const standing = standingAmong(byOriginal, live);
  const ids = new IdMap();
  ids.addAll(standing);
  return {
    of: ({ kind, key }) => byOriginal.get(`${kind} ${key}`),
    isHeir: ({ kind, id }) => made.has(`${kind} ${id}`),
    standing,
    ids,
  };
}

function standingAmong(byOriginal: ReadonlyMap<string, string>, live: SnapshotReader): HeirIds {
  const standing: Record<string, Record<string, string>> = {};
  for (const [name, id] of byOriginal) {
    const [kind, key] = [name.slice(0, name.indexOf(' ')) as KindName, name.slice(name.indexOf(' ') + 1)];
    if (live.one(kind, key) !== undefined || live.keysOf(kind, id).length === 0) continue;
    (standing[kind] ??= {})[key] = id;
  }
  return standing;
}
