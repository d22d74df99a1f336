// One space of many is mended: nobody waits until all others are read again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/index.ts';
import { readPlan } from '../../src/restore/index.ts';
import type { EmbeddedPlatform } from '../../src/platform/index.ts';
import { edit, pagesOf } from '../support/content.ts';
import { documentOf, environmentOf, runCli, testFolder, type Ended, type TestFolder } from '../support/cli.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';
import { tokenWithdrawnAt } from '../support/token-withdrawn.ts';

interface Planned {
  readonly steps: number;
  readonly preflight: readonly { readonly check: string; readonly state: string; readonly detail: string }[];
}

let platform: EmbeddedPlatform;
let editor: ApiClient;
let folder: TestFolder;
let spaces: string[];

beforeEach(async () => {
  platform = await startSeeded({ spaces: 6 });
  editor = editorOf(platform);
  folder = testFolder();
  const path = { organizationId: platform.organizations()[0] ?? '', userId: platform.owner };
  const { items } = await editor.api.listMemberSpaces({ path });
  spaces = items.map(({ space }) => space.id);
  expect((await run('sync')).code).toBe(0);
});

afterEach(async () => {
  await editor[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function run(...args: string[]): Promise<Ended> {
  return runCli(args, { env: environmentOf(platform, folder.at('data')), cwd: folder.path });
}

/** Which spaces a command has asked about, and what it has said. */
async function asked(...args: string[]): Promise<{ about: Set<string>; said: Ended }> {
  platform.clearRequestLog();
  const said = await run(...args);
  const paths = platform.requestLog.recent().map(({ target }) => target);
  return { said, about: new Set(spaces.filter((id) => paths.some((target) => target.includes(id)))) };
}

async function spoil(space: string): Promise<void> {
  const [page = ''] = Object.values(await pagesOf(editor, space));
  await edit(editor, space, { type: 'update_page', page, title: 'Spoiled' });
}

/** What a plan of one space has asked about, and what it would write. */
async function planned(space: string, snapshot: number): Promise<{ about: Set<string>; kinds: string[] }> {
  const scope = ['--in-place', '--scope', `space:${space}`, '--snapshot', String(snapshot)];
  const { about, said } = await asked('restore', 'plan', ...scope, '--out', 'plan.json', '--json');
  expect(said.code, said.stderr).toBe(0);
  const { steps } = await readPlan(folder.at('plan.json'));
  return { about, kinds: [...new Set(steps.filter(({ part }) => part !== 'none').map(({ kind }) => kind))] };
}

const liveState = ({ preflight }: Planned): string =>
  preflight.find(({ check }) => check === 'live state')?.detail ?? '';

describe('app/restore of one space in place', () => {
  it('reads that space alone to plan, to write the way back and to verify: each of them walked everything', async () => {
    const [spaceId = ''] = spaces;
    await spoil(spaceId);
    const scope = ['--in-place', '--scope', `space:${spaceId}`, '--snapshot', '1'];
    const plan = await asked('restore', 'plan', ...scope, '--out', 'mend.json', '--json');
    expect([plan.said.code, plan.about], plan.said.stderr).toEqual([0, new Set([spaceId])]);
    expect(liveState(documentOf<Planned>(plan.said))).toMatch(
      /^read just now, as snapshot 2\. Only .* in snapshot 1 of .*--full/,
    );
    const apply = await asked('restore', 'apply', 'mend.json', '--json');
    expect([apply.said.code, apply.about], apply.said.stderr).toEqual([0, new Set([spaceId])]);
    const { restore } = documentOf<{ restore: string }>(apply.said);
    const verify = await asked('restore', 'verify', restore, '--json');
    expect([verify.said.code, verify.about]).toEqual([0, new Set([spaceId])]);
    expect(documentOf(verify.said)).toMatchObject({ passed: true });
    const undo = await asked('restore', 'undo', restore, '--json');
    expect([undo.said.code, undo.about], undo.said.stderr).toEqual([0, new Set([spaceId])]);
    expect(Object.keys(await pagesOf(editor, spaceId))).toContain('Spoiled');
    expect((await run('sync')).code).toBe(0);
  });

  it('reads everything where the space was deleted, and with --full', async () => {
    const [spaceId = '', other = ''] = spaces;
    await editor.api.deleteSpace({ path: { spaceId } });
    await spoil(other);
    const plan = async (id: string, ...more: string[]): Promise<number> =>
      (
        await asked(
          'restore',
          'plan',
          '--in-place',
          '--scope',
          `space:${id}`,
          '--snapshot',
          '1',
          '--out',
          `${id}.json`,
          ...more,
        )
      ).about.size;
    expect(await plan(spaceId)).toBeGreaterThan(1);
    expect(await plan(other)).toBe(1);
    expect(await plan(other, '--full')).toBeGreaterThan(1);
  });

  it('goes on with a walk of everything that was cut off: it would have been given up', async () => {
    const [spaceId = ''] = spaces;
    await spoil(spaceId);
    platform.faults = tokenWithdrawnAt('getRevision', 3);
    expect((await run('sync', '--full')).code).not.toBe(0);
    platform.faults = [];
    const plan = ['restore', 'plan', '--in-place', '--scope', `space:${spaceId}`, '--snapshot', '1', '--out', 'm.json'];
    expect((await run('status')).stdout).toContain('cut off');
    expect((await asked(...plan)).about.size).toBeGreaterThan(1);
  });

  it('reads everything where a custom field was deleted: the plan named nothing, or values alone that no field takes', async () => {
    const [spaceId = ''] = spaces;
    const path = { organizationId: platform.organizations()[0] ?? '' };
    await editor.api.createCustomField({ path, body: { name: 'stage', type: 'text' } });
    await editor.api.updateCustomFieldValues({ path: { spaceId }, body: { values: { stage: { value: 'done' } } } });
    expect((await run('sync', '--full')).code).toBe(0);
    expect((await planned(spaceId, 2)).about.size).toBe(1);
    await editor.api.deleteCustomField({ path: { ...path, fieldName: 'stage' } });
    expect((await planned(spaceId, 2)).kinds).toEqual(expect.arrayContaining(['custom-field', 'custom-field-value']));
  });

  it('reads everything where the plan writes outside of the space: it failed on a collection that is gone, and so did the next plan', async () => {
    const [spaceId = ''] = spaces;
    const path = { organizationId: platform.organizations()[0] ?? '' };
    const { id: collectionId } = await editor.api.createCollection({ path, body: { title: 'Z' } });
    await editor.api.moveSpace({ path: { spaceId }, body: { parent: collectionId } });
    expect((await run('sync', '--full')).code).toBe(0);
    await editor.api.moveSpace({ path: { spaceId }, body: { parent: null } });
    expect((await run('sync')).code).toBe(0);
    await editor.api.deleteCollection({ path: { collectionId } });
    expect((await planned(spaceId, 2)).kinds).toEqual(['collection', 'space']);
    expect((await run('restore', 'apply', 'plan.json')).code).toBe(0);
    expect((await editor.api.getSpace({ path: { spaceId } })).parent).not.toBe(null);
  });
});
