// A mirror and a folder to export it to, made anew for each test.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createTestMirror, type TestMirror } from './mirror-builder.ts';

export interface ExportPlace {
  readonly world: TestMirror;
  /** Folder that is there, and in it the one to export to, which is not. */
  readonly above: string;
  readonly to: string;
}

/** Gives each test of the file its own place, and takes it away afterwards. */
export function givenExportPlace(take: (place: ExportPlace) => void): void {
  let place: ExportPlace | undefined;
  beforeEach(async () => {
    const above = mkdtempSync(join(tmpdir(), 'docmirror-export-'));
    place = { world: await createTestMirror(), above, to: join(above, 'content') };
    take(place);
  });
  afterEach(() => {
    place?.world[Symbol.dispose]();
    if (place) rmSync(place.above, { recursive: true, force: true });
    place = undefined;
  });
}

/** The text of each file in a folder by its path, without those of the given names. */
export function readTree(folder: string, without: readonly string[]): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !without.includes(entry.name),
  );
  const files = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted();
  return Object.fromEntries(files.map((file): [string, string] => [file, readFileSync(join(folder, file), 'utf8')]));
}
