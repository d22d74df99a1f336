import { expect, it } from 'vitest';
import { lastOf, lastWhenWritten, timeOf } from '../../src/app/running/last-of.ts';
import { sync } from '../../src/app/sync.ts';
import { lastSealed, type Mirror } from '../../src/mirror/index.ts';
import { testFolder } from '../support/cli.ts';
import { kitIn } from '../support/night-jobs.ts';
import { startSeeded } from '../support/seeded-platform.ts';

it('app/running opens the mirror for a waiting job where something was written since: twice a minute it opened it for hours', async () => {
  using folder = testFolder();
  await using platform = await startSeeded();
  await using kit = kitIn(folder, platform);
  const find = (mirror: Mirror): number | null => timeOf(lastSealed(mirror)?.sealed_at);
  let looks = 0;
  const last = lastWhenWritten(kit, (mirror) => {
    looks++;
    return find(mirror);
  });
  const ask = (): unknown[] => [last(), last(), last()];

  expect(ask()).toEqual([null, null, null]);
  for (const _night of [1, 2]) {
    await sync(kit, { signal: new AbortController().signal });
    const sealed = lastOf(kit, find);
    // Whoever opens the mirror first may make files beside it.
    last();
    looks = 0;
    expect([ask(), sealed === null, looks]).toEqual([[sealed, sealed, sealed], false, 0]);
  }
});
