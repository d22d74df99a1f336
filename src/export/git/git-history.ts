// The history of an export as a git repository beside it: one commit for each snapshot that changed something in the tree.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, writeFileAtomic, type Environment } from '../../base/index.ts';
import { askGit, COMMITTER, runGit, type GitPlace } from './git.ts';
import type { TreeFiles } from '../files/tree-files.ts';
import { GIT_LINK, gitFolderOf, gitLinkText, isOfAnotherUser, othersGit } from './git-place.ts';
import { readyRepository } from './git-ready.ts';

export interface CommitFacts {
  readonly snapshot: number;
  /** When it began. */
  readonly at: string;
  readonly state: string;
}

/** The repository of an export. */
export function gitPlaceOf(target: string, environment: Environment): GitPlace {
  return { target, gitFolder: gitFolderOf(target), environment };
}

/** Throws DM_USAGE when there is no git, when the folder is a repository of somebody else, and when another user has put one beside it. */
export async function refuseWithoutGit(place: GitPlace): Promise<void> {
  const others = othersGit(place.target);
  if (others !== null) {
    const why = others === 'folder' ? 'is a folder' : 'leads to none of an export';
    throw new AppError('DM_USAGE', `${place.target} is in a git repository of somebody else: its .git ${why}`, {
      hint: 'Move its .git elsewhere, or export without git. Nothing was changed.',
    });
  }
  if (isOfAnotherUser(place.gitFolder)) {
    throw new AppError(
      'DM_USAGE',
      `${place.gitFolder} is a repository of another user, who may have git start programs`,
      {
        hint: 'Run this as that user, move the repository elsewhere, or export without git. Nothing was changed.',
      },
    );
  }
  await runGit(place, { args: ['--version'] });
}

/**
 * Commits the files of the export as they are, and nothing else that is in the folder; answers the id of the commit, or null when
 * nothing differs from the last one. What an earlier run did not come to is caught up with.
 */
export async function commitTree(place: GitPlace, files: TreeFiles, facts: CommitFacts): Promise<string | null> {
  await readyRepository(place);
  await demandLine(place, 'exclude', OWN_FILES);
  await demandLine(place, 'attributes', AS_THEY_ARE);
  const link = join(place.target, GIT_LINK);
  if (!existsSync(link)) await writeFileAtomic(link, gitLinkText(place.target), 0o666);
  const gone = await listGone(place, files).catch(() => {
    // An index that a power cut has left empty or cut short holds nothing that cannot be made again from the files.
    rmSync(join(place.gitFolder, 'index'), { force: true });
    return listGone(place, files);
  });
  await runGit(place, { args: ['update-index', '--force-remove', '-z', '--stdin'], input: withNul(gone) });
  const add = { args: ['update-index', '--add', '-z', '--stdin'], input: withNul(files.all()), isLasting: true };
  await runGit(place, add);
  return commitStaged(place, facts);
}

/**
 * Tells the files of the commit that is checked out: the last export may know nothing of those that an earlier one wrote. Nothing of a
 * commit that a person made, which may hold what is theirs, and nothing where git cannot say: the commit of this night will tell why.
 */
export async function listCheckedOut(place: GitPlace, onPath: (path: string) => void): Promise<void> {
  const committer = await askGit(place, ['log', '-1', '--format=%cn <%ce>', 'HEAD']).catch(() => '');
  if (committer !== COMMITTER) return;
  await runGit(place, { args: ['ls-tree', '-r', '-z', '--name-only', 'HEAD'], onChunk: linesByNul(onPath) });
}

/** What the last commit had and the export has not. */
async function listGone(place: GitPlace, files: TreeFiles): Promise<string[]> {
  const gone: string[] = [];
  const listed = linesByNul((path) => {
    if (!files.has(path)) gone.push(path);
  });
  await runGit(place, { args: ['ls-files', '-z'], onChunk: listed });
  return gone;
}

/** Adds a line to one of the repository's own lists; what a person has written there stays. */
async function demandLine({ gitFolder }: GitPlace, list: string, line: string): Promise<void> {
  const file = join(gitFolder, 'info', list);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text.split('\n').includes(line)) return;
  mkdirSync(dirname(file), { recursive: true });
  await writeFileAtomic(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}

/** Our notes beside the tree are part of no commit, and nothing that a person has forgotten. */
const OWN_FILES = '/.docmirror-*';
/** A commit has the bytes of the export, whatever `.gitattributes` of a person or of the system say of line ends and the like. */
const AS_THEY_ARE = '* -text -ident -filter !working-tree-encoding';

async function commitStaged(place: GitPlace, { snapshot, at, state }: CommitFacts): Promise<string | null> {
  const counts = await countStaged(place);
  if (counts.A + counts.M + counts.D === 0) return null;
  const subject = `Snapshot ${snapshot} of ${at}: ${counts.A} added, ${counts.M} changed, ${counts.D} removed`;
  const input = [`${subject}\n\nThe snapshot is ${state}. Counted are files.\n`];
  await runGit(place, {
    args: ['commit', '--quiet', '--no-verify', `--date=${at}`, '--file=-'],
    input,
    isLasting: true,
  });
  await runGit(place, { args: ['gc', '--auto', '--quiet'] });
  return askGit(place, ['rev-parse', 'HEAD']);
}

async function countStaged(place: GitPlace): Promise<{ A: number; M: number; D: number }> {
  const counts = { A: 0, M: 0, D: 0 };
  const count = linesByNul((word) => {
    if (word === 'A' || word === 'M' || word === 'D') counts[word] += 1;
  });
  // Paths stand between the letters; none of ours is a single letter, as each has an extension or is a list at the root.
  await runGit(place, {
    args: ['diff-index', '--cached', '--name-status', '--no-renames', '-z', await treeOfHead(place)],
    onChunk: count,
  });
  return counts;
}

/** HEAD, or the tree that is empty when its branch has no commit yet, whatever others and tags there are. */
async function treeOfHead(place: GitPlace): Promise<string> {
  const marks = await askGit(place, ['for-each-ref', '--format=%(HEAD)', 'refs/heads']);
  return marks.includes('*') ? 'HEAD' : EMPTY_TREE;
}

// Known to every git without being stored.
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function* withNul(paths: Iterable<string>): Generator<string> {
  for (const path of paths) yield `${path}\0`;
}

function linesByNul(onPart: (part: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) onPart(part);
  };
}
