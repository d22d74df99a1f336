// Every read of the contract, asked of the platform and of the replica of its mirror: the answers are equal, but for what the
// contract names as volatile.
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
import { seedDemo } from '../../src/platform/index.ts';
import { createReplica, type Replica } from '../../src/replica/index.ts';
import { TestWorld } from '../support/world.ts';

const TOKEN = 'tok_of_the_replica';

let world: TestWorld;
let replica: Replica;

beforeAll(async () => {
  world = await TestWorld.create({ organization: null });
  const { organizations } = await seedDemo({ platform: world.platform });
  const organization = organizations[0] ?? '';
  const invites = [`${organization}/${world.platform.createInvite({ organization, role: 'read' })}`];
  const scope = { organizations: null, onlySpaces: null, extraSpaces: [], invites };
  const { snapshot } = await world.sync({ scope, settings: { documents: true, pdfs: true } });
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

// To draw a PDF takes longer than a hundred other answers.
const MOST: Partial<Record<OperationName, number>> = { getChangeRequestPdf: 2 };

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
      const answer = askReplica(`${target}?limit=3&page=${page}`);
      expect(answer.snapshot).toBe(snapshot);
      const list = answer.body as ListBody;
      items.push(...list.items);
      page = list.next?.page;
    }
    expect(items).toEqual(whole.items);
    for (const token of [first.next?.page, 'x']) expect(askReplica(`/v1/orgs?page=${token}`).status).toBe(400);
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
    world.clock.advance(3_700_000);
    expect(replica.files.read(path)).toBeNull();
  });

  it('finds the pages that the platform finds', async () => {
    const [space = ''] = addressesOf('getSpace');
    for (const words of ['install', 'option', 'error message', 'license install changelog', 'insta option err']) {
      const target = `${space}/search?limit=1000&query=${encodeURIComponent(words)}`;
      const idsOf = ({ body }: Answered): string[] =>
        (body as { items: { id: string }[] }).items.map(({ id }) => id).toSorted();
      expect([words, idsOf(askReplica(target))]).toEqual([words, idsOf(await askPlatform(target))]);
    }
  });

  it('gives of each space the pages that the platform gives, the best first: of 20, two were the same', async () => {
    const [organization = ''] = addressesOf('getOrganization');
    const placesIn = ({ body }: Answered): [string, string[]][] =>
      (body as { items: { id: string; pages: { id: string }[] }[] }).items.map(({ id, pages }) => [
        id,
        pages.map((page) => page.id),
      ]);
    for (const words of ['install', 'error message', 'file sys']) {
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
    const [space = ''] = addressesOf('getSpace');
    const target = `${space}/search?limit=1000&query=install`;
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
        ? ['/v1/email-domains/example.org/orgs']
        : addressesOf(operation, MOST[operation]);
    expect(addresses.length, 'the demo has something to ask for').toBeGreaterThan(0);
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
