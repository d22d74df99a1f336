import { describe, expect, it } from 'vitest';
import { environmentOf, runCli, startCli, testFolder } from '../support/cli.ts';
import { startSeeded } from '../support/seeded-platform.ts';

describe('cli/commands/serve', () => {
  it('answers the reads of the API from the mirror, while the platform is down', async () => {
    const platform = await startSeeded();
    using folder = testFolder();
    const env = {
      ...environmentOf(platform, folder.at('data')),
      DOCMIRROR_REPLICA_TOKEN: 'tok_of_readers',
      DOCMIRROR_STATUS_PORT: '0',
    };
    await runCli(['sync'], { env });
    const [organization = ''] = platform.organizations();
    await platform[Symbol.asyncDispose]();
    const serving = startCli(['serve'], { env });
    try {
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await serving.until(/http:\/\/127\.0\.0\.1:\d+/)) ?? [];
      const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(`${url}${path}`, { headers: { authorization: 'Bearer tok_of_readers' }, ...init });
      const listed = await ask(`/v1/orgs/${organization}/collections`);
      const { items } = (await listed.json()) as { items: { id: string; title: string }[] };
      expect([listed.status, items.length > 0, listed.headers.get('docmirror-snapshot')]).toEqual([200, true, '1']);
      const path = `/v1/collections/${items[0]?.id ?? ''}`;
      expect((await ask(path)).status).toBe(200);
      expect((await ask(path, { method: 'DELETE' })).status).toBe(405);
      expect((await ask(path, { headers: {} })).status).toBe(401);
    } finally {
      await serving.interrupt();
    }
  });

  it('names the platform of the settings before its first walk, as status does: both said that there was none yet', async () => {
    using folder = testFolder();
    const env = {
      DOCMIRROR_DATA_DIR: folder.at('data'),
      DOCMIRROR_BASE_URL: 'http://127.0.0.1:9',
      DOCMIRROR_TOKEN: 'tok_of_readers',
      DOCMIRROR_STATUS_PORT: '0',
    };
    const serving = startCli(['serve'], { env });
    try {
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await serving.until(/http:\/\/127\.0\.0\.1:\d\d+/)) ?? [];
      const page = await (await fetch(url)).text();
      const { stdout } = await runCli(['status'], { env });
      for (const text of [page, stdout]) expect(text).toContain('http://127.0.0.1:9, not walked yet');
    } finally {
      await serving.interrupt();
    }
  });
});
