import { type AnswerOf, type Page, Refusal } from '../../contract/index.ts';
import { rolesIn, type Caller } from '../access/authorize.ts';
import type { LinkTarget } from '../../document/index.ts';
import { isPage, type FoundLink, type LinkHolder } from '../content/links.ts';
import type { StoredRevision } from '../content/revision-cache.ts';
import type { TreePage } from '../content/tree.ts';
import type { PlatformContext } from '../context.ts';
import { findOrganization } from '../store/people.ts';
import { countedSpace, findSpace } from '../store/spaces.ts';
import { showSpace } from './containers.ts';
import { showFile, showPage, showReusableContent } from './content.ts';
import { showOrganization } from './organization.ts';

type Link = AnswerOf<'listSpaceLinks'>['items'][number];
type Reference = Link['locationReferences'][number];
/** Members beside `kind` depend on it. */
type Shown = Reference & Record<string, unknown>;

const DEPENDENCIES: ReadonlySet<LinkTarget['kind']> = new Set(['reusable-content', 'openapi']);

/** For whom links are shown, and the revision that holds them. */
export interface LinkView {
  caller: Caller;
  revision: StoredRevision;
  /** Spaces as this answer shows them, by id: filled as they are needed, since thousands of links may name the same one. */
  places: Map<string, ShownPlace>;
}

/** A space and its organization; nothing where the caller must not see it. */
type ShownPlace = Pick<Shown, 'organization' | 'space'>;

export function showLink(context: PlatformContext, link: FoundLink, view: LinkView): Link {
  return {
    status: link.status,
    // Without these the page itself could not be shown; other links only lead away from it.
    relation: DEPENDENCIES.has(link.target.kind) ? ('dependsOn' as const) : ('reference' as const),
    targetReference: targetReference(context, link.target, view),
    locationReferences: link.holders.map((holder) => holderReference(context, holder, view)),
  };
}

/** A part of the revision as a reference: with the space and the organization it belongs to. */
export function holderReference(context: PlatformContext, holder: LinkHolder, view: LinkView): Shown {
  const place = placeOf(context, view.revision.space, view);
  if (isPage(holder)) return { kind: 'page', ...place, page: withoutPages(context, holder, view) };
  return { kind: 'reusable-content', ...place, reusableContent: showReusableContent(holder) };
}

function targetReference(context: PlatformContext, target: LinkTarget, view: LinkView): Shown {
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url };
    case 'file': {
      const file = ownIn(view, target.space)?.files.get(target.file);
      // Without its download address, which would be another one each time.
      const { downloadURL: _, ...shown } = file ? showFile(context, file) : { id: target.file, downloadURL: '' };
      return { kind: 'file', ...placeOf(context, target.space, view), file: shown };
    }
    case 'page': {
      const page = ownIn(view, target.space)?.pages.get(target.page);
      const shown = page ? withoutPages(context, page, view) : { id: target.page };
      const { anchor } = target;
      const inside = anchor === undefined ? {} : { internalLocation: { type: 'anchor', anchor } };
      return { kind: 'page', ...placeOf(context, target.space, view), page: shown, ...inside };
    }
    case 'space':
      return { kind: 'space', ...placeOf(context, target.space, view) };
    case 'collection':
      return { kind: 'collection', collection: { id: target.collection } };
    case 'user':
      return { kind: 'user', user: { id: target.user } };
    case 'reusable-content': {
      const content = ownIn(view, target.space)?.reusableContents.get(target.content);
      const reusableContent = content ? showReusableContent(content) : { id: target.content };
      return { kind: 'reusable-content', ...placeOf(context, target.space, view), reusableContent };
    }
    case 'openapi':
      return { kind: 'openapi', openAPISpec: { slug: target.slug } };
  }
}

/** The revision that is shown, when it is the one of this space. */
function ownIn({ revision }: LinkView, space: string): StoredRevision | undefined {
  return space === revision.space ? revision : undefined;
}

// What lies below a page is no part of a reference to it.
function withoutPages(context: PlatformContext, page: TreePage, view: LinkView): Omit<Page, 'pages'> {
  const { pages: _, ...shown } = showPage(context, view.revision.space, { ...page, pages: [] });
  return shown;
}

function placeOf(context: PlatformContext, id: string, { caller, places }: LinkView): ShownPlace {
  const shown = places.get(id) ?? showPlace(context, id, caller);
  places.set(id, shown);
  return shown;
}

// A space that the caller must not see, or that is gone, is named by nothing but the link itself.
function showPlace(context: PlatformContext, id: string, caller: Caller): ShownPlace {
  try {
    const space = findSpace(context, id);
    const { role, content } = rolesIn(context, space.organization, caller.user);
    const spaceRole = content.of(space);
    if (spaceRole === null) return {};
    return {
      organization: showOrganization(context, findOrganization(context, space.organization), role),
      space: showSpace(context, countedSpace(context, id), spaceRole),
    };
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}
