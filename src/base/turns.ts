// Work that blocks, done in pieces: between two of them others have their turn, requests and signals among them.
import { endOfTurn } from './clock.ts';

/** Work that yields where it may be put aside, every few tens of milliseconds, and gives its result at its end. */
export type Pieces<T> = Generator<void, T, void>;

/** All pieces in this turn of the event loop. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const piece = pieces.next();
    if (piece.done === true) return piece.value;
  }
}

/**
 * Each piece in a turn of its own. Called off, it throws the signal's reason where it was put aside, so that what is open there is undone.
 * @param signal As a function, it is only asked for when there is more than one piece.
 */
export async function inTurns<T>(pieces: Pieces<T>, signal?: AbortSignal | (() => AbortSignal)): Promise<T> {
  let piece = pieces.next();
  if (piece.done === true) return piece.value;
  const ending = typeof signal === 'function' ? signal() : signal;
  while (piece.done !== true) {
    await endOfTurn();
    piece = ending?.aborted === true ? pieces.throw(ending.reason) : pieces.next();
  }
  return piece.value;
}
