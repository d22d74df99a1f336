// Furnished worlds, each a copy of one that was furnished once in this process.
import { furnish, type Furnished } from './content.ts';
import { filledWorlds, walkedWorlds, type CopiedWorld, type CopyOptions } from './copied-world.ts';

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
