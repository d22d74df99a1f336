// Names and texts in Arabic and Hebrew, in a real browser.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { manualClock, silentLogger } from '../../src/base/index.ts';
import { noRuntimeState, startStatusServer, type StatusServer } from '../../src/status/index.ts';
import { browserPath, openBrowser, watchedPage } from '../support/browser.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';

const path = browserPath();
const NAME = `what is written from right to left${path === undefined ? ' (skipped: no chromium is installed)' : ''}`;
const TEXT = '# دليل\n\nمرحبا بالعالم.\n\n- سطر\n\nEnglish line.\n\n```\nlet a = 1;\n```\n';
const SPACE = { spaceId: 's1' };

function seeAll(mirror: TestMirror['mirror'], text: string): void {
  takeSnapshot(mirror, ({ see }) => {
    see({ kind: 'space', params: SPACE, body: { object: 'space', id: 's1', title: 'مساحة' } });
    const page = { id: 'p1', title: 'دليل', type: 'document' };
    see({ kind: 'page', params: { ...SPACE, pageId: 'p1' }, body: page, text });
    const postedBy = { id: 'u', displayName: 'سارة العربي' };
    const comment = {
      id: 'c',
      status: 'open',
      postedBy,
      postedAt: '2026-12-14T03:34:00.000Z',
      body: { markdown: 'Yes' },
    };
    see({ kind: 'comment', params: { ...SPACE, commentId: 'c' }, body: comment });
  });
}

/** Where the first letter and the last one of the given words stand, from the left, in the first element that holds them. */
function placesOf(page: Page, selector: string, words: string): Promise<{ first: number; last: number }> {
  return page.evaluate(`(() => {
    const walk = (node) => node.nodeType === 3 ? [node] : Array.from(node.childNodes).flatMap(walk);
    const found = Array.from(document.querySelectorAll(${JSON.stringify(selector)})).flatMap(walk)
      .find((node) => node.data.includes(${JSON.stringify(words)}));
    const at = found.data.indexOf(${JSON.stringify(words)});
    const left = (index) => {
      const range = document.createRange();
      range.setStart(found, index);
      range.setEnd(found, index + 1);
      return range.getBoundingClientRect().left;
    };
    return { first: left(at), last: left(at + ${words.length - 1}) };
  })()`);
}

describe.skipIf(path === undefined)(`status, ${NAME}`, () => {
  let [test, server, browser]: [TestMirror?, StatusServer?, Browser?] = [];

  beforeAll(async () => {
    test = await createTestMirror();
    seeAll(test.mirror, TEXT);
    seeAll(test.mirror, TEXT.replace('English', 'Another'));
    const options = { dataDir: test.dataDir, clock: manualClock(0), log: silentLogger(), live: () => noRuntimeState };
    const freshness = { snapshotMs: 1, drillMs: 1 };
    server = await startStatusServer({ ...options, freshness, host: '127.0.0.1', port: 0 });
    browser = await openBrowser(path ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    test?.[Symbol.dispose]();
  });

  it('keeps dates and counts beside such a name in their order: they read 03:34 14-12-2026 and 1 :name', async () => {
    const { page } = await watchedPage(browser as Browser, server?.url ?? '');
    await page.goto(`${server?.url}/browse/spaces/s1`);
    const date = await placesOf(page, '.by', '2026-12-14');
    const time = await placesOf(page, '.by', '03:34');
    expect(date.first).toBeLessThan(time.first);
    await page.goto(`${server?.url}/browse/changes?from=1&to=2`);
    const [name, count] = [await placesOf(page, 'h2', 'مساحة'), await placesOf(page, 'h2', ': 1')];
    expect(name.first).toBeLessThan(count.last);
    await page.close();
  });

  it('sets a text to the side at which it begins, line by line, and code to the left: all stood at the left', async () => {
    const { page } = await watchedPage(browser as Browser, server?.url ?? '');
    await page.goto(`${server?.url}/browse/spaces/s1/pages/p1`);
    const middle = await page
      .locator('.text')
      .boundingBox()
      .then((box) => (box ? box.x + box.width / 2 : 0));
    const at = async (selector: string, words: string): Promise<boolean> =>
      (await placesOf(page, selector, words)).first > middle;
    expect(await at('h1.title', 'دليل')).toBe(true);
    expect(await at('.text p', 'مرحبا')).toBe(true);
    expect(await at('.text li', 'سطر')).toBe(true);
    expect(await at('.text p', 'Another')).toBe(false);
    expect(await at('.text pre', 'let')).toBe(false);
    await page.close();
  });
});
