// The search of the replica cuts every text into words, and the links of a change request are looked for in every text: that takes
// minutes in a large mirror.
import { expect, it } from 'vitest';
import { atOnce, Secret, seededRandom, silentLogger, systemClock, type Pieces } from '../../src/base/index.ts';
import { forget } from '../../src/mirror/index.ts';
import { createReplica } from '../../src/replica/index.ts';
import { createTestMirror, type PageSpec, type TestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'tok_of_readers';
const LONG = 'Words enough for a page of four kilobytes, so that a few of them fill a piece. '.repeat(50);

/** A space with enough text for several pieces. */
function add(made: TestMirror, night: string): Promise<number> {
  const page = (n: number): PageSpec => ({ id: `p${n}`, title: `Page ${n}`, text: `${LONG} ${night} number${n}` });
  return made.add({ spaces: [{ id: 's', title: 'Guide', pages: Array.from({ length: 60 }, (_, n) => page(n)) }] });
}

/** The answer, and in how many pieces it was made. */
function inPieces(answering: ReturnType<Asking>): { pieces: number; body: unknown } {
  for (let pieces = 0; ; pieces++) {
    const piece = answering.next();
    if (piece.done === true) return { pieces, body: piece.value.body };
  }
}

type Asking = (target: string) => Pieces<{ status: number; body: unknown }>;

function askingOf({ dataDir }: TestMirror): Asking {
  const [clock, random, log] = [systemClock(), seededRandom(1), silentLogger()];
  const replica = createReplica({ dataDir, clock, random, log, tokens: [Secret.of(TOKEN)] });
  const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${TOKEN}` : undefined);
  return function* ask(target) {
    const { status, text } = yield* replica.answer({ method: 'GET', target, header, base: 'http://replica' });
    return { status, body: JSON.parse(text ?? 'null') };
  };
}

it('replica/search looks through texts in pieces, between which others are answered: the daemon was silent for five seconds for each 10,000 pages', async () => {
  using made = await createTestMirror();
  await add(made, 'first');
  const asking = askingOf(made);
  const asked = (target: string): ReturnType<typeof inPieces> => inPieces(asking(target));
  const space = asked('/v1/spaces/s/search?query=number42');
  expect(space.body).toMatchObject({ count: 1, items: [{ id: 'p42' }] });
  const organization = asked('/v1/orgs/org/search?query=number42');
  expect(organization.body).toMatchObject({ items: [{ id: 's', pages: [{ id: 'p42' }] }] });
  for (const { pieces } of [space, organization]) expect(pieces).toBeGreaterThan(2);
  expect(asked('/v1/spaces/s').pieces).toBe(0);
});

it('replica/search says that a snapshot is gone that is forgotten while it is looked through: what it had found by then passed for all', async () => {
  using made = await createTestMirror();
  await add(made, 'first');
  await add(made, 'second');
  const asking = askingOf(made);
  const all = '/v1/spaces/s/search?query=words&at=1';
  expect(atOnce(asking(all))).toMatchObject({ status: 200, body: { count: 60 } });
  const answering = asking(all);
  answering.next();
  atOnce(forget(made.mirror, { last: 1, daily: 0, weekly: 0, monthly: 0, yearly: 0 }));
  expect(atOnce(answering)).toMatchObject({
    status: 503,
    body: { error: { message: 'Snapshot 1 was forgotten while it was looked through: ask again' } },
  });
});

it('replica/request-links looks for the links of a change request in pieces: the daemon was silent for three seconds for each 10,000 pages, whose texts it held all together', async () => {
  using made = await createTestMirror();
  const text = (n: number): string =>
    `${LONG} [gone](/pages/none) [file](/files/f)${n === 3 ? ' [new](/pages/nowhere)' : ''}`;
  const pages = (from: (n: number) => string): PageSpec[] =>
    Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, title: `Page ${n}`, text: from(n) }));
  const files = [{ id: 'f', name: 'f.txt', bytes: 'bytes' }];
  const requests = [{ id: 'c', number: 1, subject: 'Proposal', pages: pages(text), files }];
  const spaces = [{ id: 's', title: 'Guide', pages: pages(() => text(0)), requests }];
  await made.add({ spaces });
  const asking = askingOf(made);
  const content = '/v1/spaces/s/change-requests/c/content';
  const links = inPieces(asking(`${content}/page/p3/links`));
  expect(links.body).toMatchObject({ count: 3, stats: { total: 3, broken: { total: 2, changeRequest: 1 } } });
  const backlinks = inPieces(asking(`${content}/files/f/backlinks?limit=100`));
  expect(backlinks.body).toMatchObject({ count: 60 });
  for (const { pieces } of [links, backlinks]) expect(pieces).toBeGreaterThan(2);
});
