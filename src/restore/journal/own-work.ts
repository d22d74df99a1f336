// What on the target is the work of one restore, as that stands now: only this is taken back.
import type { Resource, RestoreStep, SnapshotReader } from '../../mirror/index.ts';
import { placesGone } from '../in-place/transfers.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { Plan } from '../types.ts';
import { pathsAside, withAside } from './paths-aside.ts';
import { fieldsWrittenBy, touchedBy, withGrouped, type FieldsWritten } from './touched.ts';
import { IS_LEFT } from './later-restores.ts';

interface Done {
  readonly plan: Plan;
  readonly restore: string;
  /** Steps that have written something. */
  readonly written: readonly RestoreStep[];
  /** Ids of its change requests that nobody has merged. */
  readonly waiting: ReadonlySet<string>;
  /** What stood before the restore. */
  readonly before: SnapshotReader;
  readonly live: SnapshotReader;
}

export interface OwnWork {
  readonly has: (resource: Resource) => boolean;
  readonly fields: FieldsWritten;
  /** What the platform has gathered of the roots of sites, when a step made the first section of one. */
  readonly wrapped: readonly Resource[];
}

/** All that the steps wrote, and what the platform did of its own for that. */
export function ownWork({ plan, restore, written, waiting, before, live }: Done): OwnWork {
  const touched = touchedBy(written, plan);
  const places = placesGone(plan, before, live);
  for (const { id } of places) touched.addOwn('site-space', id);
  for (const id of sectionsGone([...placesRemoved(plan, before), ...places], live)) touched.addOwn('site-section', id);
  for (const id of waiting) touched.addOwn('change-request', id);
  const begun = new Set(written.map(({ step }) => step));
  const wrapped = wrappedRoots({ plan, isWritten: (step) => begun.has(step), before, live });
  for (const { kind, id, params } of wrapped) touched.add(kind, id, params['siteId'] ?? '');
  const grouped = sectionsGrouped(written, before, live);
  const fields = withGrouped(fieldsWrittenBy(written, plan), grouped);
  for (const { id } of grouped) touched.addOwn('site-section', id);
  const asides = pathsAside(live, restore, plan.target.organization);
  const whole = new Set(asides.filter((one) => touched.hasOwn(one)));
  for (const { kind, id } of asides) touched.addOwn(kind, id);
  const wrote = withAside(fields, asides, (one) => whole.has(one));
  return { has: (one) => touched.has(one), fields: wrote, wrapped };
}

function placesRemoved({ steps }: Plan, before: SnapshotReader): Resource[] {
  const keys = steps.filter(({ kind, part }) => kind === 'site-space' && part === 'remove').map(({ key }) => key);
  return keys.flatMap((key) => before.one('site-space', key) ?? []);
}

/** Ids of sections: a section goes with the last space that it shows. */
function sectionsGone(places: readonly Resource[], live: SnapshotReader): string[] {
  return places.flatMap(({ key, body }) => {
    const section = textAt(body, 'section');
    const isThere = live.one('site-section', `${keyAbove(key)}/${section ?? ''}`) !== undefined;
    return section === undefined || isThere ? [] : [section];
  });
}

/** Sections that stood before, in a group that was made since and takes in those it is made with. */
function sectionsGrouped(steps: readonly RestoreStep[], before: SnapshotReader, live: SnapshotReader): Resource[] {
  const made = new Set(steps.filter(({ kind }) => kind === 'site-section-group').map(({ new_id: id }) => id));
  if (made.size === 0) return [];
  return [...live.resources('site-section')].filter(
    ({ kind, key, body }) => made.has(textAt(body, 'sectionGroup') ?? '') && before.one(kind, key) !== undefined,
  );
}

interface Stands {
  readonly plan: Pick<Plan, 'steps'>;
  /** True for a step that has written something. */
  readonly isWritten: (step: number) => boolean;
  readonly before: SnapshotReader;
  readonly live: SnapshotReader;
}

/**
 * The sections in which the platform has gathered what stood at the roots of sites, when a step made the first section of one, and what
 * these show of that: no step has made them, and the way back takes them away.
 */
function wrappedRoots({ plan, isWritten, before, live }: Stands): Resource[] {
  const made = plan.steps.filter(
    ({ step, kind, part }) => kind === 'site-section' && part === 'create' && isWritten(step),
  );
  const sites = new Set(made.map(({ key }) => keyAbove(key)));
  return [...sites].flatMap((site) => {
    const places = [...live.resources('site-space', site)].filter((place) => {
      const was = before.one(place.kind, place.key);
      return was !== undefined && textAt(was.body, 'section') === undefined && sectionOf(place) !== undefined;
    });
    const sections = new Set(places.map(sectionOf));
    return [...places, ...[...live.resources('site-section', site)].filter(({ id }) => sections.has(id))];
  });
}

function sectionOf({ body }: Resource): string | undefined {
  return textAt(body, 'section');
}

/** Why such a section stays: what it shows can stand at the root only once no section stands there. */
export function keepsWrapped(
  wrapped: readonly Resource[],
  live: SnapshotReader,
  goes: (section: Resource) => boolean,
): (one: Resource) => string | null {
  const own = new Set(wrapped.filter(({ kind }) => kind === 'site-section').map(({ key }) => key));
  return ({ kind, key }) => {
    if (kind !== 'site-section' || !own.has(key)) return null;
    const sections = [...live.resources(kind, keyAbove(key))];
    return sections.every(goes) ? null : `its site has other sections, which stay: ${IS_LEFT}`;
  };
}
