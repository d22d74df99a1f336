import { describe, expect, it } from 'vitest';
import { furnish } from '../support/content.ts';
import { rowsOf } from '../support/state.ts';
import { TestWorld } from '../support/world.ts';

describe('walker/pdfs', () => {
  it('draws the PDF of a change request on request, again only when its revision has moved', async () => {
    await using world = await TestWorld.create();
    const { guide, requests } = await furnish(world);
    await world.sync();
    const { snapshot } = await world.sync({ settings: { pdfs: true } });
    expect(snapshot.state).toBe('complete');
    const rows = rowsOf(
      world.mirror,
      `select revision, sha256, url from change_request_files where content_type = 'application/pdf'`,
    );
    expect(rows).toHaveLength(5);
    for (const { sha256, url } of rows) {
      expect(await world.mirror.objects.verify(String(sha256))).toBe(true);
      expect(String(url)).not.toContain('?');
    }
    const path = { spaceId: guide, changeRequestId: requests.draft };
    await world.api.changeContent({
      path,
      body: { changes: [{ type: 'insert_page', title: 'More', document: { markdown: 'm' } }] },
    });
    world.platform.clearRequestLog();
    await world.sync({ settings: { pdfs: true } });
    expect(world.asked('getChangeRequestPdf')).toBe(1);
  });
});

describe('walker/pdfs, limited', () => {
  it('draws no PDF outside of the spaces and kinds that a walk is limited to', async () => {
    await using world = await TestWorld.create();
    const { guide, news } = await furnish(world);
    await world.sync();
    const scope = { organizations: null, onlySpaces: null, extraSpaces: [] };
    const settings = { pdfs: true };
    const drawn = async (limits: object): Promise<number> => {
      world.platform.clearRequestLog();
      await world.sync({ mode: 'full', scope: { ...scope, ...limits }, settings });
      return world.asked('getChangeRequestPdf');
    };
    expect(await drawn({ kinds: ['comment'] })).toBe(0);
    expect(await drawn({ onlySpaces: [news] })).toBe(1);
    expect(await drawn({ onlySpaces: [guide] })).toBe(4);
  });
});
