// A specification that the platform fetches from an address, and the address is dead when it is restored.
import { expect, it } from 'vitest';
import { serveBytes } from '../platform/world.ts';
import { createTarget, drill, type Target } from '../support/restore.ts';
import { rewriting } from '../support/rewriting.ts';
import { sleeplessClock } from '../support/sleepless-clock.ts';
import { TestWorld } from '../support/world.ts';

const SLUGS = ['first', 'second', 'third'];
const TEXT = JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {} });

/** Mirrored from an address that goes on to answer. */
async function mirroredSource(world: TestWorld): ReturnType<typeof serveBytes> {
  const source = await serveBytes(Buffer.from(TEXT));
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'shop', source: { url: source.url } } });
  await world.platform.settle();
  await world.sync();
  return source;
}

/** As an apply that waits for several goes: which looks at each the platform answers with "not yet", and how long it waits. */
async function waitedFor(isRead: (slug: string, seconds: number) => boolean) {
  await using world = await TestWorld.create();
  await using source = await serveBytes(Buffer.from(TEXT));
  const path = { organizationId: world.organization };
  for (const slug of SLUGS) await world.api.createOpenApiSpec({ path, body: { slug, source: { url: source.url } } });
  await world.platform.settle();
  await world.sync();
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  const plan = await target.plan({ client, targetUrl: proxy.url });
  const clock = sleeplessClock();
  const from = clock.monotonic();
  const seconds = () => (clock.monotonic() - from) / 1000;
  proxy.rewrite = ({ method, path: asked }, { status, body }) => {
    const slug = SLUGS.find((one) => asked.endsWith(`/openapi/${one}`));
    if (method !== 'GET' || slug === undefined || isRead(slug, seconds())) return undefined;
    return { status, body: { ...(body as object), processingState: 'pending', lastVersion: undefined } };
  };
  const { failures } = await target.apply(plan, { client, clock });
  return { seconds: seconds(), unread: failures.filter(({ error }) => error.includes('is still reading')).length };
}

/** Mirrored while its address answered, and nothing answers there any more. */
async function mirroredSpec(world: TestWorld): Promise<string> {
  await using source = await mirroredSource(world);
  return source.url;
}

function specOf({ client, organization }: Target) {
  return client.api.getOpenApiSpec({ path: { organizationId: organization, specSlug: 'shop' } });
}

it('restore/apply gives a specification whose address is dead the text that the mirror holds: it came back without one, and nobody was told', async () => {
  await using world = await TestWorld.create();
  const url = await mirroredSpec(world);
  await using target = await createTarget(world);
  const { restore, failed, failures } = await target.apply(await target.plan());
  expect(failed).toBe(0);
  expect(failures).toEqual([
    expect.objectContaining({
      kind: 'openapi-spec',
      error: expect.stringContaining(`could not read ${url}`) as string,
    }),
  ]);
  await target.platform.settle();
  const { lastVersion, lastProcessErrorCode } = await specOf(target);
  expect(lastVersion).toBeDefined();
  expect(lastProcessErrorCode).toBeUndefined();
  const { passed, differences } = await target.verify(restore);
  expect(passed).toBe(true);
  expect(differences).toEqual([
    expect.objectContaining({ kind: 'openapi-spec', field: 'sourceURL', class: 'bestEffort', expected: url }),
  ]);
});

it('restore/drill passes of a specification whose address is dead where a platform shows its text as it was given: it stood there as data, so another one', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const shown = { 'shop.json': TEXT };
  proxy.rewrite = ({ path }, { status, body }) =>
    path.includes('/openapi/') && path.endsWith('/content')
      ? { status, body: { ...(body as object), filesystem: shown } }
      : undefined;
  await using source = await serveBytes(Buffer.from(TEXT));
  const path = { organizationId: world.organization };
  await world.api.createOpenApiSpec({ path, body: { slug: 'shop', source: { url: source.url } } });
  await world.platform.settle();
  await world.sync({ client: proxy.client });
  await source[Symbol.asyncDispose]();
  const { passed, differences } = await drill(world);
  expect(differences).toEqual([
    expect.objectContaining({ kind: 'openapi-spec', field: 'sourceURL', class: 'bestEffort', expected: source.url }),
  ]);
  expect(passed).toBe(true);
});

it('restore/plan names a specification whose address was dead already, and apply says that nobody holds its text', async () => {
  await using world = await TestWorld.create();
  await using proxy = await rewriting(world);
  const spec = { organizationId: world.organization, specSlug: 'shop' };
  await world.api.putOpenApiSpec({ path: spec, body: { source: { text: TEXT } } });
  await world.platform.settle();
  const url = 'http://127.0.0.1:9/shop.json';
  await world.api.putOpenApiSpec({ path: spec, body: { source: { url } } });
  await world.platform.settle();
  proxy.rewrite = ({ path }, { status, body }) =>
    path.endsWith('/content') ? { status, body: { ...(body as object), filesystem: {} } } : undefined;
  await world.sync({ client: proxy.client });
  await using target = await createTarget(world);
  const plan = await target.plan();
  expect(plan.preflight).toContainEqual({
    check: 'specification addresses',
    state: 'warn',
    detail: expect.stringContaining('shop (FETCH_ERROR): comes back without a text') as string,
  });
  const { restore, failures } = await target.apply(plan);
  expect(failures[0]?.error).toContain('it is there without one');
  const { passed, differences } = await target.verify(restore);
  expect(passed).toBe(true);
  expect(differences).toEqual([expect.objectContaining({ field: 'text', class: 'bestEffort', expected: 'there' })]);
  expect((await specOf(target)).sourceURL).toBe(url);
});

it('restore/apply leaves a specification alone whose address answers', async () => {
  await using world = await TestWorld.create();
  await using source = await mirroredSource(world);
  await using target = await createTarget(world);
  const { restore, failures } = await target.apply(await target.plan());
  expect(failures).toEqual([]);
  expect((await specOf(target)).sourceURL).toBe(source.url);
  const { differences } = await target.verify(restore);
  expect(differences).toEqual([]);
});

it('restore/apply waits for a specification in a state that nobody documents: its address was taken away for its text', async () => {
  await using world = await TestWorld.create();
  await using source = await mirroredSource(world);
  await using target = await createTarget(world);
  await using proxy = await rewriting(world, target.platform);
  const { client } = proxy;
  const plan = await target.plan({ client, targetUrl: proxy.url });
  let looks = 0;
  proxy.rewrite = (asked, { status, body }) => {
    if (asked.method !== 'GET' || !asked.path.endsWith('/openapi/shop') || looks++ > 0) return undefined;
    return { status, body: { ...(body as object), processingState: 'queued', lastVersion: undefined } };
  };
  expect((await target.apply(plan, { client })).failures).toEqual([]);
  expect(looks).toBeGreaterThan(1);
  expect((await specOf(target)).sourceURL).toBe(source.url);
});

it('restore/apply waits for all specifications together: each was waited for a minute, one after the other', async () => {
  const { seconds, unread } = await waitedFor(() => false);
  expect(unread).toBe(3);
  expect(seconds).toBeGreaterThan(59);
  expect(seconds).toBeLessThan(100);
});

it('restore/apply goes on to wait for specifications that the platform reads one after the other', async () => {
  const { unread } = await waitedFor((slug, seconds) => seconds >= 40 * (1 + SLUGS.indexOf(slug)));
  expect(unread).toBe(0);
});
