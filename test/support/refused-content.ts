// A web server before the content of a restore that refuses the platform each archive in which a mark stands: a part that no import takes.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ContentPlaceOptions } from '../../src/restore/content/content-place.ts';
import type { TestWorld } from './world.ts';

/** Pages of which one has heavy words, and one shows a bulky file. */
export const BOOK = {
  'SUMMARY.md': [
    '* [Book](book.md)',
    '  * [One](one.md)',
    '    * [One A](one-a.md)',
    '    * [One B](one-b.md)',
    '  * [Odd](odd.md)',
    '    * [Two A](two-a.md)',
    '      * [Deep](deep.md)',
    '  * [Three](three.md)',
    '',
  ].join('\n'),
  'book.md': '# Book\n\nSee [the odd one](odd.md) and the [sheet](sheet.txt).',
  'one.md': '# One\n\nThe first.',
  'one-a.md': '# One A\n\nSee [the odd one](odd.md), and [deep](deep.md).',
  'one-b.md': '# One B\n\nAlone.',
  'odd.md': '---\ndescription: On two\n---\n\n# Odd\n\nHas HEAVY words, and leads to [three](three.md).',
  'two-a.md': '# Two A\n\nSee the [sheet](sheet.txt).',
  'deep.md': '# Deep\n\nSee [the first](one.md).',
  'three.md': '# Three\n\nSee the [notes](notes.txt).',
  'notes.txt': 'Light notes.',
  'sheet.txt': 'BULKY sheet.',
};

export interface RefusedContent extends AsyncDisposable {
  readonly contentServer: ContentPlaceOptions;
  /** What stands in a text, a title or a file that is refused: archives for this machine are not packed. */
  marks: readonly string[];
  /** How many archives were asked for. */
  readonly asked: () => number;
}

export async function refusedContent(world: TestWorld, ...marks: string[]): Promise<RefusedContent> {
  const directory = world.folder();
  const state = { marks, count: 0 };
  const server = createServer((request, response) => {
    const path = join(directory, (request.url ?? '').slice(1));
    void readFile(path).then(
      (bytes) => {
        state.count += 1;
        const isRefused = state.marks.some((mark) => bytes.includes(mark));
        response.writeHead(isRefused ? 451 : 200).end(isRefused ? '' : bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const addressTemplate = `http://127.0.0.1:${port}/{name}`;
  return Object.assign(state, {
    contentServer: { host: '127.0.0.1', port: 0, publicUrl: null, directory, addressTemplate },
    asked: () => state.count,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  });
}
