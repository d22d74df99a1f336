// The installed packages and the Markdown and images that they brought along.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../../base/index.ts';

/** One installed package. File paths are relative to its folder, with `/`, sorted. */
export interface InstalledPackage {
  name: string;
  version: string;
  description: string;
  homepage: string;
  folder: string;
  documents: string[];
}

const DOCUMENT = /\.(?:md|markdown)$/i;
const LEGAL = /(?:^|\/)(?:licen[cs]e|third|notice|authors|code_of_conduct)[^/]*$/i;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'test', 'tests', 'vendor', 'deps']);
const MAX_DEPTH = 4;

/** All packages that have documents, by name; one that is built for one system only is left out, so that every system gives the same. */
export async function installedPackages(): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  for (const root of packageFolders()) {
    for (const name of await packageNames(root)) {
      if (found.has(name)) continue;
      const installed = await readPackage(name, path.join(root, name));
      if (installed && installed.documents.length > 0) found.set(name, installed);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Every `node_modules` that this program could load from, the nearest first. */
function packageFolders(): string[] {
  const folders: string[] = [];
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (let parent = path.dirname(folder); parent !== folder; folder = parent, parent = path.dirname(folder)) {
    const candidate = path.basename(folder) === 'node_modules' ? folder : path.join(folder, 'node_modules');
    if (existsSync(candidate) && !folders.includes(candidate)) folders.push(candidate);
  }
  return folders;
}

async function packageNames(root: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(root)) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) names.push(name);
    else for (const scoped of await readdir(path.join(root, name))) names.push(`${name}/${scoped}`);
  }
  return names.sort();
}

async function readPackage(name: string, folder: string): Promise<InstalledPackage | undefined> {
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const about: unknown = JSON.parse(await readFile(manifest, 'utf8'));
  if (!isRecord(about) || about['os'] !== undefined || about['cpu'] !== undefined) return undefined;
  return {
    name,
    version: textOf(about['version']),
    description: textOf(about['description']),
    homepage: textOf(about['homepage']),
    folder,
    documents: await documentsIn(folder),
  };
}

async function documentsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (inside: string, depth: number): Promise<void> => {
    for (const entry of await readdir(path.join(folder, inside), { withFileTypes: true })) {
      // An import takes no page from there.
      if (entry.name.startsWith('.')) continue;
      const file = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH && !SKIPPED_FOLDERS.has(entry.name)) await visit(file, depth + 1);
      else if (entry.isFile() && DOCUMENT.test(file) && !LEGAL.test(file)) found.push(file);
    }
  };
  await visit('', 0);
  return found.sort();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
