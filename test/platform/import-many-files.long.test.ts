import { expect, it } from 'vitest';
import { seededRandom, sha256 } from '../../src/base/index.ts';
import { fileContent, partsHeld } from '../../src/platform/content/file-content.ts';
import { importFiles } from '../../src/platform/content/import-files.ts';
import { openStore } from '../../src/platform/store/open-store.ts';

it('platform/content/import-files meets any number of files that are there: 20,000 that came again kept the platform from all else for five seconds', () => {
  using db = openStore(':memory:');
  const bytes = Buffer.from('bytes');
  const content = fileContent('', () => partsHeld(bytes));
  const named = (index: number) => ({ name: `picture-${index}.png`, contentType: 'image/png' });
  const present = Array.from({ length: 200_000 }, (_, index) => {
    return { id: `f${index}`, ...named(index), size: content.size, sha256: content.sha256 };
  });
  const changed = { key: 'changed', ...fileContent('', () => partsHeld(Buffer.from('other bytes'))), ...named(7) };
  const again = present
    .map(({ id }, index) => ({ key: `key of ${id}`, ...content, ...named(index) }))
    .toSpliced(7, 1, changed);
  const { files, ids } = importFiles({ db, random: seededRandom(1) }, present, again);
  expect(files.toSpliced(7, 1)).toEqual(present.toSpliced(7, 1));
  expect(files[7]).toMatchObject({ id: 'f7', sha256: sha256('other bytes') });
  expect([ids.get('changed'), ids.get('key of f8')]).toEqual(['f7', 'f8']);
});
