// Fields that need not be as the snapshot has them by the way in which the plan brings a thing back, or leaves it.
import type { Resource } from '../../mirror/index.ts';
import { holderElsewhere } from '../in-place/transfers.ts';
import { textAt } from '../resource.ts';
import type { Plan } from '../types.ts';
import type { Sides } from './sides.ts';

type InPlace = Pick<Sides, 'plan' | 'live' | 'ids'>;

/**
 * The place of a page that comes alone, that of a space whose collection is out of reach, and what follows from a site that is not asked
 * for.
 */
export function untoldByPlan(sides: InPlace, resource: Resource): string[] {
  const { plan } = sides;
  return [
    ...(isAlone(plan, resource) ? ['position'] : []),
    ...(isLeftOutside(sides, resource) ? ['parent'] : []),
    ...(resource.kind === 'organization' && showsNothingFirst(plan) ? ['defaultContent'] : []),
  ];
}

/** Of an organization whose first site the plan does not bring along, as it says. */
function showsNothingFirst({ steps }: Plan): boolean {
  const own = steps.filter(({ kind }) => kind === 'organization');
  return own.some(({ action }) => action === 'unsupported') && own.every(({ part }) => part !== 'defaults');
}

/** A collection or space of which the plan says that it stays, or comes back, outside of the collection which held it. */
function isLeftOutside(sides: InPlace, resource: Resource): boolean {
  const { mode, steps } = sides.plan;
  const { kind, key } = resource;
  if (mode !== 'in-place' || (kind !== 'collection' && kind !== 'space')) return false;
  if (isHolderElsewhere(sides, resource)) return true;
  const own = steps.filter((step) => step.kind === kind && step.key === key);
  const isPut = own.some(({ part }) => part === 'place' || part === 'create' || part === 'undelete');
  return !isPut && own.some(({ action }) => action === 'unsupported');
}

/** True where the collection that held it stands, and stays, in another organization. */
function isHolderElsewhere({ plan, live, ids }: InPlace, resource: Resource): boolean {
  const original = textAt(resource.body, 'parent');
  const parent = original === undefined ? undefined : ids.get('collection', original);
  return parent !== undefined && live !== null && holderElsewhere({ list: plan, live }, resource, parent) !== undefined;
}

/** A page that came into a new space without those that stood beside it. */
function isAlone(plan: Plan, resource: Resource): boolean {
  return plan.only.page !== undefined && isImported(plan, resource);
}

/** A page that came with the content of a new space. */
function isImported({ steps }: Plan, { kind, params }: Resource): boolean {
  return kind === 'page' && steps.some(({ part, key }) => part === 'content' && key === params['spaceId']);
}
