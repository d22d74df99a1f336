// A real browser, where the system has one.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Where it is; undefined where there is none. */
export function browserPath(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

export async function openBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: FLAGS.split(' ') });
}

/** What a page did that it must not: requests to other hosts, scripts that ran, refusals by its own policy. */
export interface Watch {
  readonly page: Page;
  readonly elsewhere: string[];
  readonly dialogs: string[];
  readonly errors: string[];
}

export interface WatchOptions {
  readonly width?: number;
  readonly dark?: boolean;
}

export async function watchedPage(browser: Browser, url: string, options: WatchOptions = {}): Promise<Watch> {
  const { width = 1280, dark = false } = options;
  const page = await browser.newPage({
    viewport: { width, height: 844 },
    colorScheme: dark ? 'dark' : 'light',
  });
  const watch: Watch = { page, elsewhere: [], dialogs: [], errors: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) watch.elsewhere.push(request.url());
  });
  page.on('dialog', (dialog) => {
    watch.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') watch.errors.push(message.text());
  });
  page.on('pageerror', (error) => watch.errors.push(error.message));
  return watch;
}
