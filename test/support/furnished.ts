// Furnished worlds, each a copy of one that was furnished once in this process: with content, with what an organization has besides it,
// or with both; and before a first walk, or after it.
import { furnish, type Furnished } from './content.ts';
import { organize, type Organized } from './organization.ts';
import { filledWorlds, walkedWorlds, type CopiedWorld, type CopyOptions } from './copied-world.ts';
import type { TestWorld } from './world.ts';

/** What a platform may be started with though its content is there already. */
export type FurnishedOptions = CopyOptions;

export type FurnishedWorld = CopiedWorld<Furnished>;

/** As `TestWorld.create` and then `furnish`, with what that made as `made`; its log has no request of that. */
export const furnishedWorld = filledWorlds(furnish);

/** A furnished world after a first walk, which is in its mirror and not in the log. */
export const walkedWorld = walkedWorlds(async (world) => {
  const made = await furnish(world);
  await world.sync();
  return made;
});

/** The same after a first walk that took in the document trees, too. */
export const treesWorld = walkedWorlds(async (world) => {
  const made = await furnish(world);
  await world.sync({ settings: { documents: true } });
  return made;
});

/** As `TestWorld.create` and then `organize`. */
export const organizedWorld = filledWorlds(organize);

export interface Whole extends Furnished {
  readonly organized: Organized;
}

/** Furnished and organized. */
export const wholeWorld = filledWorlds(furnishWhole);

/** The same after a first walk. */
export const walkedWholeWorld = walkedWorlds(async (world) => {
  const made = await furnishWhole(world);
  await world.sync();
  return made;
});

/** Fills a world with both. */
export async function furnishWhole(world: TestWorld): Promise<Whole> {
  const made = await furnish(world);
  return { ...made, organized: await organize(world) };
}
