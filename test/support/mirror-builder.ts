// A mirror made by hand: a small world, observed into snapshots through the mirror's own functions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce, manualClock, sha256 } from '../../src/base/index.ts';
import type { KindName } from '../../src/contract/index.ts';
import { bury, observe, openSnapshot, sealSnapshot, type Mirror } from '../../src/mirror/index.ts';
import { emptyMirror } from './empty-mirror.ts';

export interface PageSpec {
  id: string;
  title: string;
  type?: string;
  /** Below the title's heading; null for a page without text. */
  text?: string | null;
  /** Further fields of the body. */
  body?: Record<string, unknown>;
  pages?: PageSpec[];
}

export interface FileSpec {
  id: string;
  name: string;
  /** null when the bytes could not be read. */
  bytes: string | Buffer | null;
  /** Further fields of the body. */
  body?: Record<string, unknown>;
}

export interface RequestSpec {
  id: string;
  number: number;
  subject: string;
  status?: string;
  /** It is behind its space. */
  outdated?: boolean;
  pages?: PageSpec[];
  files?: FileSpec[];
}

export interface SpaceSpec {
  id: string;
  title: string;
  parent?: string;
  pages?: PageSpec[];
  files?: FileSpec[];
  requests?: RequestSpec[];
  comments?: { id: string; markdown: string }[];
  /** Further fields of the body. */
  body?: Record<string, unknown>;
}

export interface WorldSpec {
  organizations?: { id: string; title: string }[];
  collections?: { id: string; title: string; parent?: string }[];
  spaces: SpaceSpec[];
}

export interface TestMirror extends Disposable {
  mirror: Mirror;
  dataDir: string;
  /** Takes the world in as the next snapshot; what is not in it any more is buried. Gives the snapshot's number. */
  add(world: WorldSpec): Promise<number>;
}

const NO_BRAKE = { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 };
const EVIDENCE = { listing: 'test', listed: 0, direct: null };

/** An empty mirror in a folder of its own that goes when it is disposed of. */
export async function createTestMirror(): Promise<TestMirror> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docmirror-mirror-'));
  const mirror = await emptyMirror({ dataDir, clock: manualClock(Date.UTC(2025, 0, 1)) });
  return {
    mirror,
    dataDir,
    add: (world) => addSnapshot(mirror, world),
    [Symbol.dispose]: () => {
      mirror[Symbol.dispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Seen {
  kind: KindName;
  params: Record<string, string>;
  scope: number | null;
  body: Record<string, unknown>;
  text?: string | null;
  object?: { sha256: string; size: number } | null;
  parent?: number | null;
  position?: number | null;
}

async function addSnapshot(mirror: Mirror, world: WorldSpec): Promise<number> {
  const snapshot = openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' });
  const rids = new Set<number>();
  const see = (seen: Seen): number => {
    const { rid } = observe({ mirror, id: snapshot }, seen);
    rids.add(rid);
    return rid;
  };
  await storeObjects(mirror, world);
  mirror.store.transaction(() => {
    const organizations = world.organizations ?? [{ id: 'org', title: 'Acme' }];
    for (const { id, title } of organizations) {
      const organization = see({
        kind: 'organization',
        params: { organizationId: id },
        scope: null,
        body: { object: 'organization', id, title },
      });
      if (id === organizations[0]?.id) seeContainers(world, { see, organization, id });
    }
    const held = mirror.store.prepare<{ rid: number }>('select rid from versions where valid_to is null').all();
    for (const { rid } of held) if (!rids.has(rid)) bury({ mirror, id: snapshot }, { rid }, EVIDENCE);
  });
  atOnce(sealSnapshot({ mirror, id: snapshot }, NO_BRAKE));
  return snapshot;
}

interface Visit {
  see: (seen: Seen) => number;
  organization: number;
  id: string;
}

function seeContainers(world: WorldSpec, { see, organization, id }: Visit): void {
  for (const { id: collectionId, ...collection } of world.collections ?? []) {
    const body = { object: 'collection', id: collectionId, organization: id, ...collection };
    see({ kind: 'collection', params: { collectionId }, scope: organization, body });
  }
  for (const { id: spaceId, title, parent, ...space } of world.spaces) {
    const above = parent === undefined ? {} : { parent };
    const body = { object: 'space', id: spaceId, organization: id, title, ...above, ...space.body };
    const scope = see({ kind: 'space', params: { spaceId }, scope: organization, body });
    seeContent({ see, scope, params: { spaceId }, pages: 'page', files: 'file' }, space);
    for (const request of space.requests ?? []) seeRequest(see, { spaceId, scope }, request);
    for (const { id: commentId, markdown } of space.comments ?? []) {
      const comment = { object: 'comment', id: commentId, body: { markdown } };
      see({ kind: 'comment', params: { spaceId, commentId }, scope, body: comment });
    }
  }
}

function seeRequest(see: Visit['see'], space: { spaceId: string; scope: number }, request: RequestSpec): void {
  const { id: changeRequestId, number, subject, status = 'open', outdated } = request;
  const params = { spaceId: space.spaceId, changeRequestId };
  const body = {
    object: 'change-request',
    id: changeRequestId,
    number,
    subject,
    status,
    ...(outdated === undefined ? {} : { outdated }),
    createdAt: '2025-01-01T00:00:00Z',
  };
  const scope = see({ kind: 'change-request', params, scope: space.scope, body });
  seeContent({ see, scope, params, pages: 'change-request-page', files: 'change-request-file' }, request);
}

interface ContentVisit {
  see: Visit['see'];
  scope: number;
  params: Record<string, string>;
  pages: KindName;
  files: KindName;
}

function seeContent(visit: ContentVisit, content: { pages?: PageSpec[]; files?: FileSpec[] }): void {
  seePages(visit, content.pages ?? [], null);
  for (const { id, name, bytes, body = {} } of content.files ?? []) {
    visit.see({
      kind: visit.files,
      params: { ...visit.params, fileId: id },
      scope: visit.scope,
      body: { id, name, ...body },
      object: bytes === null ? null : { sha256: sha256(bytes), size: Buffer.byteLength(bytes) },
    });
  }
}

function seePages(visit: ContentVisit, pages: readonly PageSpec[], parent: number | null): void {
  for (const [position, { id, title, type = 'document', text = '', body = {}, pages: below = [] }] of pages.entries()) {
    const hasText = text !== null && type !== 'group' && type !== 'link';
    // As a walk keeps texts.
    const markdown = hasText ? `# ${title}\n\n${text}`.toWellFormed() : null;
    const rid = visit.see({
      kind: visit.pages,
      params: { ...visit.params, pageId: id },
      scope: visit.scope,
      body: { id, title, type, ...(hasText ? { documentId: sha256(markdown ?? '').slice(0, 20) } : {}), ...body },
      text: markdown,
      parent,
      position,
    });
    seePages(visit, below, rid);
  }
}

async function storeObjects(mirror: Mirror, world: WorldSpec): Promise<void> {
  for (const space of world.spaces) {
    for (const { bytes } of [...(space.files ?? []), ...(space.requests ?? []).flatMap(({ files }) => files ?? [])]) {
      if (bytes === null) continue;
      const temporary = mirror.objects.temporary('test');
      writeFileSync(temporary, bytes);
      await mirror.objects.adopt(temporary, sha256(bytes));
    }
  }
}
