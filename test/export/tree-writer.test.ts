import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/index.ts';
import { ExportIndex } from '../../src/export/written/export-index.ts';
import { PARTS, REACH, type FileEntry } from '../../src/export/written/index-rows.ts';
import { TreeWriter } from '../../src/export/files/tree-writer.ts';
import { createTestMirror, type TestMirror } from '../support/mirror-builder.ts';

const OBJECT = sha256('bytes');
const LARGE = Buffer.alloc(300 * 1024, 7);

let folder: string;
let world: TestMirror;
let index: ExportIndex;
let writer: TreeWriter;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docmirror-tree-'));
  world = await createTestMirror();
  index = new ExportIndex(join(folder, 'index.db'), false);
  writer = new TreeWriter({ building: join(folder, 'tree'), objects: world.mirror.objects, index });
});
afterEach(async () => {
  await writer[Symbol.asyncDispose]();
  index[Symbol.dispose]();
  world[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const entryOf = (path: string): FileEntry => ({ path, space: 1, part: PARTS.content, owner: null, reach: REACH.none });

function store(bytes: string | Buffer, name: string): { object: string; size: number } {
  const place = world.mirror.objects.pathOf(name);
  mkdirSync(join(place, '..'), { recursive: true });
  writeFileSync(place, bytes);
  return { object: name, size: bytes.length };
}

describe('export/files/tree-writer', () => {
  it('tells the index of a file once it is on disk, with its hash, its size and its time', async () => {
    writer.putText(entryOf('a/b.md'), 'Grüße');
    expect(index.file('a/b.md')).toBeUndefined();
    await writer.settled();
    const { size, mtimeMs: mtime } = statSync(join(folder, 'tree/a/b.md'));
    const row = { size, mtime, sha256: Buffer.from(sha256('Grüße'), 'hex'), seen: index.run, written: index.run };
    expect(index.file('a/b.md')).toMatchObject({ ...entryOf('a/b.md'), ...row });
    expect(readFileSync(join(folder, 'tree/a/b.md'), 'utf8')).toBe('Grüße');
    expect(writer.written).toBe(1);
  });

  it('takes no second file of the same path when the first one is on disk', async () => {
    writer.putText(entryOf('a.md'), 'one');
    await writer.settled();
    expect(() => writer.putText(entryOf('a.md'), 'two')).toThrow('Two files of the export have the path "a.md"');
  });

  it('takes no second file of the same path when the first one is on its way', async () => {
    writer.putText(entryOf('a.md'), 'one');
    expect(() => writer.putText(entryOf('a.md'), 'two')).toThrow('Two files of the export have the path "a.md"');
    await writer.settled();
    expect(readFileSync(join(folder, 'tree/a.md'), 'utf8')).toBe('one');
  });

  it.each([
    ['small', 'bytes', OBJECT],
    ['large', LARGE, sha256(LARGE)],
  ])('takes a %s object whose bytes are what its name says, and no other', async (_, bytes, name) => {
    const missing = { code: 'DM_CHECK_FAILED', message: `Object ${name} of the mirror is missing` };
    await expect(writer.putObject(entryOf('none.png'), { object: name, size: bytes.length })).rejects.toMatchObject(
      missing,
    );
    const object = store(bytes, name);
    await writer.putObject(entryOf('good.png'), object);
    await writer.settled();
    expect(index.file('good.png')).toMatchObject({ sha256: Buffer.from(name, 'hex'), size: bytes.length });
    store(Buffer.alloc(bytes.length), name);
    const put = async (): Promise<void> => {
      await writer.putObject(entryOf('bad.png'), object);
      await writer.settled();
    };
    await expect(put()).rejects.toMatchObject({ code: 'DM_CHECK_FAILED' });
    expect(index.file('bad.png')).toBeUndefined();
  });

  it('writes a text of any length whole, however many bytes its characters take: a long page ended in its middle', async () => {
    const texts = ['a'.repeat(300_000), 'é'.repeat(140_000), '語'.repeat(90_000), '😀'.repeat(200_000)];
    for (const [index, text] of texts.entries()) writer.putText(entryOf(`${index}.md`), text);
    await writer.settled();
    for (const [index, text] of texts.entries())
      expect(readFileSync(join(folder, `tree/${index}.md`), 'utf8') === text, `text ${index}`).toBe(true);
  });

  it('writes lines that are more than one text whole, and again only where they changed: 200,000 comments of a space took 675 MiB', async () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, line) => `${JSON.stringify({ line, text: 'Grüße 😀 '.repeat(5) })}\n`,
    );
    const place = join(folder, 'tree/all.jsonl');
    writer.putLines(entryOf('all.jsonl'), lines);
    writer.putLines(entryOf('few.jsonl'), lines.slice(0, 2));
    writer.putLines(entryOf('none.jsonl'), []);
    expect(() => writer.putLines(entryOf('all.jsonl'), lines)).toThrow('Two files of the export have the path');
    await writer.settled();
    expect(readFileSync(place, 'utf8') === lines.join('')).toBe(true);
    expect(readFileSync(join(folder, 'tree/few.jsonl'), 'utf8')).toBe(lines.slice(0, 2).join(''));
    expect([existsSync(join(folder, 'tree/none.jsonl')), writer.written]).toEqual([false, 2]);
    const { size, mtimeMs: mtime } = statSync(place);
    const sha = Buffer.from(sha256(lines.join('')), 'hex');
    expect(index.file('all.jsonl')).toMatchObject({ size, mtime, sha256: sha, written: index.run });
    index.close();
    index = new ExportIndex(join(folder, 'index.db'), false);
    await using next = new TreeWriter({ building: join(folder, 'next'), objects: world.mirror.objects, index });
    next.putLines(entryOf('all.jsonl'), lines);
    expect([existsSync(join(folder, 'next/all.jsonl')), next.written]).toEqual([false, 0]);
    expect(index.file('all.jsonl')).toMatchObject({ seen: index.run, written: index.run - 1 });
    const other = lines.with(-1, '{"line":"other"}\n');
    next.putLines({ ...entryOf('all.jsonl'), path: 'other.jsonl' }, other);
    expect(readFileSync(join(folder, 'next/other.jsonl'), 'utf8') === other.join('')).toBe(true);
  });

  it('leaves its folder for no path', () => {
    for (const path of ['../x', 'a/../../x', '/x', 'a\0b'])
      expect(() => writer.putText(entryOf(path), 'x')).toThrow('leaves its folder');
  });
});
