import { expect, it } from 'vitest';
import { Lineage } from '../../src/restore/journal/lineage.ts';

it('restore/lineage leads back over what came out of the bin in between: with its own id it passed for the first of its line', () => {
  const lineage = new Lineage();
  lineage.note({ kind: 'space', key: 'first', id: 'second' });
  lineage.note({ kind: 'space', key: 'second', id: 'second' });
  lineage.note({ kind: 'page', key: 'second/a', id: 'b' });
  expect([lineage.rootOf('space', 'second'), lineage.nameOf({ kind: 'page', key: 'third/b' })]).toEqual([
    'first',
    'page second/a',
  ]);
});

it('restore/lineage comes to its end where a platform gives an id twice', () => {
  const lineage = new Lineage();
  lineage.note({ kind: 'space', key: 'a', id: 'b' });
  lineage.note({ kind: 'space', key: 'b', id: 'a' });
  expect(lineage.rootOf('space', 'b')).toBe('b');
});
