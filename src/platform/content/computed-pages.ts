// Pages that are made from a specification when they are read. The stored tree holds one `computed` entry for all of them.
import { sha256 } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { parseSpec } from '../openapi/read-spec.ts';
import { hasModels, specOf, specText, tagsOf, type Spec, type SpecPart } from '../openapi/spec-text.ts';
import { specBySlug } from '../store/openapi.ts';
import { readBlob } from '../store/blobs.ts';
import { readDocument } from '../store/revisions.ts';
import { indexTree, type StoredRevision } from './revision-cache.ts';
import { slugOf, uniqueSlug } from '../import/slug.ts';
import type { TreePage } from './tree.ts';

type Computed = NonNullable<TreePage['computed']>;
type Sources = Pick<PlatformContext, 'db' | 'specs' | 'shown'>;

/** The source of pages that a specification of the organization, named by its slug, gives. */
export function openApiSource(slug: string): Computed {
  return { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } }, props: {} };
}

/** A revision as it was shown last, which it stays while its sources have the same versions. */
export interface Shown {
  readonly versions: string;
  readonly revision: StoredRevision;
}

/** The revision with every computed entry as the document pages that it stands for now. */
export function withComputedPages(context: Sources, revision: StoredRevision): StoredRevision {
  if (revision.computed.length === 0) return revision;
  const versions = versionsIn(context, revision);
  const name = [...versions.values()].map(String).join(' ');
  const known = context.shown.get(revision);
  if (known?.versions === name) return known.revision;
  const made = expandedTree(context, revision, versions);
  context.shown.set(revision, { versions: name, revision: made });
  return made;
}

/** The newest versions of the specifications that entries are computed from, by the id of the entry; null where there is none. */
function versionsIn(context: Sources, { space, computed }: StoredRevision): Map<string, string | null> {
  const organization = context.db
    .prepare<{ organization: string }>('select organization from spaces where id = ?')
    .get(space)?.organization;
  const versionOf = ({ computed: source }: TreePage): string | null => {
    const slug = source?.dependencies?.spec?.ref?.spec ?? '';
    return specBySlug(context, organization ?? '', slug)?.last_version ?? null;
  };
  return new Map(computed.map((entry) => [entry.id, versionOf(entry)]));
}

function expandedTree(
  context: Sources,
  revision: StoredRevision,
  versions: ReadonlyMap<string, string | null>,
): StoredRevision {
  const expand = (page: TreePage): TreePage => {
    const pages = page.pages.map(expand);
    if (page.type === 'computed') return expanded(context, { ...page, pages }, versions.get(page.id) ?? null);
    return pages.every((inner, index) => inner === page.pages[index]) ? page : { ...page, pages };
  };
  return { ...revision, ...indexTree({ ...revision.tree, pages: revision.tree.pages.map(expand) }) };
}

/** The text of a document page, stored or computed. */
export function pageText(context: PlatformContext, page: TreePage): string {
  const { computed, computedSeed } = page;
  if (!computed || computedSeed === undefined) return readDocument(context, page.documentId);
  const spec = specOfVersion(context, computedSeed);
  const { doc, page: tag } = computed.props ?? {};
  const part: SpecPart =
    doc === 'operations' ? { doc, page: String(tag) } : doc === 'models' ? { doc } : { doc: 'info' };
  return spec ? specText(spec, part) : '';
}

/** Without a processed specification the entry is an empty page. */
function expanded(context: Sources, entry: TreePage, version: string | null): TreePage {
  const source = entry.computed ?? {};
  const spec = version === null ? undefined : specOfVersion(context, version);
  if (version === null || !spec) return { ...entry, type: 'document' };
  const taken = new Set(entry.pages.map(({ slug: own }) => own));
  const pageOf = (title: string, part: SpecPart): TreePage => {
    const own = uniqueSlug(slugOf(title), taken);
    return {
      type: 'document',
      id: sha256(`${entry.id}/${part.doc}/${title}`).slice(0, 20),
      title,
      slug: own,
      path: `${entry.path}/${own}`,
      createdAt: entry.createdAt,
      computed: { ...source, props: part },
      computedSeed: version,
      pages: [],
    };
  };
  const pages = tagsOf(spec).map((tag) => pageOf(tag, { doc: 'operations', page: tag }));
  if (hasModels(spec)) pages.push(pageOf('Models', { doc: 'models' }));
  return {
    ...entry,
    type: 'document',
    computed: { ...source, props: { doc: 'info' } },
    computedSeed: version,
    pages: [...pages, ...entry.pages],
  };
}

function specOfVersion(context: Sources, version: string): Spec | undefined {
  return context.specs.get(version, () => {
    const row = context.db.prepare<{ sha256: string }>('select sha256 from openapi_versions where id = ?').get(version);
    const document = parseSpec((row && readBlob(context, row.sha256)?.toString('utf8')) ?? '');
    return document && specOf(document);
  });
}
