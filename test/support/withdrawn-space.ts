// A space that the token may not see any more.
import { type Furnished } from './content.ts';
import { walkedWorld } from './furnished.ts';
import type { TestWorld } from './world.ts';

export interface Withdrawn extends Pick<Furnished, 'guide' | 'news'> {
  readonly world: TestWorld;
}

/** A mirrored platform of two spaces, one of which no listing shows any more, and which answers 403 to whoever asks for it by its id. */
export async function withdrawnSpace(): Promise<Withdrawn> {
  const world = await walkedWorld();
  const { guide, news } = world.made;
  await world.api.deleteSpace({ path: { spaceId: news } });
  world.platform.faults = [{ operation: 'getSpace', effect: { status: 403 } }];
  return { world, guide, news };
}
