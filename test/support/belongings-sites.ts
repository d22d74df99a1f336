// Acts upon sites and their parts.
import { about, at, nameOf, spacesIn, wordOf, type Act, type Acting } from './belonging.ts';

const TYPES = ['basic', 'premium', 'ultimate', 'sponsored'] as const;
const VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
const PATHS = ['docs', 'start', 'a', 'Été', 'a/b'] as const;
const CLAIMS = ['__proto__', 'isBeta', 'unsigned', 'constructor'] as const;

interface Site {
  readonly organizationId: string;
  readonly siteId: string;
}

async function onSite(acting: Acting, act: (path: Site) => unknown): Promise<void> {
  const { items } = await acting.api.listSites({ path: acting.path });
  await about(items, acting.word, ({ id }) => act({ ...acting.path, siteId: id }));
}

const sectionsOf = async ({ api }: Acting, path: Site) =>
  (await api.listSiteSections({ path })).items.map(({ id }) => id);
const groupsOf = async ({ api }: Acting, path: Site) =>
  (await api.listSiteSectionGroups({ path })).items.map(({ id }) => id);
const placesOf = async ({ api }: Acting, path: Site) => (await api.listSiteSpaces({ path })).items.map(({ id }) => id);
const linksOf = async ({ api }: Acting, path: Site) => (await api.listShareLinks({ path })).items.map(({ id }) => id);

const conditionOf = ({ other }: Acting) => ({ condition: other % 2 === 0 ? 'visitor.claims.isBeta' : null });
const iconOf = ({ other }: Acting) => ({ icon: [null, 'book', ''][other % 3] ?? null });

function onSection(acting: Acting, act: (path: Site & { siteSectionId: string }) => unknown): Promise<void> {
  return onSite(acting, async (path) =>
    about(await sectionsOf(acting, path), acting.one, (siteSectionId) => act({ ...path, siteSectionId })),
  );
}

function onGroup(acting: Acting, act: (path: Site & { siteSectionGroupId: string }) => unknown): Promise<void> {
  return onSite(acting, async (path) =>
    about(await groupsOf(acting, path), acting.one, (siteSectionGroupId) => act({ ...path, siteSectionGroupId })),
  );
}

function onPlace(acting: Acting, act: (path: Site & { siteSpaceId: string }) => unknown): Promise<void> {
  return onSite(acting, async (path) =>
    about(await placesOf(acting, path), acting.one, (siteSpaceId) => act({ ...path, siteSpaceId })),
  );
}

/** Before, behind, or at the end. */
function positionAt<T>({ word }: Acting, beside: T | undefined) {
  if (beside === undefined || word % 3 === 0) return {};
  return { position: word % 3 === 1 ? { before: beside } : { after: beside } };
}

export const SITE_ACTS = {
  addSite: async (acting) => {
    const { api, path, one, other, word } = acting;
    const all = await spacesIn(acting);
    const spaces =
      one % 5 === 0 ? 'empty' : one % 5 === 1 ? 'sample' : all.filter((_, index) => (one >> index) % 2 === 1);
    const type = at(TYPES, other) ?? 'basic';
    const visibility = at(VISIBILITIES, other + word) ?? 'public';
    await api.createSite({ path, body: { type, visibility, spaces, title: nameOf({ word }) } });
  },
  setSite: (acting) =>
    onSite(acting, async (path) => {
      const { api, one, other } = acting;
      const [section, place] = [at(await sectionsOf(acting, path), other), at(await placesOf(acting, path), other)];
      const choices = [
        { title: nameOf({ word: other }) },
        { visibility: at(VISIBILITIES, other) ?? ('public' as const) },
        { basename: at(PATHS, other) ?? 'docs' },
        { adaptiveContent: { enabled: other % 2 === 0 } },
        { proxy: other % 2 === 0 ? null : 'example.com/docs' },
        ...(section === undefined ? [] : [{ defaultSiteSection: section }]),
        ...(place === undefined ? [] : [{ defaultSiteSpace: place }]),
      ];
      await api.updateSite({ path, body: at(choices, one) ?? {} });
    }),
  removeSite: (acting) => onSite(acting, (path) => acting.api.deleteSite({ path })),
  publishSite: (acting) =>
    onSite(acting, ({ siteId }) => acting.world.platform.publishSite(siteId, acting.other % 3 > 0)),
  setSchema: (acting) =>
    onSite(acting, (path) => {
      const claim = { type: 'boolean' as const, description: wordOf({ word: acting.one }) };
      const properties = Object.fromEntries([[at(CLAIMS, acting.other) ?? 'isBeta', claim]]);
      const jsonSchema = { type: 'object' as const, properties, additionalProperties: false as const };
      return acting.api.putSiteAdaptiveSchema({ path, body: acting.one % 4 === 0 ? {} : { jsonSchema } });
    }),
  addSection: (acting) =>
    onSite(acting, async (path) =>
      about(await spacesIn(acting), acting.one, (spaceId) =>
        acting.api.createSiteSection({
          path,
          body: { spaceId, ...(acting.other % 3 === 0 ? {} : { title: nameOf({ word: acting.other }) }) },
        }),
      ),
    ),
  setSection: (acting) =>
    onSection(acting, async (path) => {
      const { items } = await acting.api.listSiteSections({ path });
      const own = items.find(({ id }) => id === path.siteSectionId)?.siteSpaces ?? [];
      const place = at(own, acting.other)?.id;
      const choices = [
        { title: nameOf({ word: acting.other }) },
        { path: at(PATHS, acting.other) ?? 'a' },
        conditionOf(acting),
        iconOf(acting),
        { description: acting.other % 4 === 0 ? null : wordOf({ word: acting.other }, 256) },
        ...(place === undefined ? [] : [{ defaultSiteSpace: place }]),
      ];
      await acting.api.updateSiteSection({ path, body: at(choices, acting.one + acting.other) ?? {} });
    }),
  moveSection: (acting) =>
    onSection(acting, async (path) => {
      const beside = at(await sectionsOf(acting, path), acting.other);
      const pointer = beside === undefined ? undefined : { type: 'site-section' as const, siteSection: beside };
      await acting.api.moveSiteSection({ path, body: positionAt(acting, pointer) });
    }),
  removeSection: (acting) => onSection(acting, (path) => acting.api.deleteSiteSection({ path })),
  addGroup: (acting) =>
    onSite(acting, async (path) => {
      const sections = (await sectionsOf(acting, path)).filter((_, index) => (acting.one >> index) % 2 === 1);
      const body = { title: nameOf({ word: acting.other }), ...iconOf(acting), sections };
      await acting.api.createSiteSectionGroup({ path, body });
    }),
  setGroup: (acting) =>
    onGroup(acting, (path) =>
      acting.api.updateSiteSectionGroup({
        path,
        body: acting.word % 2 === 0 ? { title: nameOf({ word: acting.other }) } : iconOf(acting),
      }),
    ),
  moveGroup: (acting) =>
    onGroup(acting, async (path) => {
      const sections = (await sectionsOf(acting, path)).map((id) => ({ type: 'site-section' as const, id }));
      const groups = (await groupsOf(acting, path)).map((id) => ({ type: 'site-section-group' as const, id }));
      const beside = at([...sections, ...groups], acting.other);
      await acting.api.moveSiteSectionGroup({ path, body: positionAt(acting, beside) });
    }),
  removeGroup: (acting) => onGroup(acting, (path) => acting.api.deleteSiteSectionGroup({ path })),
  joinGroup: (acting) =>
    onGroup(acting, async (path) =>
      about(await sectionsOf(acting, path), acting.other, (sectionId) =>
        acting.api.addSectionToGroup({ path, body: { sectionId } }),
      ),
    ),
  leaveGroup: (acting) =>
    onGroup(acting, async (path) =>
      about(await sectionsOf(acting, path), acting.other, (siteSectionId) =>
        acting.api.removeSectionFromGroup({ path: { ...path, siteSectionId } }),
      ),
    ),
  addPlace: (acting) =>
    onSite(acting, async (path) => {
      const sectionId = at(await sectionsOf(acting, path), acting.one);
      await about(await spacesIn(acting), acting.other, (spaceId) =>
        acting.api.createSiteSpace({ path, body: { spaceId, ...(sectionId === undefined ? {} : { sectionId }) } }),
      );
    }),
  setPlace: (acting) =>
    onPlace(acting, (path) =>
      acting.api.updateSiteSpace({
        path,
        body: acting.word % 2 === 0 ? { path: at(PATHS, acting.other) ?? 'a' } : conditionOf(acting),
      }),
    ),
  movePlace: (acting) =>
    onPlace(acting, async (path) => {
      const beside = at(await placesOf(acting, path), acting.other);
      const pointer = beside === undefined ? undefined : { type: 'site-space' as const, siteSpace: beside };
      await acting.api.moveSiteSpace({ path, body: positionAt(acting, pointer) });
    }),
  removePlace: (acting) => onPlace(acting, (path) => acting.api.deleteSiteSpace({ path })),
  addLink: (acting) =>
    onSite(acting, (path) => acting.api.createShareLink({ path, body: { name: wordOf({ word: acting.other }) } })),
  setLink: (acting) =>
    onSite(acting, async (path) =>
      about(await linksOf(acting, path), acting.one, (shareLinkId) =>
        acting.api.updateShareLink({
          path: { ...path, shareLinkId },
          body: acting.one % 2 === 0 ? { active: acting.other % 2 === 0 } : { name: wordOf({ word: acting.other }) },
        }),
      ),
    ),
  removeLink: (acting) =>
    onSite(acting, async (path) =>
      about(await linksOf(acting, path), acting.one, (shareLinkId) =>
        acting.api.deleteShareLink({ path: { ...path, shareLinkId } }),
      ),
    ),
} satisfies Record<string, Act>;
