// Links of what is made anew into what stays where it was: told before the first write, as nobody sees it afterwards.
import { count } from '../base/index.ts';
import type { SnapshotReader } from '../mirror/index.ts';
import { spacesLinked } from './links.ts';
import { titleOf } from './resource.ts';
import type { PlanStep, PreflightCheck } from './types.ts';

const SHOWN_SPACES = 5;

/** A warning where pages link into spaces of the snapshot that do not come along; they lead to the originals. */
export function linksElsewhere(reader: SnapshotReader, steps: readonly PlanStep[]): PreflightCheck[] {
  const made = new Set(steps.filter(({ kind, part }) => kind === 'space' && part === 'create').map(({ key }) => key));
  const left = new Set<string>();
  let pages = 0;
  for (const { kind, part, key } of steps) {
    if (kind !== 'revision' || part !== 'links') continue;
    for (const page of reader.resources('page', key)) {
      const into = spacesLinked(page.text ?? '', key).filter((id) => !made.has(id) && reader.one('space', id));
      for (const id of into) left.add(id);
      if (into.length > 0) pages += 1;
    }
  }
  if (pages === 0) return [];
  const verb = pages === 1 ? 'links' : 'link';
  const detail = `${count(pages, 'page')} ${verb} into ${namesOf(reader, left)}: not part of this plan, so these links keep leading to the originals`;
  return [{ check: 'links elsewhere', state: 'warn', detail }];
}

function namesOf(reader: SnapshotReader, spaces: ReadonlySet<string>): string {
  const names = [...spaces].map((id) => {
    const space = reader.one('space', id);
    const organization = reader.one('organization', String(space?.body['organization']));
    return `${space ? titleOf(space) : id}${organization ? ` of ${titleOf(organization)}` : ''}`;
  });
  const more = names.length - SHOWN_SPACES;
  return `${names.slice(0, SHOWN_SPACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
