// A restore reads its target before and after its writes, for as long as a walk takes: whoever waits must see it move.
import { describe, expect, it } from 'vitest';
import type { WalkProgress } from '../../src/walker/index.ts';
import { appIn } from '../support/app.ts';
import { testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const ASKED = { snapshot: '1', scope: null, where: null, toOrganization: null, intoExisting: false };
const FORM = { review: false, people: null, keepMentions: false, withoutComments: false };
const IN_PLACE = { full: true, inPlace: { missing: true, changed: true, added: false } };
const { signal } = new AbortController();

/** The most requests that a look at the reading told of. */
async function told(work: (onRead: (walk: WalkProgress) => void) => Promise<unknown>): Promise<number> {
  let most = 0;
  await work(({ requests }) => (most = Math.max(most, requests)));
  return most;
}

describe('app: the walks of a restore', () => {
  it('are told by a plan in place and by a drill, each by its own requests', async () => {
    await using platform = await startSeeded({ spaces: 4, pages: 12 });
    using folder = testFolder();
    await using app = appIn(folder, { platform });
    await app.sync({ signal });

    platform.clearRequestLog();
    const out = folder.at('plan.json');
    const planned = await told((onRead) => app.planRestore({ ...ASKED, ...FORM, ...IN_PLACE, out, onRead, signal }));
    expect(planned).toBeGreaterThan(20);
    expect(planned, 'not those of the sync before it').toBeLessThanOrEqual(platform.requestLog.total());

    let all = 0;
    const read = await told(async (onRead) => {
      const report = await app.drill({ onRead, signal });
      all = report.requests;
    });
    expect(read).toBeGreaterThan(20);
    expect(read, 'not those of its writes').toBeLessThan(all);
  });

  it('are told by a verification', async () => {
    await using platform = await startSeeded({ spaces: 4, pages: 12 });
    await using target = await startSeeded({ spaces: 0, token: 'tok_of_the_target' });
    using folder = testFolder();
    await using app = appIn(folder, { platform, target });
    await app.sync({ signal });
    const out = folder.at('plan.json');
    await app.planRestore({ ...ASKED, ...FORM, full: false, inPlace: null, out, signal });
    const { restore } = await app.applyRestore(out, { signal });

    target.clearRequestLog();
    const read = await told((onRead) => app.verifyRestore(restore, { onRead, signal }));
    expect(read).toBeGreaterThan(20);
    expect(read, 'not those of the restore before it').toBeLessThanOrEqual(target.requestLog.total());
  });
});
