// A single page or file that the token is refused by its own id, for ever, while it may read all that is beside it: a person accepts it by name.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRecord } from '../../src/base/index.ts';
import { acceptSnapshot, isAccepted, unacceptable } from '../../src/mirror/index.ts';
import type { WalkResult } from '../../src/walker/index.ts';
import { addRequest, addSpace, edit, insert, pagesOf } from '../support/content.ts';
import { filledWorlds } from '../support/copied-world.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import type { TestWorld } from '../support/world.ts';

const NO = { status: 403, body: { error: { code: 403, message: 'Not for you' } } };

let world: TestWorld;
let proxy: Rewriting;
let space: string;
let pages: Record<string, string>;

const docsWorld = filledWorlds(async (made) => {
  const docs = await addSpace(made, 'Docs');
  await edit(made, docs, insert('First', 'one'), insert('Hidden', 'two'), insert('Last', 'three'));
  return { space: docs, pages: await pagesOf(made, docs) };
});

beforeEach(async () => {
  const copy = await docsWorld();
  ({ space, pages } = copy.made);
  world = copy;
  proxy = await rewriting(world);
});

afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const night = (mode: 'incremental' | 'full' = 'incremental'): Promise<WalkResult> =>
  world.sync({ client: proxy.client, mode });
const rewrite = (title: string, markdown = 'Rewritten.'): Promise<void> =>
  edit(world, space, { type: 'update_page', page: pages[title] ?? '', document: { markdown } });
const textOf = (title: string): unknown =>
  rowsOf(world.mirror, 'select markdown from pages where title = ?', title)[0]?.['markdown'];
const accept = ({ snapshot: { id } }: WalkResult): unknown => {
  const why = unacceptable(world.mirror, id);
  if (why === null) acceptSnapshot(world.mirror, id, 'ticket 7');
  return why;
};
const isSound = ({ snapshot: { id, state } }: WalkResult): boolean =>
  state === 'complete' || isAccepted(world.mirror, id);

/** Refuses pages by their own id; those that are hidden stand in no tree besides. */
function refuse(titles: readonly string[], isHidden = false): void {
  const ids = titles.map((title) => pages[title] ?? '');
  proxy.rewrite = ({ path }, { status, body }) => {
    if (ids.some((id) => path.endsWith(`/page/${id}`))) return NO;
    if (!isHidden || !path.endsWith('/content') || !isRecord(body) || !Array.isArray(body['pages'])) return undefined;
    const shown = body['pages'].filter((one: { id: string }) => !ids.includes(one.id));
    return { status, body: { ...body, pages: shown } };
  };
}

/** An answer in which the token may not administer the space. */
function withoutAdmin(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutAdmin);
  if (!isRecord(body)) return body;
  const inside = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withoutAdmin(value)]));
  if (body['object'] !== 'space' || !isRecord(body['permissions'])) return inside;
  return { ...inside, permissions: { ...body['permissions'], admin: false } };
}

describe('a page that is refused to the token by its own id', () => {
  it('is accepted by its name, keeps its older text, and comes back by itself: each night was partial, for ever, and nothing accepted it', async () => {
    await night();
    await rewrite('Hidden');
    refuse(['Hidden']);
    const first = await night();
    expect([first.snapshot.reason, accept(first)]).toEqual(['1 change-request-page not read; 1 page not read', null]);
    expect([isSound(await night()), textOf('Hidden')]).toEqual([true, '# Hidden\n\ntwo']);
    proxy.rewrite = () => undefined;
    expect([isSound(await night()), textOf('Hidden')]).toEqual([true, '# Hidden\n\nRewritten.']);
    expect((await night()).snapshot.state).toBe('complete');
    await rewrite('Hidden', 'Once more.');
    refuse(['Hidden']);
    expect(isSound(await night())).toBe(false);
  });

  it('takes no other page with it that is refused on a later night', async () => {
    await night();
    await rewrite('Hidden');
    refuse(['Hidden']);
    accept(await night());
    await rewrite('Last');
    refuse(['Hidden', 'Last']);
    expect(isSound(await night())).toBe(false);
    refuse(['Hidden']);
    expect(isSound(await night())).toBe(true);
  });

  it('is out of reach where its tree hides it too, is named, and is accepted as well: it was called a right that --accept-rights gives up', async () => {
    await night();
    await rewrite('First');
    refuse(['Hidden'], true);
    const first = await night();
    const resource = `${space}/${pages['Hidden']}`;
    const hidden = { kind: 'page', resource, status: 403 };
    expect(first.unreachable).toEqual([hidden]);
    expect([first.snapshot.reason, accept(first)]).toEqual(['1 page out of reach', null]);
    for (const mode of ['incremental', 'full'] as const) {
      const next = await night(mode);
      expect([isSound(next), textOf('Hidden')]).toEqual([true, '# Hidden\n\ntwo']);
      expect(next.unreachable).toContainEqual(hidden);
    }
    refuse(['Hidden', 'Last'], true);
    expect(isSound(await night('full'))).toBe(false);
    proxy.rewrite = () => undefined;
    const read = await night();
    expect([read.snapshot.state, read.unreachable]).toEqual(['complete', []]);
    refuse(['Hidden'], true);
    await rewrite('First', 'Once more.');
    expect(isSound(await night())).toBe(false);
  });

  it('is lacking from each change request that is merged from then on: every merge was an alarm', async () => {
    await night();
    await rewrite('Hidden');
    refuse(['Hidden']);
    accept(await night());
    await rewrite('Last');
    const next = await night();
    const { length } = next.failures.filter(({ kind }) => kind === 'change-request-page');
    expect([isSound(next), length]).toEqual([true, 2]);
    refuse([]);
    await night();
    expect((await night()).snapshot.state).toBe('complete');
  });

  it('is asked for in a merged change request on the night after one in which it failed for another reason: none was sound until its turn', async () => {
    await night();
    await rewrite('Hidden');
    refuse(['Hidden']);
    accept(await night());
    await night();
    proxy.rewrite = ({ path }) =>
      path.endsWith(`/page/${pages['Hidden'] ?? ''}`) ? { status: 200, body: { object: 'page' } } : undefined;
    const other = await world.sync({ client: proxy.client, settings: { rereadNights: 1 } });
    const failed = other.failures.filter(({ code }) => code === 'DM_BAD_RESPONSE').map(({ kind }) => kind);
    expect([isSound(other), failed]).toEqual([false, expect.arrayContaining(['change-request-page', 'page'])]);
    refuse(['Hidden']);
    expect(isSound(await night())).toBe(true);
  });

  it('is accepted where it was first lacking since the token had lost a right on its space: it was called lost for good', async () => {
    await night();
    const key = `${space}/${pages['Hidden'] ?? ''}`;
    refuse(['Hidden'], true);
    const hide = proxy.rewrite;
    proxy.rewrite = async (request, answer) => {
      const { status, body } = (await hide(request, answer)) ?? answer;
      const isDirect = request.path.endsWith(`/page/${pages['Hidden'] ?? ''}`);
      if (isDirect) return { status: 404, body: { error: { code: 404, message: 'Not found' } } };
      return { status, body: withoutAdmin(body) };
    };
    await rewrite('First');
    expect((await night()).unreachable).toContainEqual({ kind: 'page', resource: key, status: 404 });
    refuse(['Hidden'], true);
    const next = await night();
    expect([next.unreachable, accept(next)]).toEqual([[{ kind: 'page', resource: key, status: 403 }], null]);
  });

  it('stays accepted where the tree that shows it hides it later', async () => {
    await night();
    await rewrite('Hidden');
    refuse(['Hidden']);
    accept(await night());
    refuse(['Hidden'], true);
    const next = await night();
    expect([next.snapshot.reason, isSound(next)]).toEqual(['1 page out of reach', true]);
  });
});

describe('what is refused and more than one thing by itself', () => {
  it.each([false, true])(
    'is not accepted as all pages of a space, hidden from the tree or not (%j)',
    async (isHidden) => {
      await night();
      refuse(['First', 'Hidden', 'Last'], isHidden);
      expect([accept(await night('full')), textOf('First')]).toEqual(['all refused', '# First\n\none']);
    },
  );

  it('is not accepted as all pages of a space that have a text: the groups among them were taken for pages that the token may read', async () => {
    refuse(['First', 'Hidden', 'Last']);
    const hide = proxy.rewrite;
    proxy.rewrite = async (request, answer) => {
      const refused = await hide(request, answer);
      if (refused !== undefined || !request.path.endsWith('/content')) return refused;
      const { pages: shown, ...body } = answer.body as { readonly pages: Record<string, unknown>[] };
      const { documentId: _, ...page } = shown[0] ?? {};
      const group = { ...page, id: 'group', type: 'group', title: 'Part', slug: 'part', path: 'part', pages: [] };
      return { status: answer.status, body: { ...body, pages: [...shown, group] } };
    };
    expect(accept(await night())).toBe('all refused');
  });

  it('is not accepted as the tree of a space that was read before, and is by --accept-rights where it never was', async () => {
    proxy.rewrite = ({ path }) => (path === `/v1/spaces/${space}/content` ? NO : undefined);
    const first = await night();
    expect([first.snapshot.reason, accept(first)]).toEqual(['not all revisions read', 'refused']);
    expect((await world.sync({ client: proxy.client, acceptRights: true })).snapshot.state).toBe('complete');
    const refused = proxy.rewrite;
    proxy.rewrite = () => undefined;
    await night('full');
    proxy.rewrite = refused;
    await rewrite('First');
    expect(accept(await night())).toBe('content refused');
  });
});

it('a single change request whose content is refused is accepted by name, and no other with it', async () => {
  const [one, other] = [
    await addRequest(world, space, { subject: 'One', changes: [insert('New', 'new')] }),
    await addRequest(world, space, { subject: 'Other' }),
  ];
  const refuseContent = (...ids: string[]): void => {
    proxy.rewrite = ({ path }) => (ids.some((id) => path.endsWith(`/change-requests/${id}/content`)) ? NO : undefined);
  };
  await night();
  await addRequest(world, space, { subject: 'Third' });
  refuseContent(one.id);
  const first = await night('full');
  expect([first.snapshot.reason, accept(first)]).toEqual(['1 change-request-revision not read', null]);
  expect(isSound(await night())).toBe(true);
  refuseContent(one.id, other.id);
  expect(isSound(await night('full'))).toBe(false);
});
