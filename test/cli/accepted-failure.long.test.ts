// What the platform can never give, such as a page that it answers with 500 for ever: a person says that this is known.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentOf, environmentOf, runCli, testFolder, type Ended } from '../support/cli.ts';
import { edit, pagesOf } from '../support/content.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

type Platform = Awaited<ReturnType<typeof startSeeded>>;

const BROKEN = { status: 500, body: { error: { code: 500, message: 'Internal' } } };
const REFUSED = { status: 403, body: { error: { code: 403, message: 'No' } } };

interface Broken extends AsyncDisposable {
  readonly platform: Platform;
  readonly cli: (...args: string[]) => Promise<Ended>;
  /** Its pages, in their order. */
  readonly pages: readonly string[];
  breakPages(...ids: string[]): void;
  remove(page: string): Promise<void>;
  /** Says something of the space. */
  comment(): Promise<void>;
  rewrite(page: string, markdown?: string): Promise<void>;
  /** Where a plan may be written. */
  readonly planFile: string;
}

/** A mirror of a platform on which each page of some can be broken. */
async function brokenWorld({ isNew = false } = {}): Promise<Broken> {
  const platform = await startSeeded({ spaces: 1, pages: 4 });
  const folder = testFolder();
  writeFileSync(folder.at('docmirror.yaml'), 'limits: {retries: 0}\n');
  const env = environmentOf(platform, folder.at('data'));
  const cli = (...args: string[]): Promise<Ended> =>
    runCli([...args, '--config', folder.at('docmirror.yaml')], { env });
  if (!isNew) await cli('sync');
  await using reader = editorOf(platform);
  const organization = { organizationId: platform.organizations()[0] ?? '' };
  const [collection] = (await reader.api.listCollections({ path: organization })).items;
  const path = { collectionId: collection?.id ?? '' };
  const space = (await reader.api.listCollectionSpaces({ path })).items[0]?.id ?? '';
  const pages = Object.values(await pagesOf(reader, space));
  return {
    platform,
    cli,
    pages,
    planFile: folder.at('plan.json'),
    rewrite: async (page, markdown = 'Rewritten.') => {
      await using editor = editorOf(platform);
      await edit(editor, space, { type: 'update_page', page, document: { markdown } });
    },
    remove: async (page) => {
      await using editor = editorOf(platform);
      await edit(editor, space, { type: 'delete_page', page });
    },
    comment: async () => {
      await using editor = editorOf(platform);
      await editor.api.createComment({ path: { spaceId: space }, body: { body: { markdown: 'Decided' } } });
    },
    breakPages: (...ids) => {
      platform.faults = ids.map((id) => ({ operation: 'getPage', pathPattern: `/page/${id}`, effect: BROKEN }));
    },
    [Symbol.asyncDispose]: async () => {
      folder[Symbol.dispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

/** With a second snapshot, which lacks what somebody wrote into a page. */
async function partialWorld(): Promise<Broken> {
  const world = await brokenWorld();
  const [page = ''] = world.pages;
  await world.rewrite(page);
  world.breakPages(page);
  await world.cli('sync');
  return world;
}

describe('a page that can never be read', () => {
  it('fails no night once somebody said that it is known, and is named in each: every snapshot was partial, and nothing was exported, for ever', async () => {
    await using world = await brokenWorld();
    const [page = '', other = ''] = world.pages;
    await world.rewrite(page);
    await world.rewrite(other);
    world.breakPages(page);
    const second = await world.cli('sync');
    expect([second.code, second.stdout]).toEqual([3, expect.stringContaining('docmirror snapshots accept 2 --reason')]);
    const accepted = documentOf(await world.cli('snapshots', 'accept', '2', '--reason', 'ticket 7', '--json'));
    const lacking = [{ kind: 'page', resource: expect.stringContaining(`/${page}`), isListing: false }];
    expect(accepted).toEqual({ snapshot: 2, accepted: true, reason: 'ticket 7', lacking });

    const third = await world.cli('sync');
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining('Snapshot 3 is partial')]);
    expect(third.stdout).toContain('ticket 7; nothing else lacks, so it counts as complete');
    expect(third.stdout).toMatch(new RegExp(`page \\S+/${page} +500`));
    expect(third.stdout).toMatch(/Export: 4 pages .* [1-9]\d* written/);
    expect((await world.cli('query', 'select 1')).stderr).toBe('');
    expect((await world.cli('drill')).stdout).toContain('Drill of snapshot 3 passed');
    const status = await world.cli('status');
    expect([status.code, status.stderr]).toEqual([0, '']);
    expect(status.stdout).toMatch(/last complete snapshot +3, .* ago, but for what was accepted/);
    expect(status.stdout).toMatch(/not read +1 request, accepted: ticket 7/);
    const kept = documentOf(await world.cli('forget', '--keep-last', '1', '--keep-daily', '0', '--dry-run', '--json'));
    expect(kept).toMatchObject({ snapshots: [{ keep: false }, { keep: false }, { keep: true }] });
  });

  it('makes a night partial again in which something else could not be read, and in which it fails after it was read', async () => {
    await using world = await brokenWorld();
    const [page = '', other = ''] = world.pages;
    await world.rewrite(page);
    world.breakPages(page);
    await world.cli('sync');
    await world.cli('snapshots', 'accept', '2', '--reason', 'ticket 7');
    await world.rewrite(other);
    world.breakPages(page, other);
    expect((await world.cli('sync')).code).toBe(3);
    world.breakPages(page);
    expect((await world.cli('sync')).code).toBe(0);
    world.breakPages();
    expect((await world.cli('sync')).stdout).toContain('Snapshot 5 is complete');
    await world.rewrite(page, 'Once more.');
    world.breakPages(page);
    const sixth = await world.cli('sync');
    expect([sixth.code, sixth.stdout]).toEqual([3, expect.not.stringContaining('accepted')]);
  });

  it('is told by a restore of the snapshot that lacks it, also where it never was read', async () => {
    await using world = await brokenWorld({ isNew: true });
    const [page = ''] = world.pages;
    world.breakPages(page);
    expect((await world.cli('sync')).code).toBe(3);
    await world.cli('snapshots', 'accept', '1', '--reason', 'ticket 7');
    expect((await world.cli('sync')).code).toBe(0);
    expect((await world.cli('drill')).code).toBe(0);
    const plan = ['restore', 'plan', '--snapshot', '2', '--in-place', 'changed', '--out', world.planFile];
    const { stdout, stderr } = await world.cli(...plan);
    expect(stdout + stderr).toContain('snapshot 2 lacks what could not be read, as was accepted: 1 page not read');
  });
});

describe('what a partial snapshot lacks is accepted', () => {
  it('by the name of what is out of reach, which the walk and its snapshot tell: they said how many, and not which', async () => {
    await using world = await brokenWorld();
    const page = world.pages.at(-1) ?? '';
    await world.remove(page);
    world.platform.faults = [{ operation: 'getPage', pathPattern: `/page/${page}`, effect: REFUSED }];
    const named = new RegExp(`out of reach, kept as it was +status\\npage \\S+/${page} +403`);
    const second = await world.cli('sync');
    expect([second.code, second.stdout]).toEqual([3, expect.stringMatching(named)]);
    expect((await world.cli('snapshots', 'show', '2')).stdout).toMatch(named);
    const accepted = await world.cli('snapshots', 'accept', '2', '--reason', 'ticket 7');
    expect(accepted.stdout).toMatch(new RegExp(`page \\S+/${page}\\n`));
    expect((await world.cli('sync')).code).toBe(0);
    expect((await world.cli('status')).stdout).toMatch(/not read +1 page out of reach, accepted: ticket 7/);
    const plan = ['restore', 'plan', '--snapshot', '3', '--in-place', 'missing', '--out', world.planFile];
    expect((await world.cli(...plan)).stdout).toContain('as was accepted: 1 page out of reach');
  });

  it('with a listing for all that is below it: the id of what lists it was called one thing of that kind', async () => {
    await using world = await brokenWorld();
    const [organization = ''] = world.platform.organizations();
    world.platform.faults = [{ operation: 'listCollections', effect: BROKEN }];
    await world.cli('sync');
    const { code, stdout } = await world.cli('snapshots', 'accept', '2', '--reason', 'ticket 7');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`all collections below ${organization}`)]);
  });

  it('until that is taken back: whoever had accepted a listing by mistake never heard of what was below it again', async () => {
    await using world = await partialWorld();
    await world.cli('snapshots', 'accept', '2', '--reason', 'ticket 7');
    expect((await world.cli('sync')).code).toBe(0);
    const taken = await world.cli('snapshots', 'unaccept', '3');
    expect([taken.code, taken.stdout]).toEqual([0, 'Snapshot 3 is no longer accepted\n']);
    expect((await world.cli('snapshots', 'unaccept', '2')).stdout).toBe('Snapshot 2 was not accepted\n');
    expect((await world.cli('sync')).code).toBe(3);
  });

  it('only of the newest one', async () => {
    await using world = await partialWorld();
    await world.cli('sync');
    const { code, stderr } = await world.cli('snapshots', 'accept', '2', '--reason', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining('snapshot 3 has followed it; expected that one')]);
  });

  it.each([
    ['getRevision', REFUSED, 'neither this command nor docmirror sync'],
    ['listComments', REFUSED, 'some of it is refused to the token'],
    ['getPage', 'cut-before', 'not all of it was asked for, or the platform did not answer'],
  ] as const)('not where %s is answered with %j', async (operation, effect, why) => {
    await using world = await brokenWorld();
    const [page = ''] = world.pages;
    await world.rewrite(page);
    await world.comment();
    world.platform.faults = [{ operation, effect }];
    const second = await world.cli('sync');
    expect([second.code, second.stdout]).toEqual([3, expect.not.stringContaining('snapshots accept')]);
    const { code, stderr } = await world.cli('snapshots', 'accept', '2', '--reason', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('not of a walk that was told to end early', async () => {
    await using world = await brokenWorld({ isNew: true });
    expect((await world.cli('sync', '--max-requests', '6')).code).toBe(3);
    const { code, stderr } = await world.cli('snapshots', 'accept', '1', '--reason', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not all of it was asked for')]);
  });
});
