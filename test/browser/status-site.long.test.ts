// The pages in a real browser: what a person sees, on a desk and on a phone, and that nothing in the content can act.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { Secret, silentLogger, type ManualClock } from '../../src/base/index.ts';
import { noteFailure } from '../../src/mirror/index.ts';
import { noRuntimeState, startStatusServer, type StatusServer } from '../../src/status/index.ts';
import { browserPath, openBrowser, watchedPage } from '../support/browser.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';
import { takeSnapshot } from '../support/snapshots.ts';

const path = browserPath();
const NAME = `status site in a browser${path === undefined ? ' (skipped: no chromium is installed)' : ''}`;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';
const LONG = 'AVeryLongWordThatDoesNotBreakAnywhere'.repeat(4);

const HOSTILE = `Words.

![dot](/files/f1)

<script>alert(1)</script>

<img src=x onerror=alert(2)>

![](https://evil.test/track.png)

[run me](javascript:alert(3)) [data](data:text/html,<script>alert(4)</script>) [out](https://elsewhere.test/)

{% tabs %}
{% tab title="First" %}
one tab
{% endtab %}
{% tab title="Second" %}
another tab
{% endtab %}
{% endtabs %}

${LONG}

| ${LONG} | b | c | d |
|---|---|---|---|
| 1 | 2 | 3 | 4 |

\`\`\`
${LONG}
\`\`\`
`;

const BADGE = '[![build](https://elsewhere.test/badge.svg)](https://elsewhere.test/build)\n';

function worldAt(night: number): Parameters<TestMirror['add']>[0] {
  const pages = [
    { id: 'p1', title: `Hostile ${LONG}`, text: HOSTILE },
    { id: 'p2', title: 'Plain', text: `version ${night}`, pages: [{ id: 'p3', title: 'Below', text: BADGE }] },
  ];
  const files = [
    { id: 'f1', name: 'dot.png', bytes: PNG },
    { id: 'f2', name: 'bad.svg', bytes: SVG },
  ];
  const proposed = [{ id: 'p2', title: `Proposed ${LONG}`, text: `draft ${night}` }];
  const requests = [{ id: 'r1', number: 1, subject: 'Rewrite it', pages: proposed }];
  return {
    spaces: [{ id: 's1', title: 'Handbook', pages, files, requests, comments: [{ id: 'k', markdown: HOSTILE }] }],
  };
}

describe.skipIf(path === undefined)(NAME, () => {
  let test: TestMirror;
  let server: StatusServer;
  let locked: StatusServer;
  let browser: Browser;
  let base: Omit<Parameters<typeof startStatusServer>[0], 'dataDir' | 'freshness'>;

  beforeAll(async () => {
    test = await createTestMirror();
    const clock = test.mirror.clock as ManualClock;
    for (let night = 1; night <= 3; night++) {
      await test.add(worldAt(night));
      await clock.advance(86_400_000);
    }
    base = { clock, log: silentLogger(), live: () => noRuntimeState, host: '127.0.0.1', port: 0 };
    const options = { ...base, dataDir: test.dataDir, freshness: { snapshotMs: 1e12, drillMs: 1e12 } };
    server = await startStatusServer(options);
    locked = await startStatusServer({ ...options, token: Secret.of('sesame-sesame') });
    browser = await openBrowser(path ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await locked?.[Symbol.asyncDispose]();
    test?.[Symbol.dispose]();
  });

  it.each([
    { width: 1280, dark: false },
    { width: 390, dark: true },
  ])('fits the screen, asks no other host and breaks no rule of its own: $width, dark: $dark', async (look) => {
    const { page, elsewhere, errors, dialogs } = await watchedPage(browser, server.url, look);
    for (const at of [
      '/',
      '/report',
      '/browse',
      '/browse/spaces/s1',
      '/browse/spaces/s1/pages/p1',
      '/browse/spaces/s1/pages/p1?at=1',
      '/browse/changes?from=1&to=3',
      '/browse/changes/detail?from=1&to=3&kind=page&key=s1/p2',
      '/browse/search?q=version',
      '/browse/search?q=Hostile',
      '/browse/spaces/s1/change-requests/r1',
    ]) {
      const answer = await page.goto(server.url + at);
      expect([at, answer?.status()]).toEqual([at, 200]);
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect([at, wider]).toEqual([at, 0]);
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(look.dark ? 'rgb(16, 20, 28)' : 'rgb(245, 247, 250)');
    }
    expect({ elsewhere, errors, dialogs }).toEqual({ elsewhere: [], errors: [], dialogs: [] });
    await page.close();
  });

  it('shows the names of what changed on a phone: they stood beyond its edge, behind the kinds', async () => {
    const { page } = await watchedPage(browser, server.url, { width: 390 });
    await page.goto(`${server.url}/browse/changes?from=1&to=3`);
    expect(await page.locator('td', { hasText: 'change request page' }).count()).toBe(1);
    const beyond = `Array.from(document.querySelectorAll('.scroll'), (one) => one.scrollWidth - one.clientWidth)`;
    expect(await page.evaluate(beyond)).toEqual([0]);
    await page.close();
  });

  it('shows on a phone why something was not read: the reasons stood beyond its edge, each a dozen lines high', async () => {
    using failed = await createTestMirror();
    takeSnapshot(failed.mirror, ({ id }) => {
      const request = 'GET /v1/spaces/9M4CugzQLUroUGT6FJPt/change-requests/NBHrbcVfMveFfgtVBIB2/content';
      const error = `${request} (getChangeRequestRevision) answered 500: "Injected fault 500"; expected success`;
      const which = { kind: 'change-request-revision', resource: '9M4CugzQLUroUGT6FJPt/NBHrbcVfMveFfgtVBIB2' };
      noteFailure({ mirror: failed.mirror, id }, { ...which, request, status: 500, code: 'DM_HTTP_STATUS', error });
    });
    const options = { ...base, dataDir: failed.dataDir, freshness: { snapshotMs: 1, drillMs: 1 } };
    await using own = await startStatusServer(options);
    const { page } = await watchedPage(browser, own.url, { width: 360 });
    await page.goto(own.url);
    const reason = await page.getByText('(getChangeRequestRevision) answered 500').last().boundingBox();
    expect((reason?.x ?? 360) + (reason?.width ?? 0)).toBeLessThan(360);
    expect(reason?.height).toBeLessThan(180);
    const beyond = `Array.from(document.querySelectorAll('.failures'), (one) => one.parentElement.scrollWidth - one.parentElement.clientWidth)`;
    expect(await page.evaluate(beyond)).toEqual([0]);
    await page.close();
  });

  it('shows on a phone both sides of what changed: what it is now stood beyond its edge', async () => {
    using edited = await createTestMirror();
    for (const documentId of ['JzIJi2b25VACc71dfsvY', 'AfjYYGWkQqKtSMd1X0Zr']) {
      const pages = [{ id: 'p1', title: 'Home', text: `Text ${documentId}`, body: { documentId } }];
      await edited.add({ spaces: [{ id: 's1', title: 'Guide', pages }] });
    }
    const options = { ...base, dataDir: edited.dataDir, freshness: { snapshotMs: 1, drillMs: 1 } };
    await using own = await startStatusServer(options);
    const { page } = await watchedPage(browser, own.url, { width: 360 });
    await page.goto(`${own.url}/browse/changes/detail?from=1&to=2&kind=page&key=s1/p1`);
    const after = await page.locator('td', { hasText: 'AfjYYGWkQqKtSMd1X0Zr' }).boundingBox();
    expect((after?.x ?? 360) + (after?.width ?? 0)).toBeLessThan(360);
    await page.close();
  });

  it('shows of a title of thousands of characters three lines among others, and all of it above its page: it pushed all else out of sight', async () => {
    using long = await createTestMirror();
    const title = 'So much to say. '.repeat(300).trim();
    const pages = ['p1', 'p2'].map((id) => ({ id, title: `${title} ${id}`, text: 'Words.' }));
    for (const id of ['s1', 's2']) await long.add({ spaces: [{ id, title: 'Guide', pages }] });
    await using own = await startStatusServer({
      ...base,
      dataDir: long.dataDir,
      freshness: { snapshotMs: 1, drillMs: 1 },
    });
    const { page } = await watchedPage(browser, own.url, { width: 360 });
    for (const at of ['/browse/spaces/s2', '/browse/search?q=words', '/browse/changes?from=1&to=2&space=s2']) {
      await page.goto(own.url + at);
      const links = await page.locator('main a', { hasText: 'So much' }).all();
      expect([at, links.length]).toEqual([at, 2]);
      for (const link of links) expect((await link.boundingBox())?.height).toBeLessThan(100);
    }
    await page.goto(`${own.url}/browse/spaces/s2/pages/p1`);
    expect((await page.locator('h1.title').boundingBox())?.height).toBeGreaterThan(1000);
    await page.close();
  });

  it('lets nothing in a page or a file run, and kills links that would', async () => {
    const { page, elsewhere, dialogs } = await watchedPage(browser, server.url);
    await page.goto(`${server.url}/browse/spaces/s1/pages/p1`);
    expect(await page.locator('script, iframe, object, [onerror]').count()).toBe(0);
    expect(await page.locator('a', { hasText: 'run me' }).count()).toBe(0);
    expect(await page.locator('a[href^="data:"], a[href^="javascript:"]').count()).toBe(0);
    expect(await page.locator('a', { hasText: /^out/ }).getAttribute('rel')).toBe('noopener noreferrer');
    await page.goto(`${server.url}/browse/spaces/s1/files/f2`);
    expect({ elsewhere, dialogs }).toEqual({ elsewhere: [], dialogs: [] });
    await page.close();
  });

  it('shows pictures of the mirror, and one tab at a time', async () => {
    const { page } = await watchedPage(browser, server.url);
    await page.goto(`${server.url}/browse/spaces/s1/pages/p1`);
    await expect.poll(() => page.evaluate(`document.querySelector('.text img').naturalWidth`)).toBe(5);
    expect(await page.getByText('one tab').isVisible()).toBe(true);
    await page.getByText('Second', { exact: true }).click();
    expect(await page.getByText('another tab').isVisible()).toBe(true);
    expect(await page.getByText('one tab').isVisible()).toBe(false);
    await page.close();
  });

  it('leads from the beginning to an old version of a page by clicks alone', async () => {
    const { page } = await watchedPage(browser, server.url);
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Browse' }).click();
    await page.getByRole('link', { name: 'Handbook' }).click();
    await page.getByRole('link', { name: 'Plain' }).click();
    expect(await page.getByText('version 3').isVisible()).toBe(true);
    await page.getByLabel('Snapshot').selectOption('1');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByText('version 1').isVisible()).toBe(true);
    expect(await page.getByText('This is how it stood at snapshot 1').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Show it as it is now' }).click();
    await page.getByLabel('Search pages and comments').fill('versio');
    await page.keyboard.press('Enter');
    expect(await page.locator('mark').first().textContent()).toBe('version');
    await page.close();
  });

  it('leads by key through the text of a page before its tree, and shows where one is: the whole tree came first', async () => {
    const { page } = await watchedPage(browser, server.url);
    await page.goto(`${server.url}/browse/spaces/s1/pages/p3`);
    const passed: string[] = [];
    while (passed.length < 40 && !passed.includes('Pages below Plain')) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      passed.push((await focused.getAttribute('aria-label')) ?? (await focused.innerText()));
    }
    const at = (name: string): number => passed.findIndex((one) => one.startsWith(name));
    expect(at('Picture elsewhere')).toBeGreaterThan(at('Show'));
    expect(at('Pages below Plain')).toBeGreaterThan(at('Picture elsewhere'));
    await page.keyboard.press('Enter');
    expect(await page.locator('aside').getByRole('link', { name: 'Below' }).isVisible()).toBe(false);
    await page.close();
  });

  it.each([
    { dark: false, width: 1280 },
    { dark: true, width: 320 },
  ])(
    'has no control within a control, none without a name, and no size that a finger misses: dark $dark, $width wide',
    async (look) => {
      const { page } = await watchedPage(browser, server.url, look);
      for (const at of ['/browse/spaces/s1', '/browse/spaces/s1/pages/p3', '/browse/search?q=version', '/']) {
        await page.goto(server.url + at);
        expect([at, await page.locator(':is(a, button, summary) :is(a, button, summary, input)').count()]).toEqual([
          at,
          0,
        ]);
        const nameless = `Array.from(document.querySelectorAll('a, button, summary'), (one) => one.ariaLabel ?? one.innerText).filter((name) => name.trim() === '').length`;
        expect([at, await page.evaluate(nameless)]).toEqual([at, 0]);
        const small = `Array.from(document.querySelectorAll('.tree :is(a, summary)'), (one) => one.getBoundingClientRect()).filter(({ width, height }) => width < 24 || height < 24).length`;
        expect([at, await page.evaluate(small)]).toEqual([at, 0]);
        expect([at, await page.locator('form[role=search]').count()]).toEqual([at, at.includes('search') ? 2 : 1]);
      }
      await page.goto(`${server.url}/browse/search?q=version`);
      // As dark as the words around it were, a found word could not be read on the colour behind it.
      const [found, body] = await page.evaluate<string[]>(
        `['mark', 'body'].map((name) => getComputedStyle(document.querySelector(name)).color)`,
      );
      expect(found).toBe(body);
      await page.close();
    },
  );

  it('stands still for whoever wants that: every three seconds of a walk one began anew at its top', async () => {
    const { page } = await watchedPage(browser, server.url);
    await page.goto(server.url);
    const renewed = page.locator('meta[http-equiv=refresh]');
    expect(await renewed.getAttribute('content')).toBe('30');
    await page.getByRole('link', { name: 'Let it stand still' }).click();
    expect(await renewed.count()).toBe(0);
    await page.getByRole('link', { name: 'Load it again by itself' }).click();
    expect(await renewed.count()).toBe(1);
    await page.close();
  });

  it('prints the text alone, dark on light, with the addresses of its links', async () => {
    const { page } = await watchedPage(browser, server.url, { dark: true });
    await page.emulateMedia({ media: 'print' });
    await page.goto(`${server.url}/browse/spaces/s1/pages/p1`);
    for (const hidden of ['aside', 'header nav', '.picker']) expect(await page.locator(hidden).isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(28, 35, 48)');
    const after = `getComputedStyle(document.querySelector('.text a.outside'), '::after').content`;
    expect(await page.evaluate(after)).toContain('https://');
    await page.close();
  });

  it('lets people in by the form, and out again', async () => {
    const { page } = await watchedPage(browser, locked.url);
    await page.goto(`${locked.url}/report`);
    await page.getByLabel(/Token/).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Wrong token.');
    await page.getByLabel(/Token/).fill('sesame-sesame');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByText('Pages and files').first().isVisible()).toBe(true);
    await page.goto(locked.url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(locked.url);
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    await page.close();
  });
});
