// Where the history of an export lies: beside it, so that it outlives the tree, which is replaced as a whole.
import { basename, dirname, join } from 'node:path';

/** The file in the tree that makes it a working tree of the repository. */
export const GIT_LINK = '.git';

export function gitFolderOf(target: string): string {
  return join(dirname(target), gitFolderName(target));
}

export function gitLinkText(target: string): string {
  return `gitdir: ../${gitFolderName(target)}\n`;
}

function gitFolderName(target: string): string {
  return `.${basename(target)}.docmirror-git`;
}
