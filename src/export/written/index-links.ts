// Links that lead out of a layout, answered from the index: where a page or a file lies in the export.
import { relativeLink, type LinkResolver } from '../layout/links.ts';
import type { ExportIndex } from './export-index.ts';
import { REACH, SPACE_OWNER, type Reach } from './index-rows.ts';

/** How far the links of the text that is being made reach. */
export class ReachMeter {
  reach: Reach = REACH.none;

  reset(): void {
    this.reach = REACH.none;
  }

  note(reach: Reach): void {
    if (reach > this.reach) this.reach = reach;
  }
}

export interface IndexLinksOptions {
  readonly index: ExportIndex;
  /** The space that links without one mean. */
  readonly space: string;
  /** Folder of the layout, relative to the export. */
  readonly root: string;
  readonly meter: ReachMeter;
}

/** Resolves by the index; what it does not know by now has no place. */
export function indexLinks({ index, space, root, meter }: IndexLinksOptions): LinkResolver {
  const resolve = (target: string, owner: string, from: string): string | null => {
    meter.note(target === space ? REACH.space : REACH.beyond);
    const path = index.pathOf(target, owner);
    return path === undefined ? null : relativeLink(`${root}/${from}`, path);
  };
  return {
    page: (target, page, from) => resolve(target ?? space, `page/${page}`, from),
    file: (file, from, named) => resolve(named ?? space, `file/${file}`, from),
    space: (target, from) => resolve(target, SPACE_OWNER, from),
  };
}

/** For a first look: nothing beyond the space is resolved, only noted. */
export function notingLinks(space: string, meter: ReachMeter): LinkResolver {
  return {
    page: (target) => {
      meter.note(target === null || target === space ? REACH.space : REACH.beyond);
      return null;
    },
    file: (_file, _from, named = space) => {
      if (named !== space) meter.note(REACH.beyond);
      return null;
    },
    space: () => {
      meter.note(REACH.beyond);
      return null;
    },
  };
}
