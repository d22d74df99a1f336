// Which visit of the frontier is next, where some wait for others that are under way.
import { expect, it } from 'vitest';
import { addVisit, finishVisit, openSnapshot } from '../../src/mirror/index.ts';
import { placeInTurn } from '../../src/walker/order.ts';
import { createUnderWay } from '../../src/walker/under-way.ts';
import { createUpcoming } from '../../src/walker/upcoming.ts';
import { createTestMirror } from '../support/mirror-builder.ts';
import { SETTINGS } from '../support/world.ts';

const SPACES = [10, 20, 30];
const TREES = 200;

it('walker reads many merged change requests of several spaces at once: the other spaces stood still until one was nearly done', async () => {
  using made = await createTestMirror();
  const { mirror } = made;
  const open = { mirror, id: openSnapshot(mirror, { mode: 'full', scope: null, origin: 'http://platform.test' }) };
  for (const space of SPACES)
    for (let tree = 0; tree < TREES; tree++)
      addVisit(open, { task: 'content', params: { space, tree }, place: placeInTurn(space) });
  const underWay = createUnderWay();
  let transactions = 0;
  const looking = { stage: 0, underWay: underWay.numbers, mustWait: underWay.isAwaited };
  const upcoming = createUpcoming({ mirror, settings: SETTINGS }, { ...looking, transactions: () => transactions });
  const rounds: unknown[][] = [];
  for (let round = 0; round < TREES; round++) {
    const begun = [];
    for (let next = upcoming.first(); next !== undefined; next = upcoming.first()) {
      upcoming.drop(next);
      underWay.begin(next);
      begun.push(next);
    }
    for (const visit of begun) {
      finishVisit(mirror, visit.seq);
      transactions += 1;
      underWay.end(visit);
    }
    rounds.push(begun.map(({ params }) => [params['space'], params['tree']]));
  }
  expect(rounds).toEqual(Array.from({ length: TREES }, (_, tree) => SPACES.map((space) => [space, tree])));
});
