// In place: a site shows spaces at its root or has sections, never both. What stood at the root and stands in a section by now goes back
// once all sections are taken away, and with them all that is in them.
import type { Resource } from '../../mirror/index.ts';
import { addPlaceSettings, creatorOfSpace, placesIn } from '../plan/sites.ts';
import { keyAbove, textAt, titleOf } from '../resource.ts';
import { defaultAmong } from '../special/site-order.ts';
import type { Mend } from '../types.ts';
import type { Divergence } from './divergence.ts';
import type { Mending } from './input.ts';

/** True for a place at the root of a site that has sections by now: it cannot be made before those are gone. */
export function isBarred({ live }: Mending, { kind, key, body }: Resource): boolean {
  if (kind !== 'site-space' || textAt(body, 'section') !== undefined) return false;
  return live.count('site-section', keyAbove(key)) > 0;
}

/** Behind the steps that take sections away. Where one stays, what is missing at the root is said not to come back. */
export function addRootPlaces(planning: Mending, { missing, changed }: Divergence): void {
  const { list, reader, live } = planning;
  const barred = (one: Resource): boolean => isBarred(planning, one);
  const moved = changed.map(({ wanted }) => wanted).filter(barred);
  const gone = missing.filter(barred);
  for (const key of new Set([...gone, ...moved].map((one) => keyAbove(one.key)))) {
    const site = reader.one('site', key);
    if (!site || live.one('site', key) === undefined) continue;
    const removals = list.steps.filter(
      (step) => step.kind === 'site-section' && step.part === 'remove' && keyAbove(step.key) === key,
    );
    if (removals.length === live.count('site-section', key))
      addPlaces(planning, { site, needs: removals.map(({ step }) => step) });
    else
      for (const one of gone.filter((place) => keyAbove(place.key) === key))
        list.addUnsupported(one, 'its site has sections by now, and then shows nothing at its root');
  }
}

function addPlaces(planning: Mending, { site, needs }: { site: Resource; needs: readonly number[] }): void {
  const { list } = planning;
  const places = placesIn(planning, site, undefined);
  for (const place of places)
    list.add({ part: 'create', of: place, needs: [...needs, creatorOfSpace(planning, place)] });
  addPlaceSettings(planning, places, undefined);
  const first = defaultAmong(places);
  if (!first || places.length < 2) return;
  const mend: Mend = { expects: null, fields: [{ field: 'defaultSiteSpace', from: null, to: first.id }] };
  const made = list.creatorOf(first.kind, first.key);
  list.add({ part: 'defaults', of: site, note: `opens with ${titleOf(first)}`, needs: [made], mend });
}
