// The mirror stays open from one request to the next: to open it is to read its whole schema, which takes longer than most answers.
import { statSync } from 'node:fs';
import { isAbort, type Pieces } from '../base/index.ts';
import { Refusal } from '../contract/index.ts';
import { readMirror, type Mirror, type MirrorOptions } from '../mirror/index.ts';

/** Lends the mirror of a data directory for reading, always that which lies there when it is asked for. */
export type Lend = <T>(read: (mirror: Mirror) => Pieces<T>) => Pieces<T>;

interface Kept extends Disposable {
  readonly mirror: Mirror;
  /** Which file it is; another one may have been put in its place. */
  readonly file: string;
  isIdle: boolean;
  /** Reads that are not at their end. */
  readers: number;
}

const LOOK_MS = 1000;

/** It is closed again when nobody asked for a second or two, and when a read failed. */
export function keepMirror(options: MirrorOptions): Lend {
  let kept: Kept | null = null;
  /** Nobody is lent it from then on; it stays open for those who read it. */
  const leave = (): void => {
    if (kept?.readers === 0) kept[Symbol.dispose]();
    kept = null;
  };
  const look = (): void => {
    if (kept === null || kept.readers > 0) return;
    if (kept.isIdle) leave();
    else kept.isIdle = true;
  };
  return function* lend(read) {
    if (kept !== null && kept.file !== fileOf(kept.mirror)) leave();
    const lent = (kept ??= open(options, look));
    lent.isIdle = false;
    lent.readers += 1;
    try {
      return yield* read(lent.mirror);
    } catch (error) {
      if (!(error instanceof Refusal || isAbort(error)) && kept === lent) leave();
      throw error;
    } finally {
      lent.readers -= 1;
      lent.isIdle = false;
      if (kept !== lent && lent.readers === 0) lent[Symbol.dispose]();
    }
  };
}

function open(options: MirrorOptions, look: () => void): Kept {
  const mirror = readMirror(options);
  const looking = options.clock.every(LOOK_MS, look);
  return {
    mirror,
    file: fileOf(mirror) ?? '',
    isIdle: false,
    readers: 0,
    [Symbol.dispose]: () => {
      looking[Symbol.dispose]();
      mirror[Symbol.dispose]();
    },
  };
}

function fileOf({ store }: Mirror): string | null {
  const found = statSync(store.driver.name, { throwIfNoEntry: false });
  // Of a newer form, it has what this connection was told is empty.
  const form = store.prepare<{ user_version: number }>('pragma user_version').get()?.user_version;
  return found === undefined ? null : `${found.dev} ${found.ino} ${form}`;
}
