// In a space that stands, the platform refuses one of several edits of pages: each call takes all of its edits or none.
import { describe, expect, it } from 'vitest';
import { edit } from '../support/content.ts';
import { mirroredAnew, type Mirrored } from '../support/in-place.ts';
import { rewriting, type Rewriting } from '../support/rewriting.ts';
import { wordsOf } from '../support/standing.ts';

const anew = mirroredAnew();

/** The platform takes no edit whose text has the mark. */
function refusing(proxy: Rewriting, mark: string): void {
  proxy.send = ({ path }, text) =>
    /\/change-requests\/[^/]+\/content$/.test(path) && text.includes(mark)
      ? '{"changes":[{"type":"none"}]}'
      : undefined;
}

interface Edited extends Mirrored, AsyncDisposable {
  readonly proxy: Rewriting;
}

/** Four pages were edited, of which the platform takes one back no more. */
async function edited(): Promise<Edited> {
  const there = await anew();
  const { world, made } = there;
  const update = (title: string) =>
    ({ type: 'update_page', page: made.pages[title] ?? '', document: { markdown: `# ${title}\n\nOther.` } }) as const;
  await edit(world, made.guide, ...['Home', 'Install', 'Use', 'Linux'].map(update));
  const proxy = await rewriting(world);
  refusing(proxy, 'see the [notes]');
  const dispose = async (): Promise<void> => {
    await proxy[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  return { ...there, proxy, [Symbol.asyncDispose]: dispose };
}

describe('restore/in-place, an edit that the platform refuses', () => {
  it('is named, and all others are made and merged: the whole space was left as it was found, with its change request open', async () => {
    await using there = await edited();
    const { world, place, proxy } = there;
    const { failures, lacking, failed } = await place.apply(await place.plan(), { client: proxy.client });
    expect([failed, lacking]).toEqual([0, 1]);
    expect(failures).toMatchObject([
      { error: expect.stringMatching(/^page Install is not in everything as it was to be: .* 400/) as unknown },
    ]);
    const now = wordsOf(world.mirror, (await world.sync()).snapshot.id);
    const changed = now.filter((line) => !wordsOf(world.mirror, 1).includes(line));
    expect(changed).toEqual([expect.stringMatching(/document "Install": .*Other\./)]);
  });

  it('is named by a run that goes on after a kill, too', async () => {
    await using there = await edited();
    const { place, proxy } = there;
    const { result } = await place.endure(await place.plan(), 'killed', { client: proxy.client });
    expect(result.failures).toMatchObject([
      { error: expect.stringMatching(/page Install is not in everything as it was to be: .* 400/) as unknown },
    ]);
  });
});
