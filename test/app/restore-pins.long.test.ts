// What a restore still needs of the mirror is kept for as long as it needs it, and no longer.
import { copyFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import type { ApiClient } from '../../src/client/index.ts';
import { readMirror } from '../../src/mirror/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { rowsOf } from '../support/state.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

interface Applied {
  restore: string;
  undoPlan: string;
  left: number;
  pins: { snapshot: number; reason: string }[];
}

let platform: EmbeddedPlatform;
let editor: ApiClient;
let folder: TestFolder;

beforeEach(async () => {
  platform = await startSeeded();
  editor = editorOf(platform);
  folder = testFolder();
});

afterEach(async () => {
  await editor[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const own = environmentOf(platform, folder.at('data'));
  return runCli(args, { env: { ...own, ...env }, cwd: folder.path });
}

async function applied(...args: string[]): Promise<Applied> {
  const ended = await run(['restore', ...args, '--json']);
  expect(ended.code, ended.stderr).toBe(0);
  return documentOf<Applied>(ended);
}

function pins(): unknown[] {
  using mirror = readMirror({ dataDir: folder.at('data'), clock: systemClock() });
  return rowsOf(mirror, 'select snapshot, reason from pins order by snapshot');
}

async function rename(title: string): Promise<void> {
  const { items } = await editor.api.listCollections({ path: { organizationId: platform.organizations()[0] ?? '' } });
  await editor.api.updateCollection({ path: { collectionId: items[0]?.id ?? '' }, body: { title } });
}

describe('app/restore, what it pins', () => {
  it('resumes a restore whose snapshot a policy would have dropped meanwhile', async () => {
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    const elsewhere = { DOCMIRROR_TARGET_TOKEN: target.token };
    const flag = ['--target-url', target.url, '--json'];
    const path = { organizationId: platform.organizations()[0] ?? '', userId: platform.owner };
    const { items } = await editor.api.listMemberSpaces({ path });
    await run(['sync']);
    const body = { body: { markdown: 'How often?' } };
    await editor.api.createComment({ path: { spaceId: items[0]?.space.id ?? '' }, body });
    await run(['sync']);
    await run(['restore', 'plan', '--snapshot', '2', '--out', 'plan.json', ...flag], elsewhere);
    const first = await run(['restore', 'apply', 'plan.json', '--without-comments', ...flag], elsewhere);
    const { restore, left, pins: kept } = documentOf<Applied>(first);
    const reason = `source of restore ${restore}, which is not at its end`;
    expect([first.code, left, kept]).toMatchObject([0, 1, [{ snapshot: 2, reason }]]);
    const [listed] = documentOf<Record<string, unknown>[]>(await run(['restore', 'list', '--json']));
    expect(listed).toMatchObject({ state: 'unfinished', failed: 0 });

    await rename('Later');
    await run(['sync']);
    expect((await run(['forget', '--keep-last', '1'])).code).toBe(0);
    expect(pins()).toEqual([{ snapshot: 2, reason }]);
    const resumed = await run(['restore', 'resume', restore, ...flag], elsewhere);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(documentOf(resumed)).toMatchObject({ failed: 0, left: 0, pins: [] });
    expect(pins()).toEqual([]);
  });

  it('leaves no pin behind when restores are taken back, and keeps what somebody pinned', async () => {
    await run(['sync']);
    await run(['snapshots', 'pin', '1', '--reason', 'before the move; ours']);
    for (const title of ['Bad', 'Worse']) {
      await rename(title);
      await run(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json']);
      const { restore, pins: kept } = await applied('apply', 'mend.json');
      expect(kept).toMatchObject([{ reason: `before restore ${restore}, for its undo` }]);
      expect(pins()).toHaveLength(2);
      await applied('undo', restore);
      expect(pins()).toEqual([{ snapshot: 1, reason: 'before the move; ours' }]);
    }
    await run(['sync']);
    await run(['restore', 'plan', '--snapshot', 'latest', '--in-place', '--out', 'mend.json']);
    expect(await applied('apply', 'mend.json'), 'a restore that wrote nothing').toMatchObject({ done: 0, pins: [] });
    expect(pins()).toEqual([{ snapshot: 1, reason: 'before the move; ours' }]);
  });

  it('says what it pins, and how it is let go; an undo by a copy of its plan lets go too', async () => {
    await run(['sync']);
    await rename('Bad');
    await run(['restore', 'plan', '--snapshot', '1', '--in-place', '--out', 'mend.json']);
    const { stdout } = await run(['restore', 'apply', 'mend.json']);
    expect(stdout).toMatch(/Pinned: snapshot 2, before restore \S+, for its undo; .* docmirror snapshots unpin 2/);
    const undo = /its plan as of the last write: (.*)\)/.exec(stdout)?.[1] ?? '';
    copyFileSync(undo, folder.at('copy.json'));
    await applied('apply', 'copy.json');
    expect(pins()).toEqual([]);
  });
});
