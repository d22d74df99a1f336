// Every read of the contract, asked of the platform and of the replica of its mirror: the answers are equal, but for what the
// contract names as volatile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atOnce, canonicalJson, isRecord, Secret, seededRandom, silentLogger } from '../../src/base/index.ts';
import {
  coverage,
  kindNames,
  kindOf,
  operationNames,
  operationOf,
  pathParameters,
  type OperationName,
} from '../../src/contract/index.ts';
import { readerAt } from '../../src/mirror/index.ts';
import { installedPackages } from '../../src/platform/seed/demo/packages.ts';
import { createReplica, type Replica } from '../../src/replica/index.ts';
import { addSpace, importFiles } from '../support/content.ts';
import { furnishWhole } from '../support/furnished.ts';
import { TestWorld } from '../support/world.ts';

const TOKEN = 'tok_of_the_replica';
// Of several, with pages enough to tell good from better; all of them are among what the program itself needs.
const DOCUMENTED = ['undici', 'pino', 'pino-pretty', 'commander', 'mammoth', 'nodemailer', 'yauzl'];

let world: TestWorld;
/** A space of many pages. */
let documented: string;
let replica: Replica;

/** Spaces of real documentation, as it came with some of the installed packages; answers the first of them. */
async function addDocumentation(into: TestWorld): Promise<string> {
  const spaces: string[] = [];
  const known = new Map((await installedPackages()).map((one) => [one.name, one]));
  for (const name of DOCUMENTED) {
    const { folder = '', documents = [] } = known.get(name) ?? {};
    const read = (path: string): [string, string] => [path, readFileSync(join(folder, path), 'utf8')];
    const space = await addSpace(into, name);
    await importFiles(into, space, Object.fromEntries(documents.map(read)));
    spaces.push(space);
  }
  return spaces[0] ?? '';
}

/** What each filter below tells from the rest: a guest, somebody who was seen, a team of another name, a comment that is resolved. */
async function addForFilters(into: TestWorld, spaceId: string): Promise<void> {
  const { platform, api, organization } = into;
  platform.createUser({ displayName: 'Guest', email: 'guest@example.com', organization, role: null });
  const seen = platform.createUser({ displayName: 'Seen', email: 'seen@example.com', organization, role: 'read' });
  await using client = into.clientOf({ url: platform.url, token: seen.token });
  await client.api.pingOrganization({ path: { organizationId: organization } });
  await api.createTeam({ path: { organizationId: organization }, body: { title: 'Editing' } });
  const { id: commentId } = await api.createComment({ path: { spaceId }, body: { body: { markdown: 'Well.' } } });
  await api.updateComment({ path: { spaceId, commentId }, body: { resolved: true } });
}

beforeAll(async () => {
  world = await TestWorld.create();
  const made = await furnishWhole(world);
  documented = await addDocumentation(world);
  world.platform.publishSite(made.organized.site, true);
  world.platform.createInvite({ organization: world.organization, role: 'read' });
  await addForFilters(world, made.guide);
  const { snapshot } = await world.sync({ settings: { documents: true, pdfs: true } });
  expect(snapshot.state).toBe('complete');
  replica = createReplica({
    dataDir: world.dataDir,
    clock: world.clock,
    random: seededRandom(1),
    log: silentLogger(),
    tokens: [Secret.of(TOKEN)],
  });
}, 120_000);

afterAll(() => world[Symbol.asyncDispose]());

interface Answered {
  status: number;
  body: unknown;
}

interface FromReplica extends Answered {
  /** The one that the answer names. */
  snapshot: string | undefined;
}

function askReplica(
  target: string,
  headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
  method = 'GET',
): FromReplica {
  const answer = atOnce(replica.answer({ method, target, header: (name) => headers[name], base: 'http://replica' }));
  const body: unknown = answer.text === null ? null : JSON.parse(answer.text);
  return { status: answer.status, body, snapshot: answer.headers['docmirror-snapshot'] };
}

async function askPlatform(target: string): Promise<Answered> {
  const response = await fetch(`${world.platform.url}${target}`, {
    // The replica may take longer than the platform waits with an open connection.
    headers: { authorization: `Bearer ${world.platform.token}`, connection: 'close' },
  });
  return { status: response.status, body: await response.json() };
}

/** Fields that the contract calls volatile, wherever they stand; page tokens are each server's own. */
const VOLATILE = new Set([...kindNames.flatMap((kind) => [...(kindOf(kind).volatile ?? [])]), 'downloadURL', 'next']);

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !VOLATILE.has(field))
      .map(([field, inner]) => [field, stable(inner)]),
  );
}

/** Addresses of an operation for resources that the mirror holds, a few of each. */
function addressesOf(operation: OperationName, most = 5): string[] {
  const { path } = operationOf(operation);
  const names = pathParameters(path);
  if (names.length === 0) return [path];
  const reader = readerAt(world.mirror, 1);
  const kind = kindNames.find((one) => canonicalJson([...kindOf(one).params]) === canonicalJson(names));
  const holders = kind === undefined ? [] : [...reader.resources(kind)];
  const step = Math.max(1, Math.floor(holders.length / most));
  return holders
    .filter((_, i) => i % step === 0)
    .slice(0, most)
    .map(({ params }) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')));
}

interface ListBody {
  items: unknown[];
  next?: { page: string };
}

const QUERIES: Partial<Record<OperationName, string[]>> = {
  getRevision: ['computed=false', 'metadata=false', 'computed=true'],
  getChangeRequestRevision: ['computed=false'],
  listPages: ['computed=false', 'metadata=false'],
  listChangeRequestPages: ['computed=false'],
  getPage: ['format=markdown', 'format=document', 'computed=false'],
  getChangeRequestPage: ['format=markdown', 'computed=false&format=markdown'],
  listChangeRequests: ['status=open', 'status=draft', 'status=merged', 'status=archived'],
  listComments: ['format=markdown', 'status=resolved', 'order=asc', 'format=document'],
  listCollections: ['nested=false'],
  listMembers: ['role=admin', 'role=guest', 'order=asc', 'sort=lastSeenAt'],
  listMemberSpaces: ['order=asc'],
  listTeams: ['title=r'],
  listSites: ['title=d', 'published=false'],
  listSiteSpaces: ['default=true'],
  listSpaceLinks: ['status=broken'],
};

// To draw a PDF takes longer than a hundred other answers. People talk in few of the spaces.
const MOST: Partial<Record<OperationName, number>> = {
  getChangeRequestPdf: 2,
  listComments: 100,
  listChangeRequests: 100,
};

const READS = operationNames.filter((name) => operationOf(name).method === 'GET');
const SEARCHES: readonly OperationName[] = ['searchSpace', 'searchOrganization'];

describe('replica/every read', () => {
  it('is one of the contract', () => {
    expect(coverage().map(({ operation }) => operation)).toEqual(READS);
  });

  it('shows a list page by page, each of them of the same snapshot', async () => {
    const target = addressesOf('listMembers')[0] ?? '';
    const { body, snapshot } = askReplica(target);
    const whole = body as { count: number; items: unknown[] };
    const first = askReplica(`${target}?limit=3`).body as ListBody;
    const items = [...first.items];
    await world.sync();
    expect(askReplica(target).snapshot).not.toBe(snapshot);
    let page = first.next?.page;
    for (let turn = 0; turn <= whole.count && page !== undefined; turn++) {
      // How long a page is has nothing to do with where it begins.
      const answer = askReplica(`${target}?limit=${turn === 0 ? 2 : 3}&page=${page}`);
      expect(answer.snapshot).toBe(snapshot);
      const list = answer.body as ListBody;
      items.push(...list.items);
      page = list.next?.page;
    }
    expect(items).toEqual(whole.items);
    for (const token of [first.next?.page, 'x']) expect(askReplica(`/v1/orgs?page=${token}`).status).toBe(400);
  });

  it('lists the teams that an administrator can manage, as the platform does', async () => {
    const target = `${addressesOf('listTeams')[0] ?? ''}?owner=${world.platform.owner}`;
    const here = askReplica(target).body as ListBody;
    expect(here.items).not.toEqual([]);
    expect(stable(here)).toEqual(stable((await askPlatform(target)).body));
  });

  it('takes a question mark in a query for text, and what stands behind it too', () => {
    const [target = ''] = addressesOf('listTeams');
    expect(askReplica(`${target}?title=r`).body).not.toMatchObject({ count: 0 });
    expect(askReplica(`${target}?title=r?x`).body).toMatchObject({ count: 0 });
  });

  it('answers at any snapshot', async () => {
    const [target = ''] = addressesOf('getCollection');
    const { id, title } = askReplica(target).body as { id: string; title: string };
    await world.api.updateCollection({ path: { collectionId: id }, body: { title: 'Another title' } });
    const { snapshot } = await world.sync();
    expect(askReplica(target).body).toMatchObject({ title: 'Another title' });
    expect(askReplica(`${target}?at=1`).body).toMatchObject({ title });
    expect(askReplica(target, { authorization: `Bearer ${TOKEN}`, 'docmirror-at': '1' }).body).toMatchObject({ title });
    expect(askReplica(`${target}?at=${snapshot.id + 7}`).status).toBe(400);
    await world.api.updateCollection({ path: { collectionId: id }, body: { title } });
    await world.sync();
  });

  it('reads only, and only for who has its token', () => {
    const [target = ''] = addressesOf('getSpace');
    expect(askReplica(target, {}).status).toBe(401);
    expect(askReplica(target, { authorization: `Bearer ${world.platform.token}` }).status).toBe(401);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect(askReplica(target, undefined, method).status).toBe(405);
    expect(askReplica('/v1/nothing').status).toBe(404);
    expect(askReplica('/v1/spaces/nothing').status).toBe(404);
  });

  it('says what to set where it has no token, whatever is sent', () => {
    const parts = { dataDir: world.dataDir, clock: world.clock, random: seededRandom(1), log: silentLogger() };
    const closed = createReplica({ ...parts, tokens: [] });
    for (const header of [undefined, `Bearer ${TOKEN}`]) {
      const ask = { method: 'GET', target: '/v1/orgs', base: 'http://replica', header: () => header };
      const { status, text } = atOnce(closed.answer(ask));
      expect([status, text]).toEqual([401, expect.stringContaining('Set DOCMIRROR_REPLICA_TOKEN or')]);
    }
  });

  it('names what is not there as the platform does, not as a "Saml provider" or an "Openapi spec"', () => {
    const [saml = '', openapi = ''] = [...addressesOf('getSamlProvider'), ...addressesOf('getOpenApiSpec')];
    const said = [saml, openapi].map((one) =>
      JSON.stringify(askReplica(`${one.slice(0, one.lastIndexOf('/'))}/nothing`).body),
    );
    expect(said[0]).toContain('SAML provider nothing does not exist');
    expect(said[1]).toContain('OpenAPI spec nothing does not exist');
  });

  it('gives the bytes of a file at an address of its own, for a while', () => {
    const [target = ''] = addressesOf('getFile');
    const { downloadURL, size } = askReplica(target).body as { downloadURL: string; size: number };
    const path = downloadURL.replace('http://replica', '');
    const file = replica.files.read(path);
    expect(world.mirror.objects.sizeOf(file?.sha256 ?? '')).toBe(size);
    expect(replica.files.read(`${path}x`)).toBeNull();
    const [facts = '', signature = ''] = path.split('.');
    expect(replica.files.read(`${facts}.${'A'.repeat(signature.length)}`)).toBeNull();
    const told = JSON.parse(Buffer.from(facts.replace('/replica-files/', ''), 'base64url').toString()) as unknown[];
    const later = Buffer.from(JSON.stringify([...told.slice(0, -1), Number(told.at(-1)) + 1]));
    expect(replica.files.read(`/replica-files/${later.toString('base64url')}.${signature}`)).toBeNull();
    world.clock.advance(3_700_000);
    expect(replica.files.read(path)).toBeNull();
  });

  it('finds the pages that the platform finds', async () => {
    let found = 0;
    for (const words of ['install', 'option', 'error message', 'dispatcher request headers', 'insta option err']) {
      const target = `/v1/spaces/${documented}/search?limit=1000&query=${encodeURIComponent(words)}`;
      const idsOf = ({ body }: Answered): string[] =>
        (body as { items: { id: string }[] }).items.map(({ id }) => id).toSorted();
      const theirs = idsOf(await askPlatform(target));
      found += theirs.length > 0 ? 1 : 0;
      expect([words, idsOf(askReplica(target))]).toEqual([words, theirs]);
    }
    expect(found).toBeGreaterThan(3);
  });

  it('gives of each space the pages that the platform gives, the best first: of 20, two were the same', async () => {
    const [organization = ''] = addressesOf('getOrganization');
    const placesIn = ({ body }: Answered): [string, string[]][] =>
      (body as { items: { id: string; pages: { id: string }[] }[] }).items.map(({ id, pages }) => [
        id,
        pages.map((page) => page.id),
      ]);
    for (const words of ['install', 'option', 'error message', 'file sys']) {
      const target = `${organization}/search?limit=1000&query=${encodeURIComponent(words)}`;
      const [own, theirs] = [placesIn(askReplica(target)), placesIn(await askPlatform(target))];
      expect(theirs.length).toBeGreaterThan(3);
      const sorted = (places: typeof own): typeof own => places.map(([space, pages]) => [space, pages.toSorted()]);
      expect(sorted(own), words).toEqual(sorted(theirs));
      // Pages of nearly the same rank may change places.
      for (const [i, [space, [best]]] of theirs.entries())
        expect([words, space, own[i]?.[1].slice(0, 3)]).toEqual([words, space, expect.arrayContaining([best])]);
    }
  });

  it('gives each section that it finds its address, as the platform does: what it found led to the top of its page', async () => {
    const target = `/v1/spaces/${documented}/search?limit=1000&query=install`;
    const addressesIn = ({ body }: Answered): Record<string, unknown> => {
      const { items } = body as { items: { sections: { id: string; urls?: unknown }[] }[] };
      return Object.fromEntries(items.flatMap(({ sections }) => sections.map(({ id, urls }) => [id, urls])));
    };
    const found = addressesIn(askReplica(target));
    expect(found).not.toEqual({});
    expect(found).toEqual(addressesIn(await askPlatform(target)));
  });

  it.each(READS.filter((name) => !SEARCHES.includes(name)))('%s answers as the platform does', async (operation) => {
    const addresses =
      operation === 'listEmailDomainOrganizations'
        ? ['/v1/email-domains/example.org/orgs', '/v1/email-domains/Example.COM/orgs']
        : addressesOf(operation, MOST[operation]);
    expect(addresses.length, 'there is something to ask for').toBeGreaterThan(0);
    for (const address of addresses) {
      for (const query of ['', ...(QUERIES[operation] ?? [])]) {
        const target = query === '' ? address : `${address}?${query}`;
        const [own, theirs] = [askReplica(target), await askPlatform(target)];
        expect([target, own.status]).toEqual([target, theirs.status]);
        if (theirs.status === 200) expect(stable(own.body), target).toEqual(stable(theirs.body));
      }
    }
  });
});
