// What an earlier restore made anew on this platform stands for what was lost: it is not missing any more, and not new.
import type { KindName } from '../../contract/index.ts';
import {
  listRestores,
  stepsOf,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type SnapshotReader,
} from '../../mirror/index.ts';
import { detailOf, IdMap } from '../id-map.ts';
import { textAt } from '../resource.ts';

export interface Heirs {
  /** The id of what stands in its place, made anew by an earlier restore. */
  of(resource: Resource): string | undefined;
  /** True for what an earlier restore made. */
  isHeir(resource: Resource): boolean;
  /** New ids by kind and original key, of those that stand in the place of what does not. */
  readonly standing: HeirIds;
  /** The same for looking up: what links to the original, or is nested in it, is to lead to the heir. */
  readonly ids: IdMap;
}

export type HeirIds = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Searched {
  readonly url: string;
  readonly organization: string;
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
  /** Which restores count; absent, all of them. */
  readonly counts?: (restore: RestoreRecord) => boolean;
}

/** By the journals of all restores that wrote to this platform; later ones win. */
export function heirsIn(journal: Mirror, searched: Searched): Heirs {
  const line = new Line(searched.live);
  for (const restore of listRestores(journal)) {
    if (restore.target !== searched.url || searched.counts?.(restore) === false) continue;
    for (const step of stepsOf(journal, restore.id)) {
      if (step.state !== 'done') continue;
      const made = Object.entries(detailOf(step).map ?? {}).flatMap(([kind, map]) =>
        Object.entries(map).map(([key, id]) => ({ kind, key, id })),
      );
      if (step.new_id !== null) made.unshift({ kind: step.kind, key: step.key, id: step.new_id });
      for (const one of made) if (isOfHere(searched, restore, one.key)) line.note(one);
    }
  }
  const standing = line.standing();
  const ids = new IdMap();
  ids.addAll(standing);
  return {
    of: ({ kind, key }) => line.heirOf(kind, key),
    isHeir: ({ kind, id }) => line.isHeir(kind, id),
    standing,
    ids,
  };
}

/** Links lead into other organizations, too: of what was mended there, but not of what only came from elsewhere. */
function isOfHere({ organization, wanted }: Searched, restore: RestoreRecord, key: string): boolean {
  if (restore.organization === organization) return true;
  const [holder = ''] = key.split('/');
  const body = wanted.one('space', holder)?.body ?? wanted.one('collection', holder)?.body ?? {};
  return (textAt(body, 'organization') ?? holder) === restore.organization;
}

interface Made {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
}

/** What stands for what, however often it was lost and made anew. */
class Line {
  readonly #live: SnapshotReader;
  /** New ids by the key of the original, the latest last. */
  readonly #byKey = new Map<string, string[]>();
  /** The same by its id alone: what was made anew and lost again has another key in each snapshot. */
  readonly #byId = new Map<string, string[]>();
  readonly #made = new Set<string>();

  constructor(live: SnapshotReader) {
    this.#live = live;
  }

  note({ kind, key, id }: Made): void {
    const own = key.slice(key.lastIndexOf('/') + 1);
    if (own === id) return;
    add(this.#byKey, `${kind} ${key}`, id);
    add(this.#byId, `${kind} ${own}`, id);
    this.#made.add(`${kind} ${id}`);
  }

  isHeir(kind: string, id: string): boolean {
    return this.#made.has(`${kind} ${id}`);
  }

  /** The latest of the line that stands; undefined when none does. */
  heirOf(kind: KindName, key: string): string | undefined {
    return this.#latest(kind, this.#byKey.get(`${kind} ${key}`) ?? [], new Set());
  }

  standing(): HeirIds {
    const standing: Record<string, Record<string, string>> = {};
    for (const name of this.#byKey.keys()) {
      const [kind, key] = [name.slice(0, name.indexOf(' ')) as KindName, name.slice(name.indexOf(' ') + 1)];
      const heir = this.#live.one(kind, key) === undefined ? this.heirOf(kind, key) : undefined;
      if (heir !== undefined) (standing[kind] ??= {})[key] = heir;
    }
    return standing;
  }

  #latest(kind: KindName, ids: readonly string[], seen: Set<string>): string | undefined {
    for (const id of ids.toReversed()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const later = this.#latest(kind, this.#byId.get(`${kind} ${id}`) ?? [], seen);
      if (later !== undefined) return later;
      if (this.#live.keysOf(kind, id).length > 0) return id;
    }
    return undefined;
  }
}

function add(map: Map<string, string[]>, name: string, id: string): void {
  const ids = map.get(name);
  if (ids) ids.push(id);
  else map.set(name, [id]);
}
