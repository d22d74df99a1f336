import { describe, expect, it } from 'vitest';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serveBytes } from '../platform/world.ts';
import { addRequest, furnish } from '../support/content.ts';
import { walkedWorlds } from '../support/copied-world.ts';
import { walkedWorld } from '../support/furnished.ts';
import { rewriting } from '../support/rewriting.ts';
import { rowsOf } from '../support/state.ts';
import { twoOrganizations } from '../support/two-organizations.ts';
import { forecastWalk } from '../../src/walker/index.ts';
import { SETTINGS } from '../support/world.ts';

/** A furnished world after a first walk that drew all PDFs. */
const drawnWorld = walkedWorlds(async (world) => {
  const made = await furnish(world);
  await world.sync({ settings: { pdfs: true } });
  return made;
});

describe('walker/visits/pdfs', () => {
  it('draws the PDF of a change request on request, again only when its revision has moved', async () => {
    await using world = await walkedWorld();
    const { guide, requests } = world.made;
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
  it('draws no more of them than the requests of the budget allow, and says which it left', async () => {
    await using world = await walkedWorld();
    const maxRequests = (await world.sync()).snapshot.requests + 2;
    const { snapshot, failures } = await world.sync({ settings: { pdfs: true, maxRequests, lanes: 1 } });
    expect(snapshot.state).toBe('partial');
    expect(snapshot.requests).toBeLessThanOrEqual(maxRequests + 2);
    expect(new Set(failures.map(({ kind, code }) => `${kind} ${code}`))).toEqual(
      new Set(['change-request-pdf DM_INCOMPLETE']),
    );
    expect((await world.sync({ settings: { pdfs: true } })).snapshot.state).toBe('complete');
  });

  it('draws no more of them once its time is over, and says which it left', async () => {
    await using world = await walkedWorld();
    let drawn = 0;
    const client = world.hooked((operation) => {
      if (operation === 'getChangeRequestPdf' && ++drawn === 2) world.clock.advance(60_000);
    });
    const { snapshot, failures } = await world.sync({
      client,
      settings: { pdfs: true, maxDurationMs: 60_000, lanes: 1 },
    });
    expect([snapshot.state, drawn]).toEqual(['partial', 2]);
    expect(new Set(failures.map(({ kind, error }) => `${kind} ${error}`))).toEqual(
      new Set([expect.stringMatching(/^change-request-pdf .*walk\.maxDuration \(1m\)/)]),
    );
  });

  it('draws no PDF outside of the spaces and kinds that a walk is limited to', async () => {
    await using world = await walkedWorld();
    const { guide, news } = world.made;
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

  it('draws no PDF of an organization that is not walked: it drew those of all that are mirrored, and the plan counted them', async () => {
    const { world, first, second } = await twoOrganizations();
    await using _ = world;
    for (const { space } of [first, second]) await addRequest(world, space, { subject: 'Proposal' });
    await world.sync();
    const scope = { organizations: [first.organization], onlySpaces: null, extraSpaces: [] };
    const options = { ...SETTINGS, pdfs: true };
    const { origin } = new URL(world.platform.url);
    const planned = {
      mirror: world.mirror,
      clock: world.clock,
      origin,
      mode: 'incremental',
      mostPerSecond: null,
    } as const;
    const { ifNothingChanged } = forecastWalk({ ...planned, scope, settings: options });
    world.platform.clearRequestLog();
    const { snapshot } = await world.sync({ scope, settings: { pdfs: true } });
    const drawn = world.asked('getChangeRequestPdf');
    expect(drawn).toBe(
      rowsOf(
        world.mirror,
        'select id from change_requests where space in (select id from spaces where organization = ?)',
        first.organization,
      ).length,
    );
    expect(snapshot.requests).toBe(ifNothingChanged);
  });
});

describe('walker/pdfs, what comes from the address', () => {
  const WHOLE = '%PDF-1.7\n1 0 obj\nendobj\n';
  const NO_PDFS = {
    'a web page': '<html>Please sign in</html>\n%%EOF',
    'the first half': WHOLE,
    'an end far from the end': `${WHOLE}%%EOF${' '.repeat(2000)}`,
  };
  it(`takes ${Object.keys(NO_PDFS).join(', ')} for no PDF, and reads it again the next night`, async () => {
    await using world = await walkedWorld();
    await using proxy = await rewriting(world);
    const night = { client: proxy.client, settings: { pdfs: true } };
    const held = `select count(*) as n from change_request_files where content_type = 'application/pdf'`;
    for (const [what, bytes] of Object.entries(NO_PDFS)) {
      await using served = await serveBytes(Buffer.from(bytes));
      proxy.rewrite = ({ path }) => (path.endsWith('/pdf') ? { status: 200, body: { url: served.url } } : undefined);
      const { snapshot, failures } = await world.sync(night);
      expect(
        [snapshot.state, failures.length, new Set(failures.map(({ kind, code }) => `${kind} ${code}`))],
        what,
      ).toEqual(['partial', 5, new Set(['change-request-pdf DM_BAD_RESPONSE'])]);
      expect(rowsOf(world.mirror, held), what).toEqual([{ n: 0 }]);
      expect(readdirSync(join(world.dataDir, 'objects', 'incoming')), what).toEqual([]);
    }
    proxy.rewrite = () => undefined;
    expect((await world.sync(night)).snapshot.state).toBe('complete');
    expect(rowsOf(world.mirror, held)).toEqual([{ n: 5 }]);
  });

  it('draws the PDF of a change request that its listing shows only when it is asked again', async () => {
    await using world = await drawnWorld();
    await using proxy = await rewriting(world);
    const { guide } = world.made;
    const night = { client: proxy.client, settings: { pdfs: true } };
    const { id } = await addRequest(world, guide, { subject: 'Found late' });
    let times = 0;
    proxy.rewrite = ({ path, query }, { status, body }) => {
      const isDrafts = path === `/v1/spaces/${guide}/change-requests` && query.get('status') === 'draft';
      if (!isDrafts || times++ > 0) return undefined;
      const all = body as { items: { id: string }[] };
      return { status, body: { ...all, items: all.items.filter((one) => one.id !== id) } };
    };
    expect((await world.sync(night)).snapshot.state).toBe('complete');
    expect(
      rowsOf(world.mirror, `select count(*) as n from change_request_files where content_type = 'application/pdf'`),
    ).toEqual([{ n: 6 }]);
  });

  it.each([
    ['its subject', 0],
    ['its pages', 1],
  ])(
    'counts the PDF of a change request once of which %s moved before its listing was read again',
    async (what, changed) => {
      await using world = await drawnWorld();
      await using proxy = await rewriting(world);
      const { guide, requests } = world.made;
      const night = { client: proxy.client, settings: { pdfs: true } };
      const { id } = await addRequest(world, guide, { subject: 'Found late' });
      const path = { spaceId: guide, changeRequestId: requests.draft };
      let times = 0;
      proxy.rewrite = async ({ path: asked, query }, { status, body }) => {
        const isDrafts = asked === `/v1/spaces/${guide}/change-requests` && query.get('status') === 'draft';
        if (!isDrafts || times++ > 0) return undefined;
        if (what === 'its subject') await world.api.updateChangeRequest({ path, body: { subject: 'Other' } });
        else
          await world.api.changeContent({
            path,
            body: { changes: [{ type: 'insert_page', title: 'More', document: { markdown: 'm' } }] },
          });
        const all = body as { items: { id: string }[] };
        return { status, body: { ...all, items: all.items.filter((one) => one.id !== id) } };
      };
      const { snapshot, kinds } = await world.sync(night);
      expect(snapshot.state).toBe('complete');
      expect(kinds['change-request-pdf']).toMatchObject({ seen: 6, added: 1, changed, unchanged: 5 - changed });
    },
  );
});
