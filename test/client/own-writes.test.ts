// What a client has just written, and a platform of several machines does not show yet.
import { describe, expect, it } from 'vitest';
import { clientFor, rejection, sendError, sendJson, startServer, type Handler } from './support.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';

const organization = { path: { organizationId: 'o' } };
const site = { path: { organizationId: 'o', siteId: 'new' } };
const NOW = '2025-03-01T12:00:01.000Z';
const BEFORE = '2025-03-01T12:00:00.000Z';

/** Makes what is asked for; reads are answered by the handler, their number counted from 1. */
function making(read: Handler): Handler {
  return (request, response, number) => {
    if (request.method === 'GET') read(request, response, number - 1);
    else sendJson(response, 200, { id: 'new', updatedAt: NOW });
  };
}

describe('client/own-writes', () => {
  it('reads again what it has just made and is not shown yet: the 404 passed for gone', async () => {
    const late = making((_request, response, number) => {
      if (number < 3) sendError(response, 404);
      else sendJson(response, 200, { id: 'new' });
    });
    await using server = await startServer(late);
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('createSite', { ...organization, body: { title: 'Site' } });
    expect(await client.call('getSite', site)).toEqual({ id: 'new' });
    expect([server.seen.length, client.meter.waitedMs]).toEqual([4, 250 + 500]);
  });

  it('reads again what is shown as it was before its own write', async () => {
    const stale = making((_request, response, number) =>
      sendJson(response, 200, { id: 'new', updatedAt: number < 2 ? BEFORE : NOW }),
    );
    await using server = await startServer(stale);
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('updateSite', { ...site, body: { title: 'Site' } });
    expect(await client.call('getSite', site)).toMatchObject({ updatedAt: NOW });
    expect(server.seen).toHaveLength(3);
  });

  it('writes again to what it has just made and is not known yet: the step failed, and a platform was said to have no import', async () => {
    const handler: Handler = (request, response, number) => {
      if (request.method === 'POST' && number > 1 && number < 5) sendError(response, 404);
      else sendJson(response, 200, { id: `new-${number}`, revision: 'r', importedResources: 1, totalResources: 1 });
    };
    await using server = await startServer(handler);
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('createSite', { ...organization, body: { title: 'Site' } });
    const made = { organizationId: 'o', siteId: 'new-1' };
    const link = await client.call('createShareLink', { path: made, body: { name: 'Link' } });
    expect([link.id, server.seen.length]).toEqual(['new-5', 5]);
    // What it has not made is not there, and one that is not there needs no deletion.
    await using other = await startServer((_request, response) => sendError(response, 404));
    await using second = clientFor(other, { clock: sleeplessClock() });
    await rejection(second.call('updateSite', { path: made, body: { title: 'Docs' } }));
    expect(other.seen).toHaveLength(1);
  });

  it('takes what is still not there seconds later for gone', async () => {
    await using server = await startServer(making((_request, response) => sendError(response, 404)));
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('createSite', { ...organization, body: { title: 'Site' } });
    expect(await rejection(client.call('getSite', site))).toMatchObject({ code: 'DM_NOT_FOUND' });
  });

  it('asks once for what it has not made, has deleted, or what there may be none of', async () => {
    await using server = await startServer(making((_request, response) => sendError(response, 404)));
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('createSite', { ...organization, body: { title: 'Site' } });
    await rejection(client.call('getPublishedSite', site));
    await rejection(client.call('getSite', { path: { ...site.path, siteId: 'other' } }));
    await client.call('deleteSite', site);
    await rejection(client.call('getSite', site));
    expect(server.seen).toHaveLength(5);
  });

  it('asks once for a deletion, and for what a platform need not offer, of what it has just made', async () => {
    const handler: Handler = (_request, response, number) =>
      number === 1 ? sendJson(response, 200, { id: 'new' }) : sendError(response, 404);
    await using server = await startServer(handler);
    await using client = clientFor(server, { clock: sleeplessClock() });
    await client.call('createChangeRequest', { path: { spaceId: 's' }, body: {} });
    const path = { spaceId: 's', changeRequestId: 'new' };
    await rejection(client.call('changeContent', { path, body: { changes: [] } }));
    await rejection(client.call('deleteSite', site));
    expect(server.seen).toHaveLength(3);
  });
});
