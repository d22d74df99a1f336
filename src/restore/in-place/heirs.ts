// What an earlier restore made anew on this platform, or somebody put back, stands for what was lost: it is not missing any more, and
// not new.
import type { KindName } from '../../contract/index.ts';
import {
  listRestores,
  stepsOf,
  type Mirror,
  type Resource,
  type RestoreRecord,
  type RestoreStep,
  type SnapshotReader,
} from '../../mirror/index.ts';
import { IdMap } from '../journal/id-map.ts';
import { Lineage, madeBy, type Made } from '../journal/lineage.ts';
import { firstOf, lastOf, textAt, idAt, keyAbove } from '../resource.ts';
import { spacesIn } from '../special/site-order.ts';

export interface Heirs {
  /** The id of what stands in its place, made anew by an earlier restore or put back by hand. */
  of(resource: Resource): string | undefined;
  /** True for what was made so. */
  isHeir(resource: Resource): boolean;
  /** True for what any restore has made anew, whatever became of that. */
  wasMade(resource: Resource): boolean;
  /** New ids by kind and original key, of those that stand in the place of what does not. */
  readonly standing: HeirIds;
  /** The same for looking up: what links to the original, or is nested in it, is to lead to the heir. */
  readonly ids: IdMap;
}

type HeirIds = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where heirs are looked for. */
export interface Searched {
  readonly url: string;
  readonly organization: string;
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
  /** Which steps of which restores count; absent, all of them. */
  readonly counts?: (restore: RestoreRecord, step: RestoreStep) => boolean;
}

/** By the journals of all restores that wrote to this platform; later ones win. */
export function heirsIn(journal: Mirror, searched: Searched): Heirs {
  const line = new Line(searched);
  const noted = notedOn(journal, searched.url);
  for (const one of madeThere(noted, searched)) line.note(one);
  const places = placesMade(noted);
  for (const one of placesPutBack(searched, (id) => places.has(id))) line.note(one);
  const standing = line.standing();
  const ids = new IdMap();
  ids.addAll(standing);
  return {
    of: ({ kind, key }) => line.heirOf(kind, key),
    isHeir: ({ kind, id }) => line.isHeir(kind, id),
    wasMade: ({ kind, key }) => line.wasMade(kind, key),
    standing,
    ids,
  };
}

interface Noted {
  readonly restore: RestoreRecord;
  readonly step: RestoreStep;
}

/** What all restores of one platform have noted, the earliest first. */
function notedOn(journal: Mirror, url: string): Noted[] {
  const restores = listRestores(journal).filter(({ target }) => target === url);
  return restores.flatMap((restore) => stepsOf(journal, restore.id).map((step) => ({ restore, step })));
}

/** Ids of the places in sites that any restore has made there: what becomes of them is told by which restores count. */
function placesMade(noted: readonly Noted[]): ReadonlySet<string> {
  const made = noted.flatMap(({ step }) => madeBy(step));
  return new Set(made.filter(({ kind }) => kind === 'site-space').map(({ id }) => id));
}

/** What the restores that count have made. */
function madeThere(noted: readonly Noted[], searched: Searched): Made[] {
  const { counts = () => true } = searched;
  return noted
    .filter(({ restore, step }) => counts(restore, step))
    .flatMap(({ restore, step }) => madeBy(step).filter(({ key }) => isOfHere(searched, restore, key)));
}

/** Links lead into other organizations, too: of what was mended there, but not of what only came from elsewhere. */
function isOfHere({ organization, wanted }: Searched, restore: RestoreRecord, key: string): boolean {
  if (restore.organization === organization) return true;
  const holder = firstOf(key);
  const body = wanted.one('space', holder)?.body ?? wanted.one('collection', holder)?.body ?? {};
  return (textAt(body, 'organization') ?? holder) === restore.organization;
}

interface Searching {
  readonly ids: readonly string[];
  readonly fits: (id: string) => boolean;
}

/** What stands for what, however often it was lost and made anew. */
class Line {
  readonly #sides: Pick<Searched, 'wanted' | 'live'>;
  readonly #lineage = new Lineage();
  /** New ids by the key of the original, the latest last. */
  readonly #byKey = new Map<string, string[]>();
  /** The same by its id alone: what was made anew and lost again has another key in each snapshot. */
  readonly #byId = new Map<string, string[]>();
  readonly #made = new Map<string, Pick<Made, 'kind' | 'id'>>();

  constructor(sides: Pick<Searched, 'wanted' | 'live'>) {
    this.#sides = sides;
  }

  note(made: Made): void {
    const { kind, key, id } = made;
    const own = lastOf(key);
    if (own === id) return;
    add(this.#byKey, `${kind} ${key}`, id);
    add(this.#byId, `${kind} ${own}`, id);
    this.#made.set(`${kind} ${id}`, { kind, id });
    this.#lineage.note(made);
  }

  isHeir(kind: string, id: string): boolean {
    return this.#made.has(`${kind} ${id}`);
  }

  wasMade(kind: string, key: string): boolean {
    return this.#byKey.has(`${kind} ${key}`);
  }

  /** The latest of the line that stands; undefined when none does. */
  heirOf(kind: KindName, key: string): string | undefined {
    const { wanted, live } = this.#sides;
    const stands = (id: string): boolean => live.keysOf(kind, id).length > 0;
    const own = this.#latest(kind, { ids: this.#byKey.get(`${kind} ${key}`) ?? [], fits: stands });
    if (own !== undefined) return own;
    // An earlier snapshot may have brought the first of the line back beside this one. What the snapshot has as well stands for itself.
    const ids = this.#byId.get(`${kind} ${lastOf(this.#lineage.rootOf(kind, key))}`) ?? [];
    return this.#latest(kind, { ids, fits: (id) => stands(id) && wanted.keysOf(kind, id).length === 0 });
  }

  standing(): HeirIds {
    const standing: Record<string, Record<string, string>> = {};
    for (const [kind, key] of this.#originals()) {
      const heir = this.#sides.live.one(kind, key) === undefined ? this.heirOf(kind, key) : undefined;
      if (heir !== undefined) (standing[kind] ??= {})[key] = heir;
    }
    return standing;
  }

  /** What was made anew, and of that what is in the snapshot to be lost again. */
  *#originals(): IterableIterator<[KindName, string]> {
    for (const name of this.#byKey.keys())
      yield [name.slice(0, name.indexOf(' ')) as KindName, name.slice(name.indexOf(' ') + 1)];
    for (const { kind, id } of this.#made.values())
      for (const key of this.#sides.wanted.keysOf(kind as KindName, id)) yield [kind as KindName, key];
  }

  #latest(kind: KindName, { ids, fits }: Searching, seen = new Set<string>()): string | undefined {
    for (const id of ids.toReversed()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const later = this.#latest(kind, { ids: this.#byId.get(`${kind} ${id}`) ?? [], fits }, seen);
      if (later !== undefined) return later;
      if (fits(id)) return id;
    }
    return undefined;
  }
}

function add(map: Map<string, string[]>, name: string, id: string): void {
  const ids = map.get(name);
  if (ids) ids.push(id);
  else map.set(name, [id]);
}

interface Sides {
  readonly organization: string;
  readonly wanted: SnapshotReader;
  readonly live: SnapshotReader;
}

/**
 * Places on sites that were taken away and put back by hand, with another id: the platform takes no second place for the same space there.
 * @param isMade True for the id of a place that a restore has made: of these its journal tells.
 */
function* placesPutBack(sides: Sides, isMade: (id: string) => boolean): IterableIterator<Made> {
  for (const place of sides.wanted.resources('site-space', sides.organization)) {
    const found = sides.live.one(place.kind, place.key) === undefined ? putBack(sides, place) : undefined;
    if (found !== undefined && !isMade(found.id)) yield { kind: place.kind, key: place.key, id: found.id };
  }
}

function putBack({ wanted, live }: Sides, { key, body }: Resource): Resource | undefined {
  const site = live.one('site', keyAbove(key));
  const beside = site === undefined ? [] : spacesIn(live, site, textAt(body, 'section'));
  return beside.find(
    (one) => idAt(one.body['space']) === idAt(body['space']) && wanted.one(one.kind, one.key) === undefined,
  );
}
