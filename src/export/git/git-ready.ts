// The repository of an export as a night finds it: new, left by a git that was killed, or where a person has looked around in it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, runGit, type GitPlace } from './git.ts';

const BRANCH = 'refs/heads/main';

/** Makes the repository when there is none, and frees it of what would keep each further night from being recorded. */
export async function readyRepository(place: GitPlace): Promise<void> {
  if (!existsSync(join(place.gitFolder, 'HEAD'))) {
    await runGit(place, { args: ['init', '--quiet', '--initial-branch=main'] });
    await runGit(place, { args: ['config', 'core.bare', 'false'] });
  }
  removeLocks(place.gitFolder);
  await attachHead(place);
}

/** Left by a git that was killed, be it of the index, of HEAD or of a branch: nobody else writes here. */
function removeLocks(gitFolder: string): void {
  const folder = join(gitFolder, 'refs');
  const refs = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const names = [...readdirSync(gitFolder), ...refs.map((name) => join('refs', name))];
  for (const name of names) if (name.endsWith('.lock')) rmSync(join(gitFolder, name), { force: true });
}

/**
 * A person who has checked out an earlier commit to look at it leaves HEAD on no branch. What is committed there is on none either, and
 * gone once they return to theirs. So the branch goes on: from there, if that holds all it has, else from where it was.
 */
async function attachHead(place: GitPlace): Promise<void> {
  if (readFileSync(join(place.gitFolder, 'HEAD'), 'utf8').startsWith('ref:')) return;
  const isThere = (await askGit(place, ['for-each-ref', '--format=%(refname)', BRANCH])) !== '';
  const ahead = isThere ? await askGit(place, ['rev-list', '--count', `HEAD..${BRANCH}`]) : '0';
  if (ahead === '0') await runGit(place, { args: ['update-ref', BRANCH, 'HEAD'] });
  await runGit(place, { args: ['symbolic-ref', 'HEAD', BRANCH] });
}
