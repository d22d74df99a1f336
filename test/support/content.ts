// Content for a test world, made through the platform's API.
import type { BodyOf, ChangeRequest, Page } from '../../src/contract/index.ts';
import { serveBytes, zipOf } from '../platform/world.ts';
import type { TestWorld } from './world.ts';

export type Change = BodyOf<'changeContent'>['changes'][number];
type Maker = Pick<TestWorld, 'api' | 'organization'>;

export async function addCollection(world: Maker, title: string, parent?: string): Promise<string> {
  const body = { title, ...(parent === undefined ? {} : { parent }) };
  return (await world.api.createCollection({ path: { organizationId: world.organization }, body })).id;
}

export async function addSpace(world: Maker, title: string, parent?: string): Promise<string> {
  const body = { title, ...(parent === undefined ? {} : { parent }) };
  return (await world.api.createSpace({ path: { organizationId: world.organization }, body })).id;
}

export async function addRequest(
  world: Pick<TestWorld, 'api'>,
  space: string,
  request: { subject: string; changes?: Change[] },
): Promise<ChangeRequest> {
  const path = { spaceId: space };
  const made = await world.api.createChangeRequest({ path, body: { subject: request.subject } });
  const own = { ...path, changeRequestId: made.id };
  if (request.changes) await world.api.changeContent({ path: own, body: { changes: request.changes } });
  return world.api.getChangeRequest({ path: own });
}

/** Of the change requests that edits go through. */
export const EDIT = 'Edit';

/** Edits through a change request that is merged at once; one that is refused leaves it a draft. */
export async function edit(world: Pick<TestWorld, 'api'>, space: string, ...changes: Change[]): Promise<void> {
  const { id } = await addRequest(world, space, { subject: EDIT, changes });
  await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId: id } });
}

export function insert(title: string, markdown: string, more: { ref?: string; into?: string } = {}): Change {
  return { type: 'insert_page', title, document: { markdown }, ...more };
}

/** Page ids of a space by title. */
export async function pagesOf(world: Pick<TestWorld, 'api'>, space: string): Promise<Record<string, string>> {
  const { pages } = await world.api.getRevision({ path: { spaceId: space } });
  return Object.fromEntries(flatten(pages).map((page) => [page.title, page.id]));
}

export function flatten(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => [page, ...flatten(page.pages ?? [])]);
}

/** Imports a ZIP of the given files into a space. */
export async function importFiles(
  world: Pick<TestWorld, 'api'>,
  space: string,
  files: Record<string, string | Buffer>,
): Promise<void> {
  await using source = await serveBytes(await zipOf(files));
  await world.api.importContent({ path: { spaceId: space }, body: { url: source.url, source: 'zip' } });
}

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const GUIDE = {
  'SUMMARY.md': '* [Home](README.md)\n* [Install](install.md)\n  * [Linux](linux.md)\n* [Use](use.md)\n',
  'README.md': '# Home\n\nBegin with [Install](install.md).\n\n![Logo](assets/logo.png)\n',
  'install.md': '# Install\n\nGet the package, see the [notes](assets/notes.txt).\n',
  'linux.md': '# Linux\n\nUse the archive.\n',
  'use.md': '# Use\n\nRun it, then go [home](README.md).\n',
  'assets/logo.png': PNG,
  'assets/notes.txt': 'Notes, line by line.\n',
};

export interface Furnished {
  readonly collection: string;
  readonly nested: string;
  /** A space with pages, files, comments and a change request in every state. */
  readonly guide: string;
  /** A space outside of every collection, whose page links into the guide. */
  readonly news: string;
  readonly pages: Readonly<Record<string, string>>;
  readonly comment: string;
  readonly reply: string;
  readonly requests: {
    readonly draft: string;
    readonly open: string;
    readonly merged: string;
    readonly archived: string;
  };
  readonly requestComment: string;
}

/** A small organization in which everything occurs that a walk visits and a restore brings back. */
export async function furnish(world: TestWorld): Promise<Furnished> {
  const collection = await addCollection(world, 'Manuals');
  const nested = await addCollection(world, 'Guides', collection);
  await world.api.updateCollection({
    path: { collectionId: nested },
    body: { description: 'How to', defaultLevel: 'read' },
  });
  const guide = await addSpace(world, 'Guide', nested);
  const news = await addSpace(world, 'News');
  world.platform.createUser({
    displayName: 'Robin Vale',
    email: 'robin@example.com',
    organization: world.organization,
    role: 'edit',
  });
  await importFiles(world, guide, GUIDE);
  const pages = await pagesOf(world, guide);
  await edit(world, news, insert('First', `See [the guide](/spaces/${guide}/pages/${pages['Install'] ?? ''}).`));
  const requests = await addRequests(world, guide, pages);
  const requestComment = await addDiscussion(world, { guide, request: requests.open });
  const { comment, reply } = await addComments(world, guide, pages['Use'] ?? '');
  return {
    collection,
    nested,
    guide,
    news,
    pages: await pagesOf(world, guide),
    comment,
    reply,
    requests,
    requestComment,
  };
}

async function addRequests(
  world: TestWorld,
  space: string,
  pages: Readonly<Record<string, string>>,
): Promise<Furnished['requests']> {
  const update = (title: string, markdown: string): Change => ({
    type: 'update_page',
    page: pages[title] ?? '',
    document: { markdown: `# ${title}\n\n${markdown}` },
  });
  const merged = await addRequest(world, space, {
    subject: 'Say more',
    changes: [update('Linux', 'Use the archive or the package.')],
  });
  await world.api.mergeChangeRequest({ path: { spaceId: space, changeRequestId: merged.id } });
  const draft = await addRequest(world, space, {
    subject: 'Work in progress',
    changes: [insert('Windows', 'Not yet.')],
  });
  const open = await addRequest(world, space, { subject: 'Clearer use', changes: [update('Use', 'Run it once.')] });
  const archived = await addRequest(world, space, { subject: 'Given up' });
  const set = (id: string, status: 'open' | 'archived') =>
    world.api.updateChangeRequest({ path: { spaceId: space, changeRequestId: id }, body: { status } });
  await set(open.id, 'open');
  await set(archived.id, 'archived');
  return { draft: draft.id, open: open.id, merged: merged.id, archived: archived.id };
}

async function addDiscussion(
  world: TestWorld,
  { guide, request }: { guide: string; request: string },
): Promise<string> {
  const path = { spaceId: guide, changeRequestId: request };
  const { id } = await world.api.createChangeRequestComment({ path, body: { body: { markdown: 'Is once enough?' } } });
  const own = { ...path, commentId: id };
  await world.api.createChangeRequestCommentReply({ path: own, body: { body: { markdown: 'It is.' } } });
  return id;
}

async function addComments(world: TestWorld, space: string, page: string): Promise<{ comment: string; reply: string }> {
  const path = { spaceId: space };
  const comment = await world.api.createComment({ path, body: { page, body: { markdown: 'How often?' } } });
  const own = { ...path, commentId: comment.id };
  const reply = await world.api.createCommentReply({ path: own, body: { body: { markdown: 'Once.' } } });
  await world.api.updateComment({ path: own, body: { addedReactions: ['1f44d'] } });
  const done = await world.api.createComment({ path, body: { body: { markdown: 'Typo in the title' } } });
  await world.api.updateComment({ path: { ...path, commentId: done.id }, body: { resolved: true } });
  return { comment: comment.id, reply: reply.id };
}
