// The catalogue meets what is installed.
import { CATALOGUE, OTHER_PACKAGES, type PlannedCollection, type PlannedSpace } from './catalogue.ts';
import type { InstalledPackage } from './packages.ts';
import type { SpaceSource } from './space-files.ts';

/** A collection that will hold something. */
export interface CollectionPlan {
  title: string;
  description: string;
  collections: CollectionPlan[];
  spaces: SpaceSource[];
}

export interface DemoPlan {
  collections: CollectionPlan[];
  /** Spaces that stand in no collection. */
  spaces: SpaceSource[];
}

/** What the demo makes of these packages: empty spaces and collections are left out, packages that no space names share one. */
export function planDemo(installed: readonly InstalledPackage[]): DemoPlan {
  const left = new Map(installed.map((one) => [one.name, one]));
  const collections = CATALOGUE.flatMap((planned) => planCollection(planned, left));
  const packages = [...left.values()];
  const space = { ...OTHER_PACKAGES, packages: packages.map(({ name }) => name) };
  return { collections, spaces: packages.length > 0 ? [{ space, packages }] : [] };
}

/** Every space of a plan, in the order in which they are made. */
export function plannedSpaces({ collections, spaces }: DemoPlan): SpaceSource[] {
  const inside = (collection: CollectionPlan): SpaceSource[] => [
    ...collection.collections.flatMap(inside),
    ...collection.spaces,
  ];
  return [...collections.flatMap(inside), ...spaces];
}

type Packages = Map<string, InstalledPackage>;

function planCollection(planned: PlannedCollection, left: Packages): CollectionPlan[] {
  const { title, description } = planned;
  const collections = (planned.collections ?? []).flatMap((inner) => planCollection(inner, left));
  const spaces = (planned.spaces ?? []).flatMap((space) => planSpace(space, left));
  return collections.length + spaces.length > 0 ? [{ title, description, collections, spaces }] : [];
}

function planSpace(space: PlannedSpace, left: Packages): SpaceSource[] {
  const packages: InstalledPackage[] = [];
  for (const name of space.packages) {
    const found = left.get(name);
    if (found && left.delete(name)) packages.push(found);
  }
  return packages.length > 0 ? [{ space, packages }] : [];
}
