// A check of a mirror that was drilled every night for years.
import { expect, it } from 'vitest';
import { recordDrill } from '../../src/mirror/index.ts';
import { runWithin } from '../support/cli.ts';
import { createTestMirror } from '../support/mirror-builder.ts';

const NIGHTS = 600;
const MEGABYTES = 80;

it('check looks through the drills of years in less memory than they take together: all of them were held at once', async () => {
  using made = await createTestMirror();
  await made.add({ spaces: [{ id: 's', title: 'Docs' }] });
  const report = {
    ofNewest: true,
    differences: Array.from({ length: 1000 }, (_, nth) => `${'different'.repeat(30)} ${nth}`),
  };
  for (let night = 0; night < NIGHTS; night++)
    recordDrill(made.mirror, { snapshot: 1, passed: true, requests: 1, durationMs: 1, report });
  const { code, stdout } = await runWithin(MEGABYTES, ['check'], { env: { DOCMIRROR_DATA_DIR: made.dataDir } });
  expect([code, stdout.split(':')[0]]).toEqual([0, 'Whole']);
}, 60_000);
