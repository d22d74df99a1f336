// Collections and spaces of the demo, made through the API.
import type { Page } from '../../../contract/index.ts';
import { importArchive, type Seeding } from '../import-archive.ts';
import { packZip } from '../../import/pack.ts';
import type { PageBudget } from './document-pages.ts';
import type { CollectionPlan, DemoPlan } from './plan.ts';
import { spaceFiles, type SpaceSource } from './space-files.ts';

/** A space that stands, with its documents in the order of its table of contents. */
export interface MadeSpace {
  id: string;
  title: string;
  documents: Page[];
  /** Pages of every type. */
  pages: number;
}

export interface MakeOptions {
  budget: PageBudget;
  onSpace: (space: MadeSpace) => void;
}

/** Makes everything that the plan holds and answers the spaces in order. */
export async function makeContainers(seeding: Seeding, plan: DemoPlan, options: MakeOptions): Promise<MadeSpace[]> {
  const made: MadeSpace[] = [];
  const onSpace = (space: MadeSpace): void => {
    made.push(space);
    options.onSpace(space);
  };
  const inner = { ...options, onSpace };
  for (const collection of plan.collections) await makeCollection(seeding, { collection, parent: {} }, inner);
  for (const source of plan.spaces) onSpace(await makeSpace(seeding, { source, parent: {} }, inner));
  return made;
}

/** The collection that something stands in; empty at the root. */
type Parent = { parent?: string };

async function makeCollection(
  seeding: Seeding,
  { collection, parent }: { collection: CollectionPlan; parent: Parent },
  options: MakeOptions,
): Promise<void> {
  const { caller, organization } = seeding;
  const { id } = await caller.call('createCollection', {
    path: { organizationId: organization },
    body: { title: collection.title, ...parent },
  });
  const { description } = collection;
  await caller.call('updateCollection', { path: { collectionId: id }, body: { description } });
  for (const inner of collection.collections) {
    await makeCollection(seeding, { collection: inner, parent: { parent: id } }, options);
  }
  for (const source of collection.spaces) {
    options.onSpace(await makeSpace(seeding, { source, parent: { parent: id } }, options));
  }
}

async function makeSpace(
  seeding: Seeding,
  { source, parent }: { source: SpaceSource; parent: Parent },
  { budget }: MakeOptions,
): Promise<MadeSpace> {
  const { caller, organization } = seeding;
  const { title, emoji } = source.space;
  const { id } = await caller.call('createSpace', {
    path: { organizationId: organization },
    body: { title, emoji, ...parent },
  });
  await importArchive(seeding, id, await packZip(await spaceFiles(source, budget)));
  return readSpace(seeding, { id, title });
}

/** What a space holds now. */
export async function readSpace({ caller }: Seeding, space: { id: string; title: string }): Promise<MadeSpace> {
  const { pages } = await caller.call('listPages', { path: { spaceId: space.id } });
  const all = pages.flatMap(withInner);
  return { ...space, documents: all.filter(({ type }) => type === 'document'), pages: all.length };
}

function withInner(page: Page): Page[] {
  return [page, ...(page.pages ?? []).flatMap(withInner)];
}
