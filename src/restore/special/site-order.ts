// In which order the parts of a site stood. Lists of parts inside a resource tell it; the listings tell it by first sight.
import { isRecord } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { idAt, idsAt, inOrder, textAt } from '../resource.ts';

/** Site spaces of a section, or of the root when there is no section. */
export function spacesIn(reader: SnapshotReader, site: Resource, section: string | undefined): Resource[] {
  const places = inOrder(reader.resources('site-space', site.key)).filter(
    ({ body }) => textAt(body, 'section') === section,
  );
  const told = section === undefined ? publishedOrder(reader, site) : orderOf(reader, `${site.key}/${section}`);
  return byIds(places, told);
}

function orderOf(reader: SnapshotReader, section: string): string[] {
  return idsAt(reader.one('site-section', section)?.body['siteSpaces']);
}

/** Every section of a site: those of a group in the order of the group. */
export function sectionsOf(reader: SnapshotReader, site: Resource): Resource[] {
  const sections = inOrder(reader.resources('site-section', site.key));
  const groups = inOrder(reader.resources('site-section-group', site.key));
  const grouped = groups.flatMap(({ body }) => idsAt(body['sections']));
  const told = publishedOrder(reader, site);
  const free = byIds(
    sections.filter(({ id }) => !grouped.includes(id)),
    told,
  );
  return [
    ...free,
    ...byIds(
      sections.filter(({ id }) => grouped.includes(id)),
      grouped,
    ),
  ];
}

/** Groups and the sections outside of groups, which share one order. */
export function rootOrder(reader: SnapshotReader, site: Resource): Resource[] {
  const groups = inOrder(reader.resources('site-section-group', site.key));
  const holder = new Map(groups.flatMap((group) => idsAt(group.body['sections']).map((id) => [id, group])));
  // The listing of sections goes through the groups too: a group stands where its first section does.
  const listed = inOrder(reader.resources('site-section', site.key)).map((one) => holder.get(one.id) ?? one);
  return byIds([...new Set([...listed, ...groups])], publishedOrder(reader, site));
}

/** Ids at the root of the site as its published structure shows them; empty while the site is not published. */
function publishedOrder(reader: SnapshotReader, site: Resource): string[] {
  const structure = reader.one('published-site', site.key)?.body['structure'];
  const items = isRecord(structure) ? structure['structure'] : undefined;
  return (Array.isArray(items) ? items : []).map(idAt).filter((id) => id !== undefined);
}

/** In the order of the ids; what they do not name comes after, as it stood. */
function byIds(resources: readonly Resource[], ids: readonly string[]): Resource[] {
  const place = new Map(ids.map((id, i) => [id, i]));
  const last = ids.length;
  return resources.toSorted((a, b) => (place.get(a.id) ?? last) - (place.get(b.id) ?? last));
}

/** The one that people see first. */
export function defaultAmong(resources: readonly Resource[]): Resource | undefined {
  return resources.find(({ body }) => body['default'] === true);
}
