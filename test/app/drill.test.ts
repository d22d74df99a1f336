// A drill and the platform that it makes for itself: nobody searches that, and nothing lies between the two.
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { appIn } from '../support/app.ts';
import { testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

const { signal } = new AbortController();

describe('app/drill', () => {
  it('takes in its pages without an index: in a space of 5,000 pages that took four of the six seconds in which the daemon answered nobody', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    await using app = appIn(folder, { platform });
    await app.sync({ signal });
    const seen: unknown[] = [];
    const onRead = (): void => {
      const database = folder.at('data', 'restores', 'drill-platform', 'platform.db');
      const reader = new Database(database, { readonly: true });
      const sections = reader.prepare('select count(*) from search_sections').pluck().get();
      const spaces = reader.prepare('select count(*) > 0 from spaces').pluck().get();
      reader.close();
      seen.push({ spaces, sections });
    };
    expect(await app.drill({ onRead, signal })).toMatchObject({ passed: true });
    expect(seen.at(-1)).toEqual({ spaces: 1, sections: 0 });
  });

  it('waits for a platform that is late, as on a busy machine: it did not pass as soon as an answer took longer than limits.timeout', async () => {
    await using platform = await startSeeded();
    using folder = testFolder();
    await using app = appIn(folder, { platform });
    await app.sync({ signal });
    await using hasty = appIn(folder, { platform, yaml: 'limits: { timeout: 1ms, downloadTimeout: 1ms, retries: 0 }' });
    expect(await hasty.drill({ signal })).toMatchObject({ passed: true });
  });
});
