import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createLogger, endOfTurn } from '../../src/base/index.ts';
import { editorOf, startSeeded } from '../support/seeded-platform.ts';

// What is left of a request once its source has answered is done within a few turns of the event loop.
const TURNS = 200;

it('says nothing of an import that was under way when the platform was ended', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', pretty: false, destination: { write: (line) => void lines.push(line) } });
  const platform = await startSeeded({ spaces: 1, pages: 1, log });
  await using editor = editorOf(platform);
  const [organizationId = ''] = platform.organizations();
  const { id: spaceId } = await editor.call('createSpace', { path: { organizationId }, body: { title: 'Late' } });
  const source = createServer((_request, response) => {
    void platform[Symbol.asyncDispose]().then(() => response.end('# Late'));
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/late.md`;
  const call = editor.call('importContent', { path: { spaceId }, body: { url, source: 'markdown' } });
  await expect(call).rejects.toThrow();
  for (let turn = 0; turn < TURNS; turn++) await endOfTurn();
  source.closeAllConnections();
  source.close();
  expect(lines).toEqual([]);
});
