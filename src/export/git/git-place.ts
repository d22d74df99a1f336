// Where the history of an export lies: beside it, so that it outlives the tree, which is replaced as a whole.
import { lstatSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The file in the tree that makes it a working tree of the repository. */
export const GIT_LINK = '.git';

export function gitFolderOf(target: string): string {
  return join(dirname(target), gitFolderName(target));
}

export function gitLinkText(target: string): string {
  return `gitdir: ../${gitFolderName(target)}\n`;
}

// By whatever way: git itself writes whole paths.
const OF_AN_EXPORT = /^gitdir: (?:[^\n]*\/)?\.[^/\n]*\.docmirror-git\n$/;

/** What makes the folder part of a repository that somebody else keeps: a folder, or what leads to one, as in a worktree; null for nothing. */
export function othersGit(folder: string): 'folder' | 'link' | null {
  const place = join(folder, GIT_LINK);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isDirectory()) return 'folder';
  return found.isFile() && OF_AN_EXPORT.test(readFileSync(place, 'utf8')) ? null : 'link';
}

/** True for a repository that neither this user nor root has made: its settings name programs that git starts. */
export function isOfAnotherUser(gitFolder: string): boolean {
  const found = [lstatSync, statSync].map((look) => look(gitFolder, { throwIfNoEntry: false })?.uid ?? 0);
  const others = found.filter((owner) => owner !== 0);
  if (others.length === 0) return false;
  // A disk of the network may show another owner for all that is made on it.
  const own = ownerOfNew(dirname(gitFolder));
  return others.some((owner) => owner !== own);
}

function ownerOfNew(folder: string): number {
  const made = mkdtempSync(join(folder, '.docmirror-'));
  try {
    return statSync(made).uid;
  } finally {
    rmdirSync(made);
  }
}

function gitFolderName(target: string): string {
  return `.${basename(target)}.docmirror-git`;
}
