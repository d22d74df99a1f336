// The search of the replica cuts every text into words, which takes minutes in a large mirror.
import { expect, it } from 'vitest';
import { Secret, seededRandom, silentLogger, systemClock } from '../../src/base/index.ts';
import { createReplica } from '../../src/replica/index.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const TOKEN = 'tok_of_readers';
const LONG = 'Words enough for a page of four kilobytes, so that a few of them fill a piece. '.repeat(50);

it('replica/search looks through texts in pieces, between which others are answered: the daemon was silent for five seconds for each 10,000 pages', async () => {
  using made = await createTestMirror();
  const pages = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, title: `Page ${n}`, text: `${LONG} number${n}` }));
  await made.add({ spaces: [{ id: 's', title: 'Guide', pages }] });
  const { dataDir } = made;
  const tokens = [Secret.of(TOKEN)];
  const replica = createReplica({
    dataDir,
    clock: systemClock(),
    random: seededRandom(1),
    log: silentLogger(),
    tokens,
  });
  const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${TOKEN}` : undefined);
  const asked = (target: string): { pieces: number; body: unknown } => {
    const answering = replica.answer({
      method: 'GET',
      target,
      header,
      base: 'http://replica',
    });
    for (let pieces = 0; ; pieces++) {
      const piece = answering.next();
      if (piece.done === true) return { pieces, body: JSON.parse(piece.value.text ?? 'null') };
    }
  };
  const space = asked('/v1/spaces/s/search?query=number42');
  expect(space.body).toMatchObject({ count: 1, items: [{ id: 'p42' }] });
  const organization = asked('/v1/orgs/org/search?query=number42');
  expect(organization.body).toMatchObject({ items: [{ id: 's', pages: [{ id: 'p42' }] }] });
  for (const { pieces } of [space, organization]) expect(pieces).toBeGreaterThan(2);
  expect(asked('/v1/spaces/s').pieces).toBe(0);
});
