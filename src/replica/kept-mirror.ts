// The mirror stays open from one request to the next: to open it is to read its whole schema, which takes longer than most answers.
import { statSync } from 'node:fs';
import { Refusal } from '../contract/index.ts';
import { readMirror, type Mirror, type MirrorOptions } from '../mirror/index.ts';

/** Lends the mirror of a data directory for reading, always that which lies there now. */
export type Lend = <T>(read: (mirror: Mirror) => T) => T;

interface Kept extends Disposable {
  readonly mirror: Mirror;
  /** Which file it is; another one may have been put in its place. */
  readonly file: string;
  isIdle: boolean;
}

const LOOK_MS = 1000;

/** It is closed again when nobody asked for a second or two, and when a read failed. */
export function keepMirror(options: MirrorOptions): Lend {
  let kept: Kept | null = null;
  const close = (): void => {
    kept?.[Symbol.dispose]();
    kept = null;
  };
  const look = (): void => {
    if (kept?.isIdle === true) close();
    else if (kept !== null) kept.isIdle = true;
  };
  return (read) => {
    if (kept !== null && kept.file !== fileOf(kept.mirror)) close();
    kept ??= open(options, look);
    kept.isIdle = false;
    try {
      return read(kept.mirror);
    } catch (error) {
      if (!(error instanceof Refusal)) close();
      throw error;
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
    [Symbol.dispose]: () => {
      looking[Symbol.dispose]();
      mirror[Symbol.dispose]();
    },
  };
}

function fileOf({ store }: Mirror): string | null {
  const found = statSync(store.driver.name, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
