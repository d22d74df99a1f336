// A site shows spaces at its root or has sections: with the first section that a restore makes, the platform gathers what stood at the
// root in one of its own, which no step has made. The way back takes that away, too, and puts what it shows at the root again.
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { keyAbove, textAt } from '../resource.ts';
import type { Plan } from '../types.ts';
import { IS_LEFT } from './later-restores.ts';

interface Stands {
  readonly plan: Pick<Plan, 'steps'>;
  /** True for a step that has written something. */
  readonly isWritten: (step: number) => boolean;
  readonly before: SnapshotReader;
  readonly live: SnapshotReader;
}

/** The sections in which the platform has gathered roots, and what these show of that. */
export function wrappedRoots({ plan, isWritten, before, live }: Stands): Resource[] {
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
