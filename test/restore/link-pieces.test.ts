import { expect, it } from 'vitest';
import type { Pieces } from '../../src/base/index.ts';
import { AppAddresses } from '../../src/export/index.ts';
import { readerByIds } from '../../src/mirror/index.ts';
import { broughtTo, linkedThere, linksTold } from '../../src/restore/links/brought-links.ts';
import { linksLeftOut } from '../../src/restore/links/links-elsewhere.ts';
import { addLinks } from '../../src/restore/plan/content.ts';
import { StepList, type Planning } from '../../src/restore/plan/step-list.ts';
import type { Part, PlanStep } from '../../src/restore/types.ts';
import { createTestMirror, type PageSpec } from '../support/mirror-builder.ts';

const AMOUNT = 450;

function pagesOf(space: string, into: string): PageSpec[] {
  return Array.from({ length: AMOUNT }, (_, index) => ({
    id: `${space}-${index}`,
    title: `Page ${index}`,
    text: `See [there](/spaces/${into}/pages/${into}-${index}).`,
  }));
}

function stepOf(step: number, part: Part, key: string): PlanStep {
  const told = { title: key, note: '', needs: [], requests: 1, adopts: null, bestEffort: [], lost: [] };
  return { step, action: 'create', kind: 'revision', part, key, ...told };
}

/** What it gives, and how often others had their turn. */
function taken<T>(pieces: Pieces<T>): { value: T; turns: number } {
  for (let turns = 0; ; turns += 1) {
    const piece = pieces.next();
    if (piece.done === true) return { value: piece.value, turns };
  }
}

it('restore/plan looks through the links of all pages in pieces: a drill of spaces that link to each other let the daemon answer nobody for a minute, and SIGTERM waited for it', async () => {
  using made = await createTestMirror();
  const snapshot = await made.add({
    spaces: [
      { id: 's1', title: 'One', pages: pagesOf('s1', 's2') },
      { id: 's2', title: 'Two', pages: pagesOf('s2', 's1') },
    ],
  });
  const reader = readerByIds(made.mirror, snapshot);
  const steps = [stepOf(1, 'content', 's1'), stepOf(2, 'links', 's1')];
  const target = { organization: 'o', there: new Map() } as never;
  const place = { target, mirror: made.mirror, url: 'https://platform.example', client: {} as never };
  const planned = { reader, steps, only: {}, origin: 'https://platform.example', organization: 'o' };
  const before = broughtTo(place);
  const linked = await linkedThere(place, planned, before);
  const told = taken(linksTold(place, planned, { linked, before }));
  expect(told.value).toMatchObject([
    {
      check: 'links elsewhere',
      detail: expect.stringMatching(
        /^450 pages link into Two.* so these links keep leading to the originals$/,
      ) as string,
    },
  ]);
  expect(told.turns).toBe(2);
  const left = taken(linksLeftOut(reader, { steps, only: { page: ['s1/s1-0'] } }));
  expect([left.value, left.turns]).toEqual([[], 2]);
});

it('restore/plan looks through the links of one large space in pieces: one of 15,000 pages let the daemon answer nobody for seconds', async () => {
  using made = await createTestMirror();
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'One', pages: pagesOf('s1', 's2') }] });
  const reader = readerByIds(made.mirror, snapshot);
  const space = reader.one('space', 's1');
  if (space === undefined) throw new Error('expected the space');
  const list = new StepList();
  const selection = { limitOf: () => null, only: {} };
  const planning = { list, reader, review: false, selection, addresses: new AppAddresses(reader), importLimits: {} };
  expect(taken(addLinks(planning as unknown as Planning, space)).turns).toBe(2);
});

it('restore/plan can be called off while it looks for links into what earlier restores have brought', async () => {
  using made = await createTestMirror();
  const snapshot = await made.add({ spaces: [{ id: 's1', title: 'One', pages: pagesOf('s1', 's2') }] });
  const reader = readerByIds(made.mirror, snapshot);
  const stop = new AbortController();
  stop.abort(new Error('called off'));
  const place = { target: {} as never, client: {} as never, url: 'https://platform.example', signal: stop.signal };
  const planned = { reader, steps: [stepOf(1, 'content', 's1')], only: {}, origin: '', organization: 'o' };
  const before = { brought: new Map([['space s2', ['new']]]), lineage: { nameOf: () => '' } as never };
  await expect(linkedThere(place, planned, before)).rejects.toThrow('called off');
});
