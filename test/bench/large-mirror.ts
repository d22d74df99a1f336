// A mirror of any size without a platform: content is written through the mirror's own functions, as a walk does.
import { atOnce, isoTime, manualClock, seededRandom, sha256, type Random } from '../../src/base/index.ts';
import type { KindName } from '../../src/contract/index.ts';
import { observe, openMirror, openSnapshot, sealSnapshot, type Mirror } from '../../src/mirror/index.ts';
import { phrase, scaleText } from '../../src/platform/seed/scale-text.ts';

export interface LargeOptions {
  readonly dataDir: string;
  readonly spaces: number;
  readonly pagesPerSpace: number;
  /** Nights after the first, each with one page of a hundred edited. */
  readonly nights: number;
}

const NO_BRAKE = { deletedShare: 2, deletedCount: 1e9, rewrittenShare: 2, rewrittenCount: 1e9 };
const DAY = 86_400_000;
const TEXT_BYTES = 4000;
const MEMBERS = 100;
const SITES = 20;

interface Filling {
  readonly mirror: Mirror;
  readonly random: Random;
  readonly options: LargeOptions;
  readonly id: number;
}

/** Builds it; the caller disposes of the mirror. */
export async function makeLargeMirror(options: LargeOptions): Promise<Mirror> {
  const clock = manualClock(Date.UTC(2025, 0, 1));
  const mirror = await openMirror({ dataDir: options.dataDir, clock });
  const random = seededRandom(3);
  takeNight({ mirror, random, options }, seeEverything);
  for (let night = 0; night < options.nights; night++) {
    await clock.advance(DAY);
    takeNight({ mirror, random, options }, editSome);
  }
  return mirror;
}

function takeNight(night: Omit<Filling, 'id'>, fill: (filling: Filling) => void): void {
  const { mirror } = night;
  const id = openSnapshot(mirror, { mode: 'incremental', scope: null, origin: 'http://platform.test' });
  fill({ ...night, id });
  atOnce(sealSnapshot({ mirror, id }, NO_BRAKE));
}

interface Seen {
  readonly kind: KindName;
  readonly params: Record<string, string>;
  readonly scope: number | null;
  readonly body: Record<string, unknown>;
  readonly text?: string;
  readonly parent?: number | null;
  readonly position?: number;
}

function see({ mirror, id }: Filling, seen: Seen): number {
  return observe({ mirror, id }, seen).rid;
}

function seeEverything(filling: Filling): void {
  const { mirror, options } = filling;
  const organization = mirror.store.transaction(() => seeOrganization(filling));
  for (let number = 0; number < options.spaces; number++) {
    mirror.store.transaction(() => seeSpace(filling, organization, number));
  }
}

/** In no order, as those that a platform gives. */
export function idOf(kind: string, number: number | string): string {
  return `${kind}${sha256(`${kind}${number}`).slice(0, 18)}`;
}

function seeOrganization(filling: Filling): number {
  const params = { organizationId: 'org' };
  const scope = see(filling, { kind: 'organization', params, scope: null, body: { id: 'org', title: 'Acme' } });
  for (let number = 0; number < MEMBERS; number++) {
    const userId = idOf('u', number);
    const body = { id: userId, role: 'edit', user: { object: 'user', id: userId, displayName: `Person ${number}` } };
    const member = see(filling, { kind: 'member', params: { ...params, userId }, scope, body });
    for (let nth = 0; nth < filling.options.spaces; nth += 10) {
      const spaceId = idOf('s', (nth + number) % filling.options.spaces);
      const access = { permission: 'read', space: { id: spaceId } };
      see(filling, { kind: 'space-member', params: { ...params, userId, spaceId }, scope: member, body: access });
    }
  }
  for (let number = 0; number < SITES; number++) {
    const siteId = idOf('t', number);
    const body = { object: 'site', id: siteId, title: `Site ${number}` };
    const site = see(filling, { kind: 'site', params: { ...params, siteId }, scope, body });
    for (let nth = number; nth < filling.options.spaces / 2; nth += SITES) {
      const siteSpaceId = idOf('x', nth);
      const shown = { object: 'site-space', id: siteSpaceId, space: { id: idOf('s', nth) } };
      see(filling, { kind: 'site-space', params: { ...params, siteId, siteSpaceId }, scope: site, body: shown });
    }
  }
  return scope;
}

function seeSpace(filling: Filling, organization: number, number: number): void {
  const spaceId = idOf('s', number);
  const body = { object: 'space', id: spaceId, organization: 'org', title: `Space ${number}`, visibility: 'private' };
  const scope = see(filling, { kind: 'space', params: { spaceId }, scope: organization, body });
  const entry = { object: 'revision', id: idOf('r', number), type: 'edits' };
  const revision = see(filling, { kind: 'revision', params: { spaceId }, scope, body: entry });
  let parent: number | null = null;
  for (let nth = 0; nth < filling.options.pagesPerSpace; nth++) {
    const rid = seePage(filling, { spaceId, revision, nth, parent: nth % 10 === 0 ? null : parent });
    if (nth % 10 === 0) parent = rid;
  }
  seeFiles(filling, spaceId, revision);
  seeTalk(filling, spaceId, scope);
  seeLinks(filling, spaceId, scope);
}

interface Place {
  readonly spaceId: string;
  readonly revision: number;
  readonly nth: number;
  readonly parent: number | null;
}

function seePage(filling: Filling, { spaceId, revision, nth, parent }: Place): number {
  const { random } = filling;
  const title = phrase(random, 4);
  const text = nth === 7 ? 'The same text everywhere.\n'.repeat(20) : scaleText(random, TEXT_BYTES);
  const params = { spaceId, pageId: pageIdOf(spaceId, nth) };
  const page = see(filling, {
    kind: 'page',
    params,
    scope: revision,
    body: pageBody({ random, spaceId, nth, title, at: Date.UTC(2024, random.int(12), 1 + random.int(28)) }),
    text: nth % 40 === 3 ? `${text}\n![](/files/${fileIdOf(spaceId, (nth - 3) / 40)})\n` : text,
    parent,
    position: nth,
  });
  const nodes = [{ object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [{ text: title }] }] }];
  const document = { object: 'document', data: {}, nodes };
  see(filling, { kind: 'page-document', params, scope: page, body: { document } });
  return page;
}

export function pageIdOf(spaceId: string, nth: number): string {
  return idOf('p', `${spaceId}/${nth}`);
}

interface PageFacts {
  readonly random: Random;
  readonly spaceId: string;
  readonly nth: number;
  readonly title: string;
  readonly at: number;
}

function pageBody({ random, spaceId, nth, title, at }: PageFacts): Record<string, unknown> {
  const id = pageIdOf(spaceId, nth);
  const path = `${title.toLowerCase().replaceAll(' ', '-')}-${nth}`;
  return {
    id,
    title,
    type: nth % 20 === 0 ? 'group' : 'document',
    createdAt: '2024-01-01T00:00:00.000Z',
    updatedAt: isoTime(at),
    documentId: random.id(20),
    slug: path,
    path,
    ...(nth % 3 === 0 ? { description: phrase(random, 8) } : {}),
    urls: { app: `http://platform.test/s/${spaceId}/${path}` },
    layout: { cover: true, title: true, description: true, tableOfContents: true, outline: true, pagination: true },
  };
}

function fileIdOf(spaceId: string, nth: number): string {
  return idOf('f', `${spaceId}/${nth}`);
}

function seeFiles(filling: Filling, spaceId: string, revision: number): void {
  for (let nth = 0; nth < 10; nth++) {
    const fileId = fileIdOf(spaceId, nth);
    const body = { id: fileId, name: `picture ${nth}.png`, contentType: 'image/png', size: 1000 + nth };
    see(filling, { kind: 'file', params: { spaceId, fileId }, scope: revision, body });
  }
}

function seeTalk(filling: Filling, spaceId: string, scope: number): void {
  for (let nth = 0; nth < 10; nth++) {
    const commentId = idOf('c', `${spaceId}/${nth}`);
    const poster = { object: 'user', id: idOf('u', nth), displayName: `Person ${nth}` };
    const post = { postedBy: poster, postedAt: '2024-11-05T10:00:00Z', body: { markdown: phrase(filling.random, 12) } };
    const target = { page: { id: pageIdOf(spaceId, nth) }, space: spaceId };
    const body = {
      object: 'comment',
      id: commentId,
      status: nth < 4 ? 'open' : 'resolved',
      replies: 1,
      target,
      ...post,
    };
    const comment = see(filling, { kind: 'comment', params: { spaceId, commentId }, scope, body });
    const reply = { object: 'comment-reply', id: commentId, ...post };
    const params = { spaceId, commentId, commentReplyId: commentId };
    see(filling, { kind: 'comment-reply', params, scope: comment, body: reply });
    const changeRequestId = idOf('q', commentId);
    const facts = { number: nth, subject: phrase(filling.random, 5), status: nth < 3 ? 'open' : 'merged' };
    const request = {
      object: 'change-request',
      id: changeRequestId,
      ...facts,
      createdBy: poster,
      createdAt: post.postedAt,
    };
    see(filling, { kind: 'change-request', params: { spaceId, changeRequestId }, scope, body: request });
  }
}

function seeLinks(filling: Filling, spaceId: string, scope: number): void {
  for (let nth = 0; nth < 20; nth++) {
    const status = nth === 0 ? 'broken' : 'ok';
    const body = {
      object: 'link',
      status,
      locationReferences: [{ kind: 'page', page: { id: pageIdOf(spaceId, nth) } }],
    };
    see(filling, { kind: 'link', params: { spaceId, linkId: idOf('l', nth) }, scope, body });
  }
}

/** One page of a hundred gets a further paragraph. */
function editSome(filling: Filling): void {
  const { mirror, random, options, id } = filling;
  mirror.store.transaction(() => {
    for (let edit = 0; edit < (options.spaces * options.pagesPerSpace) / 100; edit++) {
      const spaceId = idOf('s', random.int(options.spaces));
      const nth = random.int(options.pagesPerSpace);
      const title = phrase(random, 4);
      const body = pageBody({ random, spaceId, nth, title, at: Date.UTC(2025, 0, id) });
      const text = scaleText(random, TEXT_BYTES);
      see(filling, { kind: 'page', params: { spaceId, pageId: pageIdOf(spaceId, nth) }, scope: null, body, text });
    }
  });
}
