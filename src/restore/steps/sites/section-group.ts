// A section goes into the group that it stood in, before those that stood behind it, or out of one that it was put in.
import type { Resource } from '../../../mirror/index.ts';
import { idsAt, textAt } from '../../resource.ts';
import type { ApplyContext } from '../../types.ts';
import { movedBefore } from './before-later-siblings.ts';
import { inSite, siteKey } from './in-site.ts';
import { unlessThere, whyRefused } from '../../answers.ts';
import { withLacks } from '../../with-problems.ts';
import { nothing, original, setting } from '../original.ts';

export const intoGroup = setting(async (context, step) => {
  const section = original(context, step);
  const site = siteKey(section);
  const key = `${site}/${textAt(section.body, 'sectionGroup') ?? ''}`;
  const { client, ids } = context;
  const path = { ...inSite(context, section), siteSectionGroupId: ids.need('site-section-group', key) };
  await unlessThere(() =>
    client.call('addSectionToGroup', { path, body: { sectionId: ids.need('site-section', step.key) } }),
  );
  const next = nextInside(context, section, key);
  return next === undefined ? nothing : withLacks(nothing, await movedBefore(context, section, next));
});

/** New id of the nearest later section that stands in the group by now. One that enters it only later comes behind this one by itself. */
function nextInside(context: ApplyContext, section: Resource, key: string): string | undefined {
  const { ids, reader } = context;
  const inside = idsAt(reader.one('site-section-group', key)?.body['sections']);
  const later = inside.slice(inside.indexOf(section.id) + 1).map((id) => `${siteKey(section)}/${id}`);
  const next = later.find((one) => isInside(context, one, { section, group: ids.get('site-section-group', key) }));
  return next === undefined ? undefined : ids.get('site-section', next);
}

interface Beside {
  readonly section: Resource;
  /** New id. */
  readonly group: string | undefined;
}

/** It stood there when the plan was made, or an earlier run has put it there while that failed of the one beside it. */
function isInside(context: ApplyContext, key: string, { section, group }: Beside): boolean {
  const { ids, journal, live, plan } = context;
  const id = ids.get('site-section', key);
  if (id === undefined) return false;
  const { organizationId, siteId } = inSite(context, section);
  const now = live?.one('site-section', `${organizationId}/${siteId}/${id}`);
  if (now !== undefined && textAt(now.body, 'sectionGroup') === group) return true;
  const entering = plan.steps.find((one) => one.kind === 'site-section' && one.part === 'state' && one.key === key);
  return entering !== undefined && journal.stateOf(entering.step) === 'done';
}

/** What is out of it by now is done. */
export const outOfGroup = setting(async (context, step) => {
  const section = original(context, step);
  const from = step.mend?.fields[0]?.from;
  const siteSectionGroupId = typeof from === 'string' ? from : '';
  const siteSectionId = context.ids.need('site-section', step.key);
  const path = { ...inSite(context, section), siteSectionGroupId, siteSectionId };
  await whyRefused(() => context.client.call('removeSectionFromGroup', { path }), [404]);
});
