// What holds the object of a step: a space, a collection, a site, or the organization.
import { kindOf, type KindName } from '../../contract/index.ts';
import type { SnapshotReader } from '../../mirror/index.ts';
import { titleOf } from '../resource.ts';
import type { Plan, PlanStep } from '../types.ts';

/** By what the keys of a kind begin with. */
export function holderOfStep(
  { kind, key }: Pick<PlanStep, 'kind' | 'key'>,
  organization: string,
): { kind: KindName; key: string } {
  const [first = '', second = ''] = key.split('/');
  const [param, below] = kindOf(kind).params;
  if (kind === 'collection' || kind === 'space') return { kind, key };
  if (param === 'spaceId') return { kind: 'space', key: first };
  if (param === 'organizationId' && below === 'siteId') return { kind: 'site', key: `${first}/${second}` };
  return { kind: 'organization', key: organization };
}

/** Titles of what stands and of which something is written, by kind and key. */
export function holderTitles(
  steps: readonly PlanStep[],
  live: SnapshotReader,
  organization: string,
): NonNullable<Plan['holders']> {
  const titles: Record<string, string> = {};
  for (const step of steps) {
    const { kind, key } = holderOfStep(step, organization);
    const holder = kind === 'organization' || step.part === 'none' ? undefined : live.one(kind, key);
    if (holder) titles[`${kind} ${key}`] ??= titleOf(holder);
  }
  return titles;
}
