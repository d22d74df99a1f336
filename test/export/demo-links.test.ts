// The demo's export as somebody finds it who has nothing else: every link works offline, and the lists are true.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMarkdownParser, type MarkdownToken } from '../../src/base/index.ts';
import { exportSnapshot } from '../../src/export/index.ts';
import type { Mirror } from '../../src/mirror/index.ts';
import { seedDemo } from '../../src/platform/index.ts';
import { TestWorld } from '../support/world.ts';

function addressesOf(tokens: readonly MarkdownToken[]): string[] {
  return tokens.flatMap((token) => [
    ...[token.attrGet('href'), token.attrGet('src')].filter((address) => address !== null).map(String),
    ...addressesOf(token.children ?? []),
  ]);
}

/** Links in a file that name neither another site nor a place within the page itself. */
function relativeLinks(text: string): string[] {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  return addressesOf(createMarkdownParser().parse(body, {})).filter(
    (to) => !/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(to),
  );
}

function texts(mirror: Mirror): string[] {
  const sql =
    'select markdown from pages where markdown is not null union all select markdown from change_request_pages where markdown is not null';
  return mirror.store.driver
    .prepare<[], { markdown: string }>(sql)
    .all()
    .map(({ markdown }) => markdown);
}

describe('export/demo', () => {
  it('has a file behind every link that the platform knew, one for each page, and lists that sha256sum accepts', async () => {
    await using world = await TestWorld.create();
    await seedDemo({ platform: world.platform });
    const { snapshot } = await world.sync();
    const to = join(world.dataDir, 'tree');
    const result = await exportSnapshot({ mirror: world.mirror, snapshot: snapshot.id, to });
    const entries = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map((entry) => relative(to, join(entry.parentPath, entry.name)));
    let followed = 0;
    const broken: { file: string; link: string }[] = [];
    for (const file of files.filter((path) => path.endsWith('.md'))) {
      for (const link of relativeLinks(readFileSync(join(to, file), 'utf8'))) {
        followed += 1;
        const path = decodeURIComponent(link.replace(/[?#].*$/s, ''));
        if (!existsSync(join(to, dirname(file), path))) broken.push({ file, link });
      }
    }
    // What leads nowhere was written so by its author; links by id are never among them.
    const written = new Set(texts(world.mirror).flatMap(relativeLinks));
    const own = broken.filter(({ link }) => !written.has(link) || /^\/(?:spaces|pages|files)\//.test(link));
    expect(own).toEqual([]);
    // The demo writes these itself: packages whose first file is a short list of changes were linked by that, which is no page.
    expect(broken.filter(({ file }) => file.endsWith('/overview.md'))).toEqual([]);
    expect(followed).toBeGreaterThan(broken.length);
    expect(followed).toBeGreaterThan(result.pages);
    const pages = world.mirror.store.driver
      .prepare<[], { n: number }>(`select count(*) as n from pages where type not in ('group', 'link')`)
      .get();
    expect(result.pages).toBe(pages?.n);
    expect(execFileSync('sha256sum', ['-c', '--strict', '--quiet', 'SHA256SUMS'], { cwd: to, encoding: 'utf8' })).toBe(
      '',
    );
  }, 60_000);
});
