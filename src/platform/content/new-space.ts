import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { insertRevision } from '../store/revisions.ts';
import { endPosition, type Place } from '../store/siblings.ts';
import type { SpaceRow } from '../store/tables.ts';
import type { Tree } from './tree.ts';

const SPACE_TITLE_LENGTH = 50;
const DEFAULT_EMOJI = '📄';

export interface NewSpace extends Place {
  title?: string | undefined;
  emoji?: string | undefined;
  editMode?: SpaceRow['edit_mode'] | undefined;
  defaultLevel?: SpaceRow['default_level'];
  /** As open as the place when absent. */
  visibility?: SpaceRow['visibility'];
  /** Behind everything else at the place when absent. */
  position?: string;
}

/** Makes a space whose first revision `content` gives, and answers its id. */
export function insertSpace(context: PlatformContext, space: NewSpace, content: (id: string) => Tree): string {
  const { organization, parent } = space;
  const id = context.random.id();
  const now = isoTime(context.clock.now());
  context.db.run(
    context.db.sql.insertInto('spaces').values({
      id,
      organization,
      parent,
      title: space.title ?? 'Untitled',
      emoji: space.emoji ?? DEFAULT_EMOJI,
      visibility: space.visibility ?? (parent === null ? 'private' : 'in-collection'),
      created_at: now,
      updated_at: now,
      deleted_at: null,
      edit_mode: space.editMode ?? 'live',
      revision: '',
      default_level: space.defaultLevel === undefined ? 'inherit' : space.defaultLevel,
      position: space.position ?? endPosition(context, { organization, parent }),
    }),
  );
  const revision = insertRevision(context, { space: id, type: 'edits', parents: [], tree: content(id) });
  context.db.run(context.db.sql.updateTable('spaces').set({ revision }).where('id', '=', id));
  return id;
}

/** The beginning of a text that fits as the title of a space. */
export function spaceTitle(text: string): string {
  return Array.from(text).slice(0, SPACE_TITLE_LENGTH).join('');
}
