// Where each space lies: a folder per organization, per nested collection, per space.
import type { Outlined, SnapshotReader } from '../../mirror/index.ts';
import { textField } from './fields.ts';
import { allocateNames, shortId, slugName, type NameRequest } from './names.ts';

export interface SpaceFolder {
  readonly id: string;
  readonly title: string;
  /** Titles from the organization down to the space, for people. */
  readonly trail: readonly string[];
  /** Relative to the export; what belongs to the space but is no content of it lies beside, as `<path>.<word>`. */
  readonly path: string;
}

/** Name of the folder beside a space that holds its change requests. */
export const REQUESTS_SUFFIX = '.change-requests';
export const COMMENTS_SUFFIX = '.comments.jsonl';

interface Container {
  readonly kind: 'organization' | 'collection' | 'space';
  readonly id: string;
  readonly title: string;
  /** Number in the mirror; the earlier it was first seen, the lower. */
  readonly age: number;
  /** Only its name is kept. */
  readonly gone: boolean;
}

/** What is below a container, and where that lies. */
interface Place {
  readonly parent: string;
  readonly path: string;
  readonly trail: readonly string[];
}

const RESERVED_AT_ROOT = ['readme.md', 'sha256sums', 'more'];
const MAX_FOLDER_BYTES = 200;

/** Folders of all spaces of a snapshot, by path. A space whose collection or organization was not read is not lost. */
export function spaceFolders(reader: SnapshotReader): SpaceFolder[] {
  const below = childrenByParent(reader);
  const folders: SpaceFolder[] = [];
  // Not by a call for each level: a platform may say that thousands of collections stand within each other.
  const waiting: Place[] = [{ parent: ROOT, path: '', trail: [] }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const siblings = below.get(at.parent) ?? [];
    const names = allocateNames(siblings.map(toRequest), {
      room: REQUESTS_SUFFIX.length,
      reserved: at.parent === ROOT ? RESERVED_AT_ROOT : [],
    });
    for (const container of siblings) {
      const key = keyOf(container.kind, container.id);
      const path = `${at.path}${names.get(key) ?? shortId(key)}`;
      const trail = [...at.trail, container.title];
      if (container.gone) continue;
      if (container.kind === 'space') folders.push({ id: container.id, title: container.title, trail, path });
      else waiting.push({ parent: key, path: folderBelow(path, key), trail });
    }
  }
  return folders.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const ROOT = '';

function childrenByParent(reader: SnapshotReader): Map<string, Container[]> {
  const collections = new Map([...reader.outline('collection')].map((resource) => [resource.id, resource]));
  const organizations = new Map([...reader.outline('organization')].map((resource) => [resource.id, resource]));
  const below = new Map<string, Container[]>();
  const add = (parent: string, container: Container): void => {
    const siblings = below.get(parent);
    if (siblings) siblings.push(container);
    else below.set(parent, [container]);
  };
  const unknown = new Set<string>();
  const loops = loopsAmong(collections);
  const addBelow = (kind: 'collection' | 'space', resource: Outlined): void => {
    const above = typeof resource.body['parent'] === 'string' ? resource.body['parent'] : null;
    const organization = textField(resource.body, 'organization');
    if (resource.holds && organizations.get(organization)?.holds !== true) unknown.add(organization);
    const isKnown = above !== null && (!resource.holds || collections.get(above)?.holds === true) && !loops(above);
    add(isKnown ? keyOf('collection', above) : keyOf('organization', organization), toContainer(kind, resource));
  };
  for (const collection of collections.values()) addBelow('collection', collection);
  for (const space of reader.outline('space')) addBelow('space', space);
  for (const organization of organizations.values()) {
    if (!unknown.has(organization.id)) add(ROOT, toContainer('organization', organization));
  }
  for (const id of unknown) add(ROOT, { kind: 'organization', id, title: 'organization', age: 0, gone: false });
  return below;
}

function toContainer(kind: Container['kind'], { id, rid, holds, body }: Outlined): Container {
  return { kind, id, title: titleOf(body, kind), age: rid, gone: !holds };
}

/** Tells whether the collections above one never end; each is gone through once. */
function loopsAmong(collections: ReadonlyMap<string, Outlined>): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    const seen = new Set<string>();
    let at: unknown = id;
    while (typeof at === 'string' && !known.has(at) && !seen.has(at)) {
      seen.add(at);
      at = collections.get(at)?.body['parent'];
    }
    const isLoop = typeof at === 'string' && (known.get(at) ?? true);
    for (const one of seen) known.set(one, isLoop);
    return isLoop;
  };
}

function titleOf(body: Readonly<Record<string, unknown>>, kind: string): string {
  return textField(body, 'title') || kind;
}

function toRequest(container: Container): NameRequest {
  const name = slugName(container.title).replace(/\.(change-requests|comments|jsonl|md)$/, '-$1');
  return { id: keyOf(container.kind, container.id), age: container.age, name: name || container.kind };
}

function keyOf(kind: Container['kind'], id: string): string {
  return `${kind}/${id}`;
}

function folderBelow(path: string, key: string): string {
  return Buffer.byteLength(path) > MAX_FOLDER_BYTES ? `more/${shortId(key, 16)}/` : `${path}/`;
}
